"""The runtime's memory, laid out so that a fork copies little and a box's end frees little.

What a fork costs is mostly the number of small pages that it has to share, one by one, and that the
end of the child has to let go of, one by one. Python takes its objects' memory in pieces that the
kernel strews between the libraries. Here the pieces come out of the one heap of the C library
instead, and once everything is warm the kernel is asked to back that heap with huge pages: a few
dozen entries instead of thousands. A box that writes still gets its own copy of a small page only.

An optimisation, never a layer: where the kernel or the interpreter cannot, nothing changes.
Runs inside the runtime: the standard library only.
"""

from __future__ import annotations

import ctypes

_HUGE = 1 << 21
_COLLAPSE = 25  # MADV_COLLAPSE, since Linux 6.1
_RAW = 0  # PYMEM_DOMAIN_RAW: the C library's own malloc
_PIECE = 1 << 20  # how much Python asks for at a time

_libc = ctypes.PyDLL(None)
_libc.malloc.restype = _libc.sbrk.restype = ctypes.c_void_p
_libc.malloc.argtypes = [ctypes.c_size_t]
_libc.free.argtypes = [ctypes.c_void_p]
_libc.sbrk.argtypes = [ctypes.c_ssize_t]
_libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]

_pins: list[bytes] = []


class _Allocator(ctypes.Structure):
    """PyMemAllocatorEx"""

    _fields_ = tuple(
        (name, ctypes.c_void_p) for name in ("own", "malloc", "calloc", "realloc", "free")
    )


class _Arenas(ctypes.Structure):
    """PyObjectArenaAllocator"""

    _fields_ = tuple((name, ctypes.c_void_p) for name in ("own", "alloc", "free"))


def gather() -> None:
    """From now on Python's objects live in the heap. Call before anything is imported.

    The two kinds of allocator take the same arguments, so the one of the C library serves as it is.
    """
    # Freeing a large block teaches malloc to take blocks below that size from the heap.
    _libc.free(_libc.malloc(2 * _PIECE))
    raw = _Allocator()
    ctypes.pythonapi.PyMem_GetAllocator(_RAW, ctypes.byref(raw))
    start = _top()
    ctypes.pythonapi.PyObject_SetArenaAllocator(
        ctypes.byref(_Arenas(raw.own, raw.malloc, raw.free))
    )
    # Pieces from before must never be found empty: their memory is not the heap's to free. They are
    # filled up, and one object in the last of them stays.
    filler: list[bytes] = []
    while len(filler) < 4 * _PIECE // 512 and not (filler and start <= id(filler[-1]) < _top()):
        filler.append(bytes(450))
    _pins[:] = filler[:1] + filler[-2:]


def heap_start() -> int:
    """Where the heap begins; 0 if that cannot be found out. Ask before the jail is built."""
    try:
        with open("/proc/self/maps") as maps:
            for line in maps:
                if line.endswith("[heap]\n"):
                    return int(line.partition("-")[0], 16)
    except OSError:
        pass
    return 0


def make_huge(start: int) -> None:
    """Back the heap from `start` on with huge pages, as far as it fills them."""
    first, end = -(-start // _HUGE) * _HUGE, _top() // _HUGE * _HUGE
    # What was freed lies in one unsorted list; the first box to ask for memory would sort it, and
    # so would every other. This asks for more than any of it can be.
    _libc.free(_libc.malloc(_PIECE))
    if start and first < end:
        _libc.madvise(first, end - first, _COLLAPSE)


def _top() -> int:
    return int(_libc.sbrk(0) or 0)

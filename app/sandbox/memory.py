"""The runtime's memory, laid out so that a fork copies little and a box's end frees little.

What a fork costs is mostly the number of small pages that it has to share, one by one, and that the
end of the child has to let go of, one by one. Python takes its objects' memory in pieces that the
kernel strews between the libraries. Here the pieces come out of the one heap of the C library
instead, and once everything is warm the kernel is asked to back that heap with huge pages: a few
dozen entries instead of thousands. A box that writes still gets its own copy of a small page only.

Mappings cost as much as pages, so those of a library are made two instead of five.

What is copied for a box is each page that it writes to, and to use an object of Python's is to write
to it. So what boxes use lies side by side: before our own code is loaded, and again before the first
box, every place is filled that imports have left free between other objects.

An optimisation, never a layer: where the kernel or the interpreter cannot, nothing changes.
Runs inside the runtime: the standard library only.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys

_HUGE = 1 << 21
_CODE, _VARIABLES = 4 | 1, 2 | 1  # PROT_EXEC, PROT_WRITE; PROT_READ
_COLLAPSE = 25  # MADV_COLLAPSE, since Linux 6.1
_RAW = 0  # PYMEM_DOMAIN_RAW: the C library's own malloc
_CACHED = 1032  # up to this size malloc keeps a few places of each size at hand
_MOST_HOLES = 100_000
_PIECE = 1 << 20  # how much Python asks for at a time

_libc = ctypes.PyDLL(None)
_libc.malloc.restype = _libc.sbrk.restype = ctypes.c_void_p
_libc.malloc.argtypes = [ctypes.c_size_t]
_libc.free.argtypes = [ctypes.c_void_p]
_libc.sbrk.argtypes = [ctypes.c_ssize_t]
_libc.malloc_usable_size.restype = ctypes.c_size_t
_libc.malloc_usable_size.argtypes = [ctypes.c_void_p]
_libc.madvise.argtypes = _libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]

_pins: list[object] = []


class _Allocator(ctypes.Structure):
    """PyMemAllocatorEx"""

    _fields_ = tuple(
        (name, ctypes.c_void_p) for name in ("own", "malloc", "calloc", "realloc", "free")
    )


class _Arenas(ctypes.Structure):
    """PyObjectArenaAllocator"""

    _fields_ = tuple((name, ctypes.c_void_p) for name in ("own", "alloc", "free"))


class _Counts(ctypes.Structure):
    """mallinfo2, since glibc 2.33; `unused` is what the heap has above all that was ever taken."""

    _fields_ = (("of_no_interest", ctypes.c_size_t * 9), ("unused", ctypes.c_size_t))


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


def join_mappings() -> None:
    """Make neighbours of what each library has mapped alike, so that the kernel keeps them as one.

    A fork copies every mapping, and a library has five: here code and constants become one, what
    the loader wrote and then closed, and variables, another. That a box could now write to the
    former is of no use to it: the copy is its own, and all that it can do there it can do anyway.
    """
    try:
        with open("/proc/self/maps") as maps:
            lines = [line.split(None, 5) for line in maps]
    except OSError:
        return
    libraries = {line[-1] for line in lines if line[1] == "r-xp" and line[-1][0] == "/"}
    variables = {line[0].partition("-")[0] for line in lines if line[1] == "rw-p"}
    for place, access, *_, name in lines:
        if name in libraries and access in ("r--p", "r-xp"):
            start, _, end = place.partition("-")
            wanted = _VARIABLES if end in variables else _CODE
            _libc.mprotect(int(start, 16), int(end, 16) - int(start, 16), wanted)


def make_huge(start: int) -> None:
    """Back the heap from `start` on with huge pages, as far as it fills them."""
    first, end = -(-start // _HUGE) * _HUGE, _top() // _HUGE * _HUGE
    # What was freed lies in one unsorted list; the first box to ask for memory would sort it, and
    # so would every other. This asks for more than any of it can be.
    _libc.free(_libc.malloc(_PIECE))
    if start and first < end:
        _libc.madvise(first, end - first, _COLLAPSE)


def fill_holes() -> None:
    """From now on new objects, large and small, are made where nothing was before, side by side.

    Else each would go where some import has left a place: one on a page that is copied for it
    alone, the next on another.
    """
    if not hasattr(_libc, "mallinfo2") or not hasattr(sys, "_debugmallocstats"):
        return
    _libc.mallinfo2.restype = _Counts
    gc.collect()
    for size, free in _small_holes():
        _pins.append([_object_of(size, number) for number in range(free)])
    for size in range(_CACHED, 0, -16):
        _libc.free(_fill_large_holes(size))
    size = _PIECE
    while size > _CACHED:
        _libc.free(_fill_large_holes(size))
        size //= 2


def _fill_large_holes(size: int) -> int | None:
    """Take memory of so many bytes until it is new; the last piece, or nothing if there is no more."""
    for _ in range(_MOST_HOLES):
        place: int | None = _libc.malloc(size)
        if not place or _is_new(place):
            return place
    return None


def _is_new(place: int) -> bool:
    """Whether memory that was just given out was never used, and so no hole was left of its size."""
    unused = int(_libc.mallinfo2().unused)
    return place + int(_libc.malloc_usable_size(place)) + 16 >= _top() - unused


def _small_holes() -> list[tuple[int, int]]:
    """Sizes of small objects in bytes, and how many more of each have room among the others.

    The interpreter tells such things on standard error only.
    """
    said, before = os.memfd_create("said"), os.dup(2)
    os.dup2(said, 2)
    try:
        sys._debugmallocstats()
    finally:
        os.dup2(before, 2)
        os.close(before)
    os.lseek(said, 0, os.SEEK_SET)
    with open(said, "rb") as lines:
        rows = [line.split() for line in lines]
    # Of each class: its number, the size, pieces, objects and free places.
    return [(int(row[1]), int(row[4])) for row in rows if len(row) == 5 and b"".join(row).isdigit()]


def _object_of(size: int, number: int) -> object:
    """An object of just that many bytes: 16, 32, 48 and so on."""
    if size == 16:
        return object()
    if size == 32:
        return (1 << 30) + number
    return bytes(size - sys.getsizeof(b""))


def _top() -> int:
    return int(_libc.sbrk(0) or 0)

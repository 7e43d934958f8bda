# want: AC
import ctypes, os

def solve(values):
    known = {"PYTHONHASHSEED", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS",
             "MALLOC_ARENA_MAX", "LC_ALL", "HOME", "TMPDIR"}
    assert set(os.environ) <= known, set(os.environ) - known
    environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    index = 0
    while environ[index]:
        assert environ[index].split(b"=")[0].decode() in known
        index += 1
    return values.sum()

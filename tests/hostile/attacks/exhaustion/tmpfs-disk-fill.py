# want: A: RTE OSError, C: RTE PermissionError|FileNotFoundError
import tempfile

def solve(values):
    with open(tempfile.gettempdir() + "/fill", "wb", buffering=0) as file:
        while True:
            if file.write(b"x" * 65536) < 65536:
                raise OSError("full")

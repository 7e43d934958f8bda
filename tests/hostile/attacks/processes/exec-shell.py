# want: RTE PermissionError|AssertionError
import os, subprocess

def solve(values):
    assert os.system("id") == 0, "no shell"
    subprocess.run(["id"], check=True)

# want: AC
import os, stat

def solve(values):
    kinds = [stat.S_IFMT(os.fstat(number).st_mode) for number in range(4)]
    assert kinds == [stat.S_IFIFO, stat.S_IFIFO, stat.S_IFIFO, stat.S_IFSOCK], kinds
    return values.sum()

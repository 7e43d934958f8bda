# want: AC
import fcntl, os

def solve(values):
    file = open(os.__file__)
    # locks of both kinds, leases, notification, owner signals, seals, pipe sizes, write hints
    for command in (5, 6, 7, 36, 37, 38, 1024, 1025, 1026, 8, 9, 10, 11, 15, 16, 1031, 1032, 1033, 1034, 1035, 1036):
        try:
            fcntl.fcntl(file, command, 0)
        except PermissionError:
            continue
        except OSError as error:
            raise AssertionError((command, error))
        raise AssertionError(command)
    return values.sum()

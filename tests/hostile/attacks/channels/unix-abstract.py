# want: RTE PermissionError
import socket

def solve(values):
    socket.socket(socket.AF_UNIX).bind("\0judge")

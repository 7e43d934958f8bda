# want: RTE PermissionError|FileNotFoundError
import socket

def solve(values):
    socket.socket(socket.AF_UNIX).connect("/var/run/docker.sock")

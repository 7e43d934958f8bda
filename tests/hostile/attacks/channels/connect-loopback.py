# want: RTE PermissionError
import socket

def solve(values):
    socket.create_connection(("127.0.0.1", 5432))

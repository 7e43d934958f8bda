# want: OLE
def solve(values):
    ring = []
    ring.append(ring)
    return ring

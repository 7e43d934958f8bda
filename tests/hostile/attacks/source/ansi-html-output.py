# want: AC
def solve(values):
    print("\x1b[2J<script>alert(1)</script>\x07")
    return values.sum()

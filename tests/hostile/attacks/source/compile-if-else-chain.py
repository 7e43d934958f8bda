# want: RTE|CE|WA
# source: "def solve(values):\n    return " + "1 if 0 else " * 5000 + "1"

# want: RTE|CE|WA
# source: "def solve(values):\n    return " + "lambda:" * 9000 + "1"

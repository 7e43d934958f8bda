# want: RTE|CE
# source: "def solve(values):\n    return values" + "()" * 32000

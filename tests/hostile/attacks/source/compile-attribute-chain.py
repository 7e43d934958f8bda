# want: RTE|CE
# source: "def solve(values):\n    return values" + ".T" * 32000

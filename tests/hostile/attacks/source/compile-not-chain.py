# want: RTE|CE
# source: "def solve(values):\n    return " + "not " * 16000 + "1"

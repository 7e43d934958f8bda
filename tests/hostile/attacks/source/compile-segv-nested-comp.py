# want: RTE
# source: "def solve(values):\n    return " + "[" * 30 + "x" + " for x in y]" * 30

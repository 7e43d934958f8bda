# want: CE syntax|RTE
# source: "def solve(values):\n    return " + "(" * 30000 + "1" + ")" * 30000

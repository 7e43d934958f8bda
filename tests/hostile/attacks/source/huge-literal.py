# want: CE syntax
# source: "def solve(values):\n    return " + "1" * 60000

# want: CE syntax
# source: "def solve(values):\n    return '\udcff'"

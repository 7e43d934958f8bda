# want: AC
# source: "def solve(values):\r\n    return values.sum()\r"

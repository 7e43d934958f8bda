# want: CE syntax
# source: "def solve(values):\n\tif 1:\n        return 1\n\treturn 2"

# want: OLE|CE syntax|RTE
# source: "def solve(values):\n    return " + "[" * 199 + "1" + "]" * 199

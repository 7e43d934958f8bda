# want: RTE MemoryError|RTE RecursionError
# source: "def solve(values):\n    return " + "-" * 65000 + "1"

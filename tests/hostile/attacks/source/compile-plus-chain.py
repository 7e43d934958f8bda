# want: RTE RecursionError|RTE MemoryError|WA
# source: "def solve(values):\n    return 0" + "+0" * 32000

# want: AC|RTE
# source: "".join(f"v{n}=1\n" for n in range(6000)) + "def solve(values):\n    return values.sum()\n"

# want: RTE|CE|WA
# source: "def solve(values):\n    if 0: pass\n" + "    elif 0: pass\n" * 3800 + "    return 0"

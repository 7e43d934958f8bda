# want: AC
# source: "def solve(values):\n    # \u202e } \u2066 return 0 \u2069 \u2066\n    return values.sum()\n"

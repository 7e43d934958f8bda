# want: AC
# source: "\ufeffdef solve(values):\n    return values.sum()\n"

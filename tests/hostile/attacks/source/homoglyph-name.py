# want: CE no_entry_point
# source: "def \u0455olve(values):\n    return values.sum()\n"

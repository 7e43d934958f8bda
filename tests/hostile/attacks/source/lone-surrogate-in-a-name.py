# want: CE syntax
# source: "def s\ud800(values):\n    return 1"

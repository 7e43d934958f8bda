# want: CE syntax
# source: "".join(" " * n + "if 1:\n" for n in range(150)) + " " * 150 + "pass\n"

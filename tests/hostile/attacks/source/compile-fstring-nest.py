# want: RTE|CE|WA
# source: "def solve(values):\n    return " + "f'{" * 3 + "1" + "}'" * 3

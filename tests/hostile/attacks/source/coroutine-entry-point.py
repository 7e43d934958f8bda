# want: WA
async def solve(values):
    return values.sum()

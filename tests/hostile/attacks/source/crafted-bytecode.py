# want: RTE
def solve(values):
    code = (lambda: 0).__code__
    exec(code.replace(co_code=bytes([100, 255, 83, 0]) * 10, co_consts=(), co_stacksize=0))

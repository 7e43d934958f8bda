# want: MLE
def solve(values):
    text = "x"
    while True:
        text += text

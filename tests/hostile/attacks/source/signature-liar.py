# want: WA
class Liar:
    @property
    def __signature__(self):
        raise KeyboardInterrupt

    def __call__(self, values):
        return 0

solve = Liar()

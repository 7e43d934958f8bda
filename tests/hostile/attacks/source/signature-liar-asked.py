# want: RTE|CE signature|TLE
class Liar:
    @property
    def __signature__(self):
        raise KeyboardInterrupt

    def __call__(self, values):
        raise TypeError("now ask for it")

solve = Liar()

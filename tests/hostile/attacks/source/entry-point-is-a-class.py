# want: WA
class solve:
    def __init__(self, values):
        self.values = values

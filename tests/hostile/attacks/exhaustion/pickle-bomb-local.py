# want: RTE|WA
import pickle

def solve(values):
    return pickle.loads(b"cos\nsystem\n(S'id'\ntR.")

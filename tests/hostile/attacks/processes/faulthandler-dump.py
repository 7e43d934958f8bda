# want: OLE|RTE
import faulthandler, time

def solve(values):
    faulthandler.dump_traceback_later(0.0005, repeat=True)
    time.sleep(60)

# want: RTE URLError
import urllib.request

def solve(values):
    urllib.request.urlopen("http://169.254.169.254/", timeout=1)

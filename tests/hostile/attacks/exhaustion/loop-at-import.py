# want: TLE cpu
while True:
    pass

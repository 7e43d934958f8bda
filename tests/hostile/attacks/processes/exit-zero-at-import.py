# want: RTE exit 0
import os
os._exit(0)

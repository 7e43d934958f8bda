# want: RTE SystemExit
import sys
sys.exit(0)

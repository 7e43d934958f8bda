"""Many processes on one PostgreSQL database: how they share work, news and packages.

jobs.py     who judges what: pgqueuer's tables, its wake-ups and heartbeats
fanout.py   news of judgings, from the process that judges to those that hold streams
"""

from app.cluster.fanout import Fanout, Silence
from app.cluster.jobs import ClusterQueue

__all__ = ["ClusterQueue", "Fanout", "Silence"]

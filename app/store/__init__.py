"""The only place that knows SQL: one method for each question that the program asks.

opening.py       the database created or migrated, and the Store over it
database.py      transactions, whichever engine; locked or full becomes StoreUnavailable
backup.py        the whole database as one file, and back
retention.py     what is deleted when it is old
timed.py         the same, timed
postgresql.py    transactions on a server, for many processes
schema.py        the tables
migrations/      how an older database becomes a current one; run at start, under a lock
judgements.py    a Judgement as JSON, and back
submissions.py   what was sent, and what became of it
waiting.py       what waits for a judgement
solved.py        the mark that stays, written with the judgement
progress.py      what one person has done
drafts.py        programs as they are being written
profiles.py      what people chose to show, and problems' lists of the quickest
presence.py      how many have a page open
places.py        who comes when in the queue
people.py        who there is, and the audit log
accounts.py      accounts made, changed, deleted
sessions.py      who is signed in where
tokens.py        tokens of scripts
owned.py         what belongs to somebody: moved, exported, deleted as one
tests.py         uploaded tests, version by version
results.py       a judgement as characters, for whoever counts many
rejudges.py      judged once more, then released or discarded
releasing.py     what was released is shown, some at a time
rejudge_looks.py what came out of a rejudge
members.py       accounts as an admin sees and changes them
audit_log.py     who did what, and when
statistics.py    how programs fare, counted
health.py        who works, what waits, what went wrong, whether judging is paused
packages.py      uploaded packages: their archives, the gate's word, what is published
"""

from app.store.accounts import Account
from app.store.audit_log import AuditLine
from app.store.drafts import Draft
from app.store.health import AboutDatabase, ErrorCause, Pause, Queued, WorkerState
from app.store.members import Member
from app.store.opening import Store, connect_store, open_store
from app.store.profiles import Profile, Standout
from app.store.progress import Attempts, Solved, Tried
from app.store.rejudge_looks import Change, Flip, Move, Rejudge, TestFlip
from app.store.rejudges import Chosen, Selection
from app.store.sessions import SessionSeen
from app.store.statistics import ProblemFigures, Spread, TestFigures
from app.store.submissions import Standing
from app.store.tests import TestVersion
from app.store.tokens import Owner, TokenSeen
from app.store.waiting import Backlog, Unjudged, Waiting

__all__ = [
    "AboutDatabase",
    "Account",
    "Attempts",
    "AuditLine",
    "Backlog",
    "Change",
    "Chosen",
    "Draft",
    "ErrorCause",
    "Flip",
    "Member",
    "Move",
    "Owner",
    "Pause",
    "ProblemFigures",
    "Profile",
    "Queued",
    "Rejudge",
    "Selection",
    "SessionSeen",
    "Solved",
    "Spread",
    "Standing",
    "Standout",
    "Store",
    "TestFigures",
    "TestFlip",
    "TestVersion",
    "TokenSeen",
    "Tried",
    "Unjudged",
    "Waiting",
    "WorkerState",
    "connect_store",
    "open_store",
]

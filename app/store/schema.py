"""The tables. A change here needs a migration; a test compares the two."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

# The newest migration; a database that says anything unknown was written by a newer program.
VERSION = "0002"

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
    }
)

# A partial index serves a question only where it says the same in the same words: SQLite is asked for
# `trial = 1`, PostgreSQL for `trial`.

# SQLite counts rows by itself only in a column that is exactly INTEGER.
Number = BigInteger().with_variant(Integer(), "sqlite")

submissions = Table(
    "submissions",
    metadata,
    Column("number", Number, primary_key=True),  # the order of arrival
    Column("id", Text, nullable=False, unique=True),  # cannot be guessed: it is the key to the row
    Column("problem", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("trial", Boolean(create_constraint=False), nullable=False),
    Column("arguments_json", Text),  # custom input of a trial
    Column("account", Text, nullable=False),  # whose share of the queue it takes
    Column("created_ms", BigInteger, nullable=False),
    Column("judging_number", Integer, nullable=False),  # the judging that is wanted
    Column("judged_number", Integer, nullable=False),  # the newest judging that has a judgement
    Column("current_judging_number", Integer),  # the judging that is shown
    Column("owner", Text),  # who may see it among their own: a user or a guest
    Column("package_hash", Text),  # what it was accepted under: the package, and
    Column("tests_version", Text),  # the version of the uploaded tests
    Column("request", Text),  # the request that brought it, as the log names it
    Column("rejudge", Number),  # which holds its judgements back until it is released
)
Index("ix_submissions_owner", submissions.c.owner, submissions.c.problem, submissions.c.number)
Index("ix_submissions_account", submissions.c.account, submissions.c.number)
Index("ix_submissions_problem", submissions.c.problem, submissions.c.number)
# Who tried what: all that counting learners reads.
Index(
    "ix_submissions_learners",
    submissions.c.problem,
    submissions.c.owner,
    submissions.c.created_ms,
    sqlite_where=text("trial = 0"),
    postgresql_where=text("NOT trial"),
)
Index(
    "ix_submissions_unjudged",
    submissions.c.rejudge,
    submissions.c.number,
    sqlite_where=text("judged_number < judging_number"),
    postgresql_where=text("judged_number < judging_number"),
)
Index(
    "ix_submissions_trials",
    submissions.c.created_ms,
    sqlite_where=text("trial = 1"),
    postgresql_where=text("trial"),
)

judgements = Table(
    "judgements",
    metadata,
    Column("number", Number, primary_key=True),
    Column(
        "submission", Number, ForeignKey("submissions.number", ondelete="CASCADE"), nullable=False
    ),
    Column("judging_number", Integer, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("score", Float, nullable=False),
    Column("package_version", Text, nullable=False),
    Column("body_json", Text, nullable=False),  # the whole Judgement
    Column("created_ms", BigInteger, nullable=False),
    UniqueConstraint("submission", "judging_number"),  # at least once becomes exactly one
)
Index(
    "ix_judgements_errors",
    judgements.c.created_ms,
    sqlite_where=text("verdict = 'JE'"),
    postgresql_where=text("verdict = 'JE'"),
)

# What statistics count: a judgement without its texts, so that a hundred thousand are read at once.
results = Table(
    "results",
    metadata,
    Column(
        "judgement", Number, ForeignKey("judgements.number", ondelete="CASCADE"), primary_key=True
    ),
    Column("problem", Text, nullable=False),
    Column("package_version", Text, nullable=False),
    Column("sent_ms", BigInteger, nullable=False),  # when the submission was
    Column("shown", Boolean(create_constraint=False), nullable=False),  # not of trials
    Column("verdict", Text, nullable=False),
    Column("cause", Text, nullable=False),  # name of the diagnosis; why there is a judging error
    Column("verdicts", Text, nullable=False),  # one character a test, in file order
    Column("times", Text, nullable=False),
    Column("memories", Text, nullable=False),
)
Index(
    "ix_results_problem",
    results.c.problem,
    results.c.package_version,
    results.c.verdict,
    results.c.sent_ms,
    sqlite_where=text("shown = 1"),
    postgresql_where=text("shown"),
)

# Which tests a version has, so that the characters above can be read when it is long gone.
test_lists = Table(
    "test_lists",
    metadata,
    Column("problem", Text, primary_key=True),
    Column("package_version", Text, primary_key=True),
    Column("tests_json", Text, nullable=False),
)

rejudges = Table(
    "rejudges",
    metadata,
    Column("number", Number, primary_key=True),
    Column("state", Text, nullable=False),  # open, released, discarded
    Column("selection_json", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger),
    Column("released_to", Number),  # released, and up to this submission it is shown
)

rejudged = Table(
    "rejudged",
    metadata,
    Column("rejudge", Number, ForeignKey("rejudges.number", ondelete="CASCADE"), primary_key=True),
    Column(
        "submission", Number, ForeignKey("submissions.number", ondelete="CASCADE"), primary_key=True
    ),
    Column("before_number", Integer, nullable=False),  # the judging that was shown
    Column("judging_number", Integer, nullable=False),  # the judging that is to take its place
    Column("old_verdict", Text, nullable=False),
    Column("old_score", Float, nullable=False),
    Column("new_verdict", Text),  # once it is judged
    Column("new_score", Float),
)
Index("ix_rejudged_submission", rejudged.c.submission)

# Who judges, as each worker says of itself every few seconds.
workers = Table(
    "workers",
    metadata,
    Column("name", Text, primary_key=True),
    Column("version", Text, nullable=False),
    Column("tier", Text, nullable=False),
    Column("report", Text, nullable=False),  # what the sandbox can do there
    Column("since_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    Column("places", Integer, nullable=False),  # judgings at the same time
    Column("busy", Integer, nullable=False),
    Column("unfit", Text, nullable=False),  # why it takes no work; empty: it does
    Column("kept_out_json", Text, nullable=False),  # variants that cannot be judged, and why
)

# What was decided while it runs, and holds for every process, also after a restart.
switches = Table(
    "switches",
    metadata,
    Column("name", Text, primary_key=True),
    Column("why", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)

test_versions = Table(
    "test_versions",
    metadata,
    Column("number", Number, primary_key=True),  # the newest of a family is the current one
    Column("family", Text, nullable=False),
    Column("version", Text, nullable=False),  # hash of the content
    Column("tests_json", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("sequence", Integer, nullable=False),  # 1, 2, ... in each family
    Column("change", Text, nullable=False),  # what made it, in words
    UniqueConstraint("family", "sequence"),  # two changes of the same version: one of them wins
)
Index("ix_test_versions_family", test_versions.c.family, test_versions.c.number)

examined_tests = Table(
    "examined_tests",
    metadata,
    Column("token", Text, primary_key=True),  # random: who has it may apply what was examined
    Column("family", Text, nullable=False),
    Column("base", Text, nullable=False),  # the version that was current
    Column("tests_json", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)
Index("ix_examined_tests_created_ms", examined_tests.c.created_ms)

packages = Table(
    "packages",
    metadata,
    Column("hash", Text, primary_key=True),  # SHA-256 of the archive
    Column("archive", LargeBinary, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)

package_uploads = Table(
    "package_uploads",
    metadata,
    Column("number", Number, primary_key=True),
    Column("family", Text, nullable=False),
    Column("hash", Text, ForeignKey("packages.hash"), nullable=False),
    Column("owner", Text, nullable=False),  # the first one's owns the family
    Column("author", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("state", Text, nullable=False),  # waiting, examining, refused, kept
    Column("progress", Text, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("touched_ms", BigInteger, nullable=False),  # the last sign of life of its examination
    Column("report_json", Text),
    UniqueConstraint("family", "hash"),
)

publications = Table(
    "publications",
    metadata,
    Column("number", Number, primary_key=True),
    Column("family", Text, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("hash", Text, ForeignKey("packages.hash")),  # none: what is on disk is served
    Column("author", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    UniqueConstraint("family", "sequence"),
)

offers = Table(
    "offers",
    metadata,
    Column("family", Text, primary_key=True),
    Column("hash", Text, ForeignKey("packages.hash"), nullable=False),
    Column("offered_ms", BigInteger, nullable=False),
)

users = Table(
    "users",
    metadata,
    Column("number", Number, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),  # two names that look alike are one
    Column("role", Text, nullable=False),
    Column("password_hash", Text),  # none: no password opens this account
    Column("recovery_hash", Text),  # of the code that replaces a forgotten password
    Column("disabled", Boolean(create_constraint=False), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("number", Number, primary_key=True),
    Column("user", Number, ForeignKey("users.number", ondelete="CASCADE"), nullable=False),
    Column("name", Text, nullable=False),
    Column("token_hash", Text, nullable=False, unique=True),  # the token itself is shown once
    Column("scopes", Text, nullable=False),  # by spaces
    Column("created_ms", BigInteger, nullable=False),
    Column("used_ms", BigInteger),
    Column("revoked_ms", BigInteger),
)
Index("ix_tokens_user", tokens.c.user)

identities = Table(
    "identities",
    metadata,
    Column("number", Number, primary_key=True),
    Column("user", Number, ForeignKey("users.number", ondelete="CASCADE"), nullable=False),
    Column("issuer", Text, nullable=False),
    Column(
        "subject", Text, nullable=False
    ),  # the issuer's own word for the person; never an e-mail
    Column("created_ms", BigInteger, nullable=False),
    UniqueConstraint("issuer", "subject"),
)
Index("ix_identities_user", identities.c.user)

sessions = Table(
    "sessions",
    metadata,
    Column("number", Number, primary_key=True),
    Column("user", Number, ForeignKey("users.number", ondelete="CASCADE"), nullable=False),
    Column("session_hash", Text, nullable=False, unique=True),  # the cookie's value is not kept
    Column("created_ms", BigInteger, nullable=False),
    Column("used_ms", BigInteger, nullable=False),
)
Index("ix_sessions_user", sessions.c.user)

audit = Table(
    "audit",
    metadata,
    Column("number", Number, primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("who", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("details_json", Text, nullable=False),
)
Index("ix_audit_at_ms", audit.c.at_ms)

drafts = Table(
    "drafts",
    metadata,
    Column("number", Number, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("problem", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("revision", Integer, nullable=False),  # one more with each save
    Column("saved_ms", BigInteger, nullable=False),
    UniqueConstraint("owner", "problem"),
)
Index("ix_drafts_saved_ms", drafts.c.saved_ms)

# What was solved stays solved: a rejudge changes judgements, never these rows.
solved = Table(
    "solved",
    metadata,
    Column("number", Number, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("problem", Text, nullable=False),
    Column("solved_ms", BigInteger, nullable=False),  # for the first time
    Column("package_version", Text, nullable=False),  # the newest on which it was solved
    Column("time_ms", Float, nullable=False),  # the best on that version: the slowest test's
    Column(
        "memory_kib", BigInteger, nullable=False
    ),  # the best on that version: the largest test's
    Column("bonus", Integer, nullable=False),
    UniqueConstraint("owner", "problem"),
)
Index("ix_solved_problem", solved.c.problem, solved.c.package_version)

profiles = Table(
    "profiles",
    metadata,
    Column("user", Number, ForeignKey("users.number", ondelete="CASCADE"), primary_key=True),
    Column("public", Boolean(create_constraint=False), nullable=False),
    Column("ranked", Boolean(create_constraint=False), nullable=False),
)

# Who has a problem's page open: forgotten soon after the page was closed.
presence = Table(
    "presence",
    metadata,
    Column("number", Number, primary_key=True),
    Column("problem", Text, nullable=False),
    Column("visitor", Text, nullable=False),  # a hash that is another for each problem
    Column("seen_ms", BigInteger, nullable=False),
    UniqueConstraint("problem", "visitor"),
)
Index("ix_presence_seen_ms", presence.c.seen_ms)

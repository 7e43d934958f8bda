"""Whose a submission is, sessions, drafts, progress, presence; the jobs of many machines."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from app.store.people import name_key

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

Number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _owners()
    _sessions()
    _drafts()
    _progress()
    _presence()
    _accounts()
    _jobs()
    _results()
    _rejudges()
    _operation()
    _test_versions()
    _packages()
    _offers()


def _owners() -> None:
    with op.batch_alter_table("submissions") as table:
        table.add_column(sa.Column("owner", sa.Text()))
        table.add_column(sa.Column("request", sa.Text()))
        table.add_column(sa.Column("rejudge", Number))
    op.create_index("ix_submissions_owner", "submissions", ["owner", "problem", "number"])
    op.create_index(
        "ix_submissions_learners",
        "submissions",
        ["problem", "owner", "created_ms"],
        sqlite_where=sa.text("trial = 0"),
        postgresql_where=sa.text("NOT trial"),
    )
    op.drop_index("ix_submissions_trials", "submissions")
    op.create_index(
        "ix_submissions_trials",
        "submissions",
        ["created_ms"],
        sqlite_where=sa.text("trial = 1"),
        postgresql_where=sa.text("trial"),
    )


def _sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("number", Number, nullable=False),
        sa.Column("user", Number, nullable=False),
        sa.Column("session_hash", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("used_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_sessions"),
        sa.ForeignKeyConstraint(
            ["user"], ["users.number"], name="fk_sessions_user", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("session_hash", name="uq_sessions_session_hash"),
    )
    op.create_index("ix_sessions_user", "sessions", ["user"])


def _drafts() -> None:
    op.create_table(
        "drafts",
        sa.Column("number", Number, nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("saved_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_drafts"),
        sa.UniqueConstraint("owner", "problem", name="uq_drafts_owner_problem"),
    )
    op.create_index("ix_drafts_saved_ms", "drafts", ["saved_ms"])


def _progress() -> None:
    op.create_table(
        "solved",
        sa.Column("number", Number, nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("solved_ms", sa.BigInteger(), nullable=False),
        sa.Column("package_version", sa.Text(), nullable=False),
        sa.Column("time_ms", sa.Float(), nullable=False),
        sa.Column("memory_kib", sa.BigInteger(), nullable=False),
        sa.Column("bonus", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_solved"),
        sa.UniqueConstraint("owner", "problem", name="uq_solved_owner_problem"),
    )
    op.create_index("ix_solved_problem", "solved", ["problem", "package_version"])
    op.create_table(
        "profiles",
        sa.Column("user", Number, nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("ranked", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("user", name="pk_profiles"),
        sa.ForeignKeyConstraint(
            ["user"], ["users.number"], name="fk_profiles_user", ondelete="CASCADE"
        ),
    )


def _presence() -> None:
    op.create_table(
        "presence",
        sa.Column("number", Number, nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("visitor", sa.Text(), nullable=False),
        sa.Column("seen_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_presence"),
        sa.UniqueConstraint("problem", "visitor", name="uq_presence_problem_visitor"),
    )
    op.create_index("ix_presence_seen_ms", "presence", ["seen_ms"])


def _accounts() -> None:
    with op.batch_alter_table("users") as table:
        table.add_column(sa.Column("recovery_hash", sa.Text()))
    op.create_table(
        "identities",
        sa.Column("number", Number, nullable=False),
        sa.Column("user", Number, nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_identities"),
        sa.ForeignKeyConstraint(
            ["user"], ["users.number"], name="fk_identities_user", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("issuer", "subject", name="uq_identities_issuer_subject"),
    )
    op.create_index("ix_identities_user", "identities", ["user"])
    _name_keys()


def _name_keys() -> None:
    """Names that look alike are one by a stricter rule now; where two exist, both stay."""
    users = sa.table("users", sa.column("number"), sa.column("name"), sa.column("name_key"))
    connection = op.get_bind()
    rows = connection.execute(sa.select(users)).all()
    keys = {row.name_key for row in rows}
    for row in rows:
        if (key := name_key(row.name)) not in keys:
            keys.add(key)
            of_row = sa.update(users).where(users.c.number == row.number)
            connection.execute(of_row.values(name_key=key))


def _offers() -> None:
    with op.batch_alter_table("submissions") as table:
        table.add_column(sa.Column("package_hash", sa.Text()))
        table.add_column(sa.Column("tests_version", sa.Text()))
    op.create_table(
        "offers",
        sa.Column("family", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("offered_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("family", name="pk_offers"),
        sa.ForeignKeyConstraint(["hash"], ["packages.hash"], name="fk_offers_hash"),
    )


def _jobs() -> None:
    """The tables of the queue's engine, in a schema of their own; SQLite's jobs are in memory."""
    bind = op.get_bind()
    if bind.dialect.name != "postgresql":
        return
    from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment
    from pgqueuer.domain.settings import DBSettings, Durability

    settings = DBSettings(db_schema="pgqueuer", durability=Durability.balanced)
    script = QueryBuilderEnvironment(settings).build_install_query()
    # A script of many statements; SQLAlchemy would prepare it as one.
    connection: Any = bind.connection.dbapi_connection
    connection.run_async(lambda driver: driver.execute(script))


def _results() -> None:
    op.create_table(
        "results",
        sa.Column("judgement", Number, nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("package_version", sa.Text(), nullable=False),
        sa.Column("sent_ms", sa.BigInteger(), nullable=False),
        sa.Column("shown", sa.Boolean(create_constraint=False), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("verdicts", sa.Text(), nullable=False),
        sa.Column("times", sa.Text(), nullable=False),
        sa.Column("memories", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("judgement", name="pk_results"),
        sa.ForeignKeyConstraint(
            ["judgement"],
            ["judgements.number"],
            name="fk_results_judgement",
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "ix_results_problem",
        "results",
        ["problem", "package_version", "verdict", "sent_ms"],
        sqlite_where=sa.text("shown = 1"),
        postgresql_where=sa.text("shown"),
    )
    # Of older judgements only the verdict is counted, not what became of each test.
    op.execute(
        "INSERT INTO results SELECT j.number, s.problem, j.package_version, s.created_ms, "
        "NOT s.trial AND j.judging_number = s.current_judging_number, j.verdict, '', '', '', '' "
        "FROM judgements AS j JOIN submissions AS s ON s.number = j.submission"
    )
    op.create_table(
        "test_lists",
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("package_version", sa.Text(), nullable=False),
        sa.Column("tests_json", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("problem", "package_version", name="pk_test_lists"),
    )


def _rejudges() -> None:
    op.drop_index("ix_submissions_unjudged", "submissions")
    unjudged = sa.text("judged_number < judging_number")
    op.create_index(
        "ix_submissions_unjudged",
        "submissions",
        ["rejudge", "number"],
        sqlite_where=unjudged,
        postgresql_where=unjudged,
    )
    op.create_table(
        "rejudges",
        sa.Column("number", Number, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("selection_json", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("ended_ms", sa.BigInteger()),
        sa.Column("released_to", Number),
        sa.PrimaryKeyConstraint("number", name="pk_rejudges"),
    )
    op.create_table(
        "rejudged",
        sa.Column("rejudge", Number, nullable=False),
        sa.Column("submission", Number, nullable=False),
        sa.Column("before_number", sa.Integer(), nullable=False),
        sa.Column("judging_number", sa.Integer(), nullable=False),
        sa.Column("old_verdict", sa.Text(), nullable=False),
        sa.Column("old_score", sa.Float(), nullable=False),
        sa.Column("new_verdict", sa.Text()),
        sa.Column("new_score", sa.Float()),
        sa.PrimaryKeyConstraint("rejudge", "submission", name="pk_rejudged"),
        sa.ForeignKeyConstraint(
            ["rejudge"], ["rejudges.number"], name="fk_rejudged_rejudge", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["submission"],
            ["submissions.number"],
            name="fk_rejudged_submission",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_rejudged_submission", "rejudged", ["submission"])


def _operation() -> None:
    op.create_index("ix_audit_at_ms", "audit", ["at_ms"])
    op.create_table(
        "workers",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("tier", sa.Text(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.Column("since_ms", sa.BigInteger(), nullable=False),
        sa.Column("seen_ms", sa.BigInteger(), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("busy", sa.Integer(), nullable=False),
        sa.Column("unfit", sa.Text(), nullable=False),
        sa.Column("kept_out_json", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_workers"),
    )
    op.create_table(
        "switches",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_switches"),
    )


def _test_versions() -> None:
    """Numbered in each family, and with what made them; dry runs that wait to be applied."""
    with op.batch_alter_table("test_versions") as table:
        table.add_column(sa.Column("sequence", sa.Integer(), nullable=False, server_default="0"))
        table.add_column(sa.Column("change", sa.Text(), nullable=False, server_default=""))
    op.execute(
        "UPDATE test_versions SET sequence = (SELECT COUNT(*) FROM test_versions AS older"
        " WHERE older.family = test_versions.family AND older.number <= test_versions.number)"
    )
    with op.batch_alter_table("test_versions") as table:
        table.alter_column("sequence", server_default=None)
        table.alter_column("change", server_default=None)
        table.create_unique_constraint("uq_test_versions_family_sequence", ["family", "sequence"])
    op.create_table(
        "examined_tests",
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("family", sa.Text(), nullable=False),
        sa.Column("base", sa.Text(), nullable=False),
        sa.Column("tests_json", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("token", name="pk_examined_tests"),
    )
    op.create_index("ix_examined_tests_created_ms", "examined_tests", ["created_ms"])


def _packages() -> None:
    op.create_table(
        "packages",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("archive", sa.LargeBinary(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_packages"),
    )
    op.create_table(
        "package_uploads",
        sa.Column("number", Number, nullable=False),
        sa.Column("family", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("progress", sa.Text(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("touched_ms", sa.BigInteger(), nullable=False),
        sa.Column("report_json", sa.Text()),
        sa.PrimaryKeyConstraint("number", name="pk_package_uploads"),
        sa.ForeignKeyConstraint(["hash"], ["packages.hash"], name="fk_package_uploads_hash"),
        sa.UniqueConstraint("family", "hash", name="uq_package_uploads_family_hash"),
    )
    op.create_table(
        "publications",
        sa.Column("number", Number, nullable=False),
        sa.Column("family", sa.Text(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("hash", sa.Text()),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_publications"),
        sa.ForeignKeyConstraint(["hash"], ["packages.hash"], name="fk_publications_hash"),
        sa.UniqueConstraint("family", "sequence", name="uq_publications_family_sequence"),
    )

"""Submissions, judgements, uploaded tests, people."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

Number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _submissions()
    _judgements()
    _test_versions()
    _people()


def _submissions() -> None:
    op.create_table(
        "submissions",
        sa.Column("number", Number, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("trial", sa.Boolean(create_constraint=False), nullable=False),
        sa.Column("arguments_json", sa.Text()),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("judging_number", sa.Integer(), nullable=False),
        sa.Column("judged_number", sa.Integer(), nullable=False),
        sa.Column("current_judging_number", sa.Integer()),
        sa.PrimaryKeyConstraint("number", name="pk_submissions"),
        sa.UniqueConstraint("id", name="uq_submissions_id"),
    )
    op.create_index("ix_submissions_account", "submissions", ["account", "number"])
    op.create_index("ix_submissions_problem", "submissions", ["problem", "number"])
    unjudged = sa.text("judged_number < judging_number")
    op.create_index(
        "ix_submissions_unjudged",
        "submissions",
        ["number"],
        sqlite_where=unjudged,
        postgresql_where=unjudged,
    )
    op.create_index(
        "ix_submissions_trials",
        "submissions",
        ["created_ms"],
        sqlite_where=sa.text("trial"),
        postgresql_where=sa.text("trial"),
    )


def _judgements() -> None:
    op.create_table(
        "judgements",
        sa.Column("number", Number, nullable=False),
        sa.Column("submission", Number, nullable=False),
        sa.Column("judging_number", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("package_version", sa.Text(), nullable=False),
        sa.Column("body_json", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_judgements"),
        sa.ForeignKeyConstraint(
            ["submission"],
            ["submissions.number"],
            name="fk_judgements_submission",
            ondelete="CASCADE",
        ),
        sa.UniqueConstraint(
            "submission", "judging_number", name="uq_judgements_submission_judging_number"
        ),
    )
    op.create_index(
        "ix_judgements_errors",
        "judgements",
        ["created_ms"],
        sqlite_where=sa.text("verdict = 'JE'"),
        postgresql_where=sa.text("verdict = 'JE'"),
    )


def _test_versions() -> None:
    op.create_table(
        "test_versions",
        sa.Column("number", Number, nullable=False),
        sa.Column("family", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("tests_json", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_test_versions"),
    )
    op.create_index("ix_test_versions_family", "test_versions", ["family", "number"])


def _people() -> None:
    op.create_table(
        "users",
        sa.Column("number", Number, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text()),
        sa.Column("disabled", sa.Boolean(create_constraint=False), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_users"),
        sa.UniqueConstraint("name_key", name="uq_users_name_key"),
    )
    op.create_table(
        "tokens",
        sa.Column("number", Number, nullable=False),
        sa.Column("user", Number, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("used_ms", sa.BigInteger()),
        sa.Column("revoked_ms", sa.BigInteger()),
        sa.PrimaryKeyConstraint("number", name="pk_tokens"),
        sa.ForeignKeyConstraint(
            ["user"], ["users.number"], name="fk_tokens_user", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("token_hash", name="uq_tokens_token_hash"),
    )
    op.create_index("ix_tokens_user", "tokens", ["user"])
    op.create_table(
        "audit",
        sa.Column("number", Number, nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("details_json", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_audit"),
    )

"""Whose a submission is, and sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

Number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _owners()
    _sessions()


def _owners() -> None:
    with op.batch_alter_table("submissions") as table:
        table.add_column(sa.Column("owner", sa.Text()))
        table.add_column(sa.Column("request", sa.Text()))
    op.create_index("ix_submissions_owner", "submissions", ["owner", "problem", "number"])


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

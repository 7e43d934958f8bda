"""What one person has done so far: by problem and family, on which days, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from app.model import Variant
from app.store import Solved, Store, Tried
from app.web.words import differences

YEAR_DAYS = 53 * 7  # whole weeks, so that a calendar has whole columns
_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class ProblemRecord:
    """A problem and what somebody did about it; `solved` is for ever, on the version it names."""

    variant: Variant
    tried: Tried | None
    solved: Solved | None

    @property
    def outdated(self) -> bool:
        """Solved, and its tests have changed since."""
        return self.solved is not None and self.solved.package_version != self.variant.version


@dataclass(frozen=True, slots=True)
class Record:
    """All of it.

    days    submissions on each day of the last year that had one, in UTC
    streak  days in a row with a submission, up to today or yesterday
    next    the nearest problem that is not solved; None: all are
    """

    problems: tuple[ProblemRecord, ...]
    days: Mapping[date, int]
    today: date
    streak: int
    next: Variant | None

    @property
    def solved(self) -> int:
        return sum(each.solved is not None for each in self.problems)

    @property
    def families(self) -> tuple[tuple[str, tuple[ProblemRecord, ...]], ...]:
        """Problems by family, in the order in which they are listed."""
        found: dict[str, list[ProblemRecord]] = {}
        for each in self.problems:
            found.setdefault(each.variant.family, []).append(each)
        return tuple((family, tuple(members)) for family, members in found.items())


async def record_of(
    store: Store, variants: Sequence[Variant], owner: str, today: date | None = None
) -> Record:
    """What `owner` has done, of the problems that are served now."""
    tried, solved = await store.tried(owner), await store.solved(owner)
    active = await store.active_days(owner, YEAR_DAYS)
    days = {_EPOCH + timedelta(days=day): count for day, count in active.items()}
    today = today or datetime.now(UTC).date()
    return Record(
        problems=tuple(
            ProblemRecord(variant, tried.get(variant.id), solved.get(variant.id))
            for variant in variants
        ),
        days=days,
        today=today,
        streak=streak(days, today),
        next=nearest(variants, set(solved), _last(tried)),
    )


def streak(days: Mapping[date, int], today: date) -> int:
    """Days in a row, up to today; today may still come."""
    day = today if today in days else today - timedelta(days=1)
    count = 0
    while day in days:
        count += 1
        day -= timedelta(days=1)
    return count


def nearest(
    variants: Sequence[Variant], solved: frozenset[str] | set[str], last: str | None
) -> Variant | None:
    """What to do next, from the problem that was worked on last.

    That problem itself, until it is solved; then the variant of its family that differs least; then
    the problem that its page leads to; then the first of the list that is open.
    """
    open_ones = {variant.id: variant for variant in variants if variant.id not in solved}
    here = next((variant for variant in variants if variant.id == last), None)
    if here is None:
        return next(iter(open_ones.values()), None)
    if here.id in open_ones:
        return here
    siblings = [variant for variant in open_ones.values() if variant.family == here.family]
    if siblings:
        return min(siblings, key=lambda sibling: len(differences(here, sibling)))
    return open_ones.get(here.page.next) or next(iter(open_ones.values()), None)


def _last(tried: Mapping[str, Tried]) -> str | None:
    return max(tried, key=lambda problem: tried[problem].last_ms, default=None)

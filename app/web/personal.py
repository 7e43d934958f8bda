"""What a problem's page shows to this one person: their draft, their mark, who else is there."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from app.model import Variant
from app.store import Draft
from app.web.identity import Person
from app.web.parts import Parts
from app.web.submitting import must_sign_in


@dataclass(frozen=True, slots=True)
class Personal:
    """`solved_ms`: when it was solved first, or None; `outdated`: the tests have changed since."""

    draft: Draft | None
    solved_ms: int | None
    outdated: bool
    solved_version: str
    people: int
    must_sign_in: bool
    facts: dict[str, Any]

    @property
    def source(self) -> str | None:
        return None if self.draft is None else self.draft.source


async def personal(parts: Parts, person: Person, variant: Variant) -> Personal:
    """Asked of the store at each visit; the rest of the page is the same for everybody."""
    draft = await parts.store.draft(person.owner, variant.id)
    solved = (await parts.store.solved(person.owner)).get(variant.id)
    return Personal(
        draft=draft,
        solved_ms=solved.solved_ms if solved else None,
        outdated=solved is not None and solved.package_version != variant.version,
        solved_version=solved.package_version if solved else "",
        must_sign_in=must_sign_in(parts, person, variant),
        people=max(1, await parts.store.present(variant.id)),
        facts={
            "who": browser_key(person),
            "solved": solved is not None,
            "mustSignIn": must_sign_in(parts, person, variant),
            "draft": draft
            and {"source": draft.source, "revision": draft.revision, "savedAt": draft.saved_ms},
        },
    )


def browser_key(person: Person) -> str:
    """Keeps apart what a browser keeps of several people; empty for guests."""
    if person.name is None:
        return ""
    return hashlib.sha256(person.owner.encode()).hexdigest()[:12]

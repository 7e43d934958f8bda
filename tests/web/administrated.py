"""A site inside the test's process, with an admin."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.web.secret import new_token
from tests.web.inside import Inside, Visitor, inside

API = "/api/v1/admin"


@dataclass
class Administrated:
    """`admin` reads pages, and sends a token with everything."""

    site: Inside
    admin: Visitor


@contextmanager
def administrated(data: Path, **changed: Any) -> Iterator[Administrated]:
    """Ada is the admin; Bob is a learner."""
    with inside(data, **changed) as site:
        token = new_token()
        for name, role in (("Ada", "admin"), ("Bob", "learner")):
            site.ask(site.store.add_user(name, role))
        site.ask(site.store.add_token("Ada", "laptop", token, {"admin"}))
        yield Administrated(site, site.visitor({"Accept": "text/html"}, token=token))

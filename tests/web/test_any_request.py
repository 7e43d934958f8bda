"""Requests made up from the OpenAPI document, right ones and wrong ones: whatever is sent, the answer
is one that the document knows.

    EXAMPLES=1000 pytest -m slow tests/web/test_any_request.py      for longer
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest import SkipTest

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.errors import SerializationNotPossible
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from app.store import open_store
from app.web.secret import new_token
from tests.web.started import BASE, Site, started

EXAMPLES = int(os.environ.get("EXAMPLES", "6"))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
TOKENS = {role: new_token() for role in ("learner", "admin")}

pytestmark = pytest.mark.slow


async def _people(database: Path) -> None:
    store = open_store(database)
    for role, token in TOKENS.items():
        await store.add_user(role, role)
        await store.add_token(role, "first", token, {"submit", "admin"})
    await store.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    data = tmp_path_factory.mktemp("data")
    asyncio.run(_people(data / "allclose.sqlite3"))
    with started(data, BASE, "share=1000000", "queue=1000000") as site:
        yield site


@pytest.fixture(scope="module")
def document(served: Site) -> schemathesis.BaseSchema:
    return schemathesis.openapi.from_url(f"{served.url}/api/v1/openapi.json")


@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize("who", ["nobody", *TOKENS])
def test_every_answer_is_one_that_the_document_knows(
    document: schemathesis.BaseSchema, who: str, mode: GenerationMode
) -> None:
    """No fault of ours, no status or shape that nobody was told of; with and without a token."""
    headers = {"Authorization": f"Bearer {TOKENS[who]}"} if who in TOKENS else {}
    for found in document.get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            derandomize=EXAMPLES < 100,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def answered(case: Any) -> None:
            case.call_and_validate(headers=headers, checks=CHECKS, timeout=30)

        # Some operations have nothing that can be wrong; archives have tests of their own.
        with suppress(Unsatisfiable, SkipTest, SerializationNotPossible):
            answered()


def test_nothing_of_it_was_an_error_in_the_log(served: Site) -> None:
    """And no token was written into it."""
    log = served.log.read_text()
    assert '"level": "error"' not in log
    for token in TOKENS.values():
        assert token not in log

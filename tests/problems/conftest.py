"""The packages that the judge is shipped with."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.problem import Catalogue, load_catalogue
from tests.problem.plain_runner import PlainRunner

PROBLEMS = Path(__file__).resolve().parents[2] / "problems"


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    return load_catalogue(PROBLEMS, tmp_path_factory.mktemp("cache"), PlainRunner())

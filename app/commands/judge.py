"""`allclose judge`: one file, one table, one verdict."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from app import assembly
from app.commands.table import judgement_table
from app.config import Settings
from app.errors import Invalid
from app.judge import finished
from app.judge import judge as judging
from app.model import Verdict
from app.web.schemas import JudgementOut, legal_source


def judge(
    settings: Settings, problem: str, file: Path, *, as_json: bool, samples: bool, every: bool
) -> Verdict:
    """Judge the program in `file` and print its judgement; the verdict comes back."""
    source = _source(file)
    with assembly.judging(settings) as parts:
        variant = parts.catalogue.get(problem)
        tests = tuple(test for test in variant.tests if test.sample) if samples else None
        judgement = finished(judging(source, variant, parts.keeper, tests))
    if as_json:
        out = JudgementOut(**JudgementOut.fields_of(judgement)).model_dump(mode="json")
        Console(soft_wrap=True).print_json(data={"problem": problem, **out})
    else:
        judgement_table(Console(highlight=False), variant, judgement, every=every)
    return judgement.verdict


def _source(file: Path) -> str:
    """The program, decoded as an editor would; line numbers stay the editor's."""
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise Invalid(f"cannot read {file}: {error.strerror}") from error
    try:
        return legal_source(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Invalid(f"{file}:{line}: not UTF-8; save the file as UTF-8") from error
    except ValueError as error:
        raise Invalid(f"{file} {error}") from error

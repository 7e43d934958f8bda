"""A submission and a judgement, as small as they can be."""

from __future__ import annotations

from app.model import Judgement, Run, Submission


def submission(name: str = "one", *, trial: bool = False, judging_number: int = 1) -> Submission:
    arguments = {"x": [1.5, {"float": "NaN"}]} if trial else None
    return Submission(name, "family/variant", "def f(): pass\n", judging_number, trial, arguments)


def judgement(verdict: str = "AC") -> Judgement:
    run = Run(0, ("a label",), False, "AC", 1.25, 1024)
    return Judgement(verdict, 100.0, 100, 0, (run,), "version")  # type: ignore[arg-type]

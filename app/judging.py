"""One judging, in a thread beside the event loop: whatever goes wrong, a judgement comes of it.

Faults of the sandbox and bugs of ours become judging errors (JE), never the learner's verdict.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import structlog

from app.canary import samples
from app.errors import AllcloseError, RequestError, SandboxError
from app.judge import finished, judge
from app.metrics import Metrics
from app.model import Judgement, Run, Runner, Submission, TestCase, Variant
from app.problem import answer, arguments

_log = structlog.get_logger()


class Stopped(Exception):
    """The service stops; the judging is left for whoever comes next."""


class Judging:
    """Drives the judge to its end, test by test. Safe to use from several threads."""

    def __init__(self, runner: Runner, metrics: Metrics) -> None:
        self._runner = runner
        self._metrics = metrics
        self._stopping = threading.Event()

    def stop(self) -> None:
        """What is being judged ends with the test that it is at, and raises Stopped."""
        self._stopping.set()

    def judged(
        self, submission: Submission, variant: Variant, tell: Callable[[Run], None]
    ) -> Judgement:
        """The judgement; each run is told as it ends. Raises RequestError, Stopped."""
        return self._caught(
            submission.source, variant, lambda: self._tests(submission, variant), tell
        )

    def tried(self, source: str, variant: Variant, tests: Sequence[TestCase] | None) -> Judgement:
        """For canaries: these tests, or all; nobody is told."""
        return self._caught(source, variant, lambda: tests, lambda run: None)

    def _caught(
        self,
        source: str,
        variant: Variant,
        tests: Callable[[], Sequence[TestCase] | None],
        tell: Callable[[Run], None],
    ) -> Judgement:
        def tell_or_stop(run: Run) -> None:
            tell(run)
            if self._stopping.is_set():
                raise Stopped

        try:
            judgement = finished(judge(source, variant, self._runner, tests()), tell_or_stop)
        except (RequestError, Stopped):
            raise
        except AllcloseError as error:
            self._metrics.failed("sandbox" if isinstance(error, SandboxError) else "package")
            return judging_error(str(error), variant.version)
        except Exception:
            # The one broad net of this process: a bug of ours must become neither the learner's
            # verdict, nor a job that is tried for ever, nor the end of the service.
            _log.exception("judging failed", problem=variant.id)
            self._metrics.failed("bug")
            return judging_error("the judge failed", variant.version)
        if judgement.verdict == "JE":
            self._metrics.failed("sandbox")
        return judgement

    def _tests(self, submission: Submission, variant: Variant) -> tuple[TestCase, ...] | None:
        if not submission.trial:
            return None
        if submission.arguments is None:
            return samples(variant)
        values = arguments.parse(variant, submission.arguments)
        return (answer.custom_case(variant, values, self._runner),)


def judging_error(message: str, version: str) -> Judgement:
    """A judgement without runs: the fault is ours."""
    return Judgement("JE", 0.0, 0, 0, (), version, message)

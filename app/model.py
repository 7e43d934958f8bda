"""The nouns, frozen. A submission passes through them from top to bottom and never back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol, TypeAlias

from app.contract import Argument, Contract, Tolerance
from app.runtime_kinds import RuntimeName

# A value that crossed the border: None, bool, int, float, complex, str, list, tuple, dict (str or
# int keys), numpy.ndarray, numpy.generic, or Unsupported. `type(x)` is exact; there are no subclasses.
Value: TypeAlias = object

Verdict: TypeAlias = Literal["AC", "WA", "RTE", "CE", "TLE", "MLE", "OLE", "JE"]


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Something returned that is none of the supported kinds; only the name of its type crossed."""

    type_name: str


# --- A problem ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limits:
    """What one test may use. Wall clock and CPU are apart; memory is above the runtime's own."""

    time_s: float = 2.0
    wall_s: float = 4.0
    memory_mib: int = 256
    printed_kib: int = 64
    returned_mib: int = 64


@dataclass(frozen=True, slots=True)
class Contents:
    """A test's arguments in the variant's form (positional order) and its unrounded answer."""

    arguments: tuple[Value, ...]
    answer: Value


@dataclass(frozen=True, slots=True)
class TestCase:
    """One test of one variant. `contents` may read a memory-mapped file: call it, use it, drop it."""

    __test__: ClassVar[bool] = False

    name: str
    labels: tuple[str, ...]
    sample: bool
    contents: Callable[[], Contents]
    title: str = ""
    explanation: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Take:
    """How a family's input or output becomes a variant's: as it is, one flat list, or vectors."""

    name: str
    how: Literal["whole", "flat", "vectors"] = "whole"


# The shape of an answer in terms of the core's outputs: {"global_norm": Take("norm")}.
Template: TypeAlias = "Take | Mapping[str, Template] | tuple[Template, ...]"


@dataclass(frozen=True, slots=True)
class Core:
    """The reference: its source, the parameters this variant fixes, and the way in and out.

    `core(**inputs, **parameters)` returns a dict of named outputs, unrounded, float64.
    """

    source: str
    inputs: tuple[tuple[str, Take], ...]  # (argument of the entry point, input of the core)
    parameters: tuple[tuple[str, Value], ...]
    answer: Template


@dataclass(frozen=True, slots=True)
class Mistake:
    """A named wrong program with the core's signature, for `diagnose` and `verify`."""

    name: str
    title: str
    explanation: str
    source: str


def no_prediction(mistake: Mistake, test: TestCase) -> Fact | None:
    """For a variant whose mistakes have not been run."""
    return None


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points on top of AC for a program that also passes in another runtime."""

    runtime: RuntimeName
    points: int
    title: str


@dataclass(frozen=True, slots=True)
class Hint:
    title: str
    markdown: str


@dataclass(frozen=True, slots=True)
class Page:
    """What a variant's page shows; nothing here decides a verdict. Texts are Markdown."""

    difficulty: Literal["easy", "medium", "hard"]
    minutes: int
    statement: str
    starter: str
    number: int | None = None
    track: str = ""
    tags: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()
    seniority: tuple[str, ...] = ()
    hints: tuple[Hint, ...] = ()
    worked_solution: str = ""
    lesson: str = ""
    figure: str = ""  # ES module of the package that draws the figure, if any
    next: str = ""  # problem id of the next one
    asks: tuple[tuple[str, str], ...] = ()  # parameter of the core -> what its value asks, in words
    version: str = ""  # hash of what is shown


@dataclass(frozen=True, slots=True)
class Variant:
    """One way of asking for a family's idea: all that judging needs, and its page."""

    id: str  # "family/name"
    title: str
    entry_point: str
    arguments: tuple[Argument, ...]
    returns: Contract
    tolerance: Tolerance
    tests: tuple[TestCase, ...]  # samples first, then secret tests, in file order
    core: Core
    version: str  # hash of what decides verdicts
    page: Page
    limits: Limits = Limits()
    preserve_inputs: bool = False
    points: int = 100
    bonus: Bonus | None = None
    mistakes: tuple[Mistake, ...] = ()
    # What a mistake does on a test: a `Returned` in the variant's form (unrounded, like an answer),
    # or how it failed; None where that is not known. Called only after a test has failed.
    predict: Callable[[Mistake, TestCase], Fact | None] = no_prediction
    sign_in: Literal["optional", "required"] = "optional"
    reveal: Literal["never", "first_failure"] = "never"

    @property
    def family(self) -> str:
        return self.id.partition("/")[0]

    @property
    def name(self) -> str:
        return self.id.partition("/")[2]


# --- A submission on its way --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Submission:
    """What a learner sent. `trial` is a run on samples or custom input, purged after an hour.

    `rejudge`: judged once more for an admin, who decides whether anybody gets to see it.
    """

    id: str
    problem: str
    source: str
    judging_number: int = 1
    trial: bool = False
    arguments: Mapping[str, object] | None = None  # custom input, as JSON
    request: str = ""  # the id of the request that brought it, by which log lines are found
    created_ms: int | None = field(default=None, compare=False)  # when it was kept
    rejudge: bool = False
    package: str = ""  # hash of the package that it was accepted under; empty: whatever is served
    tests: str = ""  # version of the uploaded tests that it was accepted under


# --- Facts from the sandbox ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Call:
    """What crosses to one box: never an answer, a tolerance or a test's name."""

    source: str
    entry_point: str
    arguments: tuple[Value, ...]
    seed: int = 0
    runtime: RuntimeName = "numpy"
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True)
class Returned:
    value: Value
    inputs_unchanged: bool


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception, or the learner's code asked to exit (`SystemExit`)."""

    type_name: str
    message: str
    line: int | None  # the innermost frame of the learner's own code, in the editor's numbering


@dataclass(frozen=True, slots=True)
class NotCompiled:
    """A syntax error, no such entry point, or one that cannot take the arguments."""

    reason: Literal["syntax", "no_entry_point", "signature"]
    message: str
    line: int | None = None
    column: int | None = None
    defined: tuple[str, ...] = ()  # the functions that the source does define
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Exceeded:
    limit: Literal["cpu", "wall", "memory", "printed", "returned"]


@dataclass(frozen=True, slots=True)
class Crashed:
    """The process ended without a result: by a signal, by exiting, or with a frame that is not one."""

    signal: int | None = None
    exit_code: int | None = None
    malformed: bool = False


Fact: TypeAlias = Returned | Raised | NotCompiled | Exceeded | Crashed


@dataclass(frozen=True, slots=True)
class Printed:
    """Output on one stream: the part that was kept, and how many bytes were cut."""

    text: str
    cut_bytes: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """A fact, with what it cost as the kernel and the trusted clock saw it."""

    fact: Fact
    cpu_s: float
    wall_s: float
    memory_kib: int
    stdout: Printed = Printed("", 0)
    stderr: Printed = Printed("", 0)


class Runner(Protocol):
    """Runs calls, each in a fresh box, and tells each outcome as it ends, in any order.

    Blocking: never call it on an event loop. Safe to call from several threads.
    Raises SandboxError where the box, not the program, failed.
    """

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]: ...


# --- Verdicts -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where a value is off. `got` and `want` are written out for people."""

    path: str
    got: str
    want: str
    error: float | None = None
    allowed: float | None = None


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first rule of grading that an answer broke.

    summary       safe to show for a secret test: names the kind, never a number or an index
    message       one full line
    named         a name that the learner's program made (a type, a key), left out of the summary
    differences   the first five places (values only); `count` is the number of all, `largest` the worst
    """

    kind: Literal["form", "structure", "type", "non_finite", "value", "rounding", "inputs"]
    path: str
    summary: str
    message: str
    named: str = ""
    differences: tuple[Difference, ...] = ()
    count: int = 0
    largest: Difference | None = None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One explanation of why the numbers are off."""

    name: str
    title: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the learner sees of one run, already cut for secret tests."""

    message: str = ""
    mismatch: Mismatch | None = None
    exception_type: str = ""
    exception_message: str = ""
    line: int | None = None
    column: int | None = None
    arguments: tuple[tuple[str, str], ...] = ()  # (name, written out)
    returned: str = ""
    answer: str = ""
    stdout: Printed | None = None
    stderr: Printed | None = None
    remark: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """The verdict on one test. Time and memory are already coarse for secret tests.

    `index` counts from 0, in file order; people are told index + 1.
    """

    index: int
    labels: tuple[str, ...]
    sample: bool
    verdict: Verdict
    time_ms: float
    memory_kib: int
    feedback: Feedback = Feedback()
    test: str = ""  # its name, for statistics; a learner reads the labels


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a submission: that of the first test that failed, in file order."""

    verdict: Verdict
    score: float  # points earned, without the bonus
    points: int  # points that could be earned; 0 for a trial
    bonus: int
    runs: tuple[Run, ...]
    package_version: str
    message: str = ""
    diagnosis: Diagnosis | None = None


@dataclass(frozen=True, slots=True)
class JudgingEvent:
    """Judging begins, or begins again: runs that were told before do not count any more."""


@dataclass(frozen=True, slots=True)
class RunEvent:
    """Pushed to whoever watches a submission; details come by GET."""

    index: int
    verdict: Verdict
    time_ms: float


@dataclass(frozen=True, slots=True)
class JudgedEvent:
    verdict: Verdict
    score: float


Event: TypeAlias = JudgingEvent | RunEvent | JudgedEvent

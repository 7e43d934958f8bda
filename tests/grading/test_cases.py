"""What learners have done to other judges, done to this one: whole kinds, in real boxes."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from app.judge import finished, judge
from app.model import Judgement
from app.problem.metadata import LimitsIn
from tests.grading.judging import Judging

TUPLE, DICT7, DICT6 = (f"gradient_clipping/{name}" for name in ("tuple", "dict7", "dict6"))
ARRAYS, EPS = (f"gradient_clipping/{name}" for name in ("arrays", "eps"))

RIGHT = """
import math
import numpy as np
def clip_by_global_norm(grads, max_norm):
    arrays = [np.asarray(g, dtype=float) for g in grads]
    n = math.sqrt(math.fsum(float(x) * float(x) for a in arrays for x in a.ravel()))
    s = max_norm / n if n > max_norm else 1.0
    clipped = [a * s for a in arrays]
    return clipped, n
"""


def returning(expression: str, before: str = "") -> str:
    """The right program, but for what it returns."""
    return before + RIGHT.replace("return clipped, n", f"return {expression}")


def failed(judgement: Judgement) -> str:
    return next(run.feedback.message for run in judgement.runs if run.verdict != "AC")


WRONG_VALUES: dict[str, tuple[str, str]] = {
    "all zeros": ("[a * 0 for a in arrays], n", "instead of"),
    "all nan": ("[a * np.nan for a in arrays], n", "NaN at [0][0][0]"),
    "nan made by a square root": ("clipped, np.sqrt(np.float64(-1.0))", "NaN at [1], expected"),
    "minus nan": ("clipped, -float('nan')", "NaN at [1], expected"),
    "infinity": ("clipped, float('inf')", "∞ at [1], expected"),
    "no arrays": ("[], n", "2 arrays expected, 0 returned"),
    "an empty array": ("[np.array([])] * len(clipped), n", "2 numbers expected, 0 returned"),
    "nothing for an array": ("[None] * len(clipped), n", "None was returned, a NumPy array is"),
    "nothing at all": ("None", "None was returned, a tuple is asked for"),
    "a number that would broadcast": ("[a[:1] for a in clipped], n", "expected, 1 returned"),
    "one axis more": ("[a[None] for a in clipped], n", "shape (1, 2) was returned"),
    "True for a number": ("clipped, True", "a bool was returned, a number is asked for"),
    "text": ("clipped, str(n)", "a string was returned, a number is asked for"),
    "complex": ("clipped, complex(n)", "a complex number was returned"),
    "an integer without end": ("clipped, 10 ** 4000", "beyond the range of float64"),
    "a generator": ("(a for a in clipped), n", "a value of type generator was returned"),
    "a set": ("clipped, {n}", "a value of type set was returned"),
    "an object array": ("[a.astype(object) for a in clipped], n", "ndarray of object"),
    "a list for a tuple": ("[clipped, n]", "a list was returned, a tuple is asked for"),
    "lists for arrays": ("[a.tolist() for a in clipped], n", "a list was returned, a NumPy array"),
    "swapped": ("n, clipped", "a list is asked for"),
}


@pytest.mark.parametrize("name", WRONG_VALUES)
def test_a_wrong_value_or_form_is_wa_with_its_reason_on_a_sample(name: str, bench: Judging) -> None:
    """Never a crash, never a pass, and the reason fits on one line."""
    expression, reason = WRONG_VALUES[name]
    variant = bench.catalogue.get(TUPLE)
    judgement = bench.verdict(TUPLE, returning(expression), variant.tests[:2])
    assert judgement.verdict == "WA"
    assert reason in failed(judgement)
    json.dumps(asdict(judgement), allow_nan=False)


LIARS = {
    "equals everything": "class Liar:\n    __eq__ = lambda self, other: True\n",
    "does everything": """
class Liar:
    __array__ = lambda self, *a, **k: __import__("numpy").array([1.0])
    __float__ = __abs__ = lambda self: 5.0
    __sub__ = __rsub__ = lambda self, other: 0.0
    __eq__ = __le__ = __lt__ = __bool__ = lambda self, *other: True
    __class__ = float
""",
    "a float of its own": "class Liar(float):\n    __eq__ = lambda self, other: True\n",
    "an int of its own": "class Liar(int):\n    __eq__ = lambda self, other: True\n",
    "a dict of its own": "class Liar(dict):\n    __eq__ = lambda self, other: True\n",
    "a list of its own": "class Liar(list):\n    __eq__ = lambda self, other: True\n",
}


@pytest.mark.parametrize("name", LIARS)
def test_an_object_that_claims_to_be_the_answer_is_an_unsupported_type(
    name: str, bench: Judging
) -> None:
    """Types are looked at exactly; nothing of the learner's own is ever asked."""
    for expression in ("Liar()", "clipped, Liar()", "[Liar()] * len(clipped), n"):
        judgement = bench.verdict(TUPLE, returning(expression, LIARS[name]), bench.small(TUPLE))
        assert judgement.verdict == "WA"
        assert judgement.score == 0
        assert "a value of type Liar was returned" in failed(judgement)


@pytest.mark.parametrize(
    "norm",
    [
        "n",
        "np.float64(n)",
        "np.array(n)",
        "np.sum(np.array([n]))",
        "np.longdouble(n)",
        "int(n) if n == int(n) else n",
        "np.float64(n)[()]",
    ],
)
def test_every_kind_of_number_is_graded_by_its_value(norm: str, bench: Judging) -> None:
    """5, 5.0, NumPy scalars and arrays of shape () are all the number 5."""
    judgement = bench.verdict(TUPLE, returning(f"clipped, {norm}"), bench.small(TUPLE))
    assert judgement.verdict == "AC", failed(judgement)


@pytest.mark.parametrize(
    "scaled",
    [
        "a * (max_norm / n)",
        "a * max_norm / n",
        "a / (n / max_norm)",
        "np.divide(a, n) * max_norm",
    ],
)
@pytest.mark.parametrize(
    "norm",
    [
        "math.sqrt(sum(float((a * a).sum()) for a in reversed(arrays)))",
        "np.hypot.reduce([np.hypot.reduce(a, axis=None) for a in arrays])",
        "np.linalg.norm([np.linalg.norm(a) for a in arrays])",
        "float(np.sqrt(sum(x * x for a in arrays for x in a.ravel().tolist())))",
    ],
)
def test_the_order_of_right_operations_does_not_matter(
    norm: str, scaled: str, bench: Judging
) -> None:
    """Every way to sum and to scale is accepted within 1e-9; every way to sum with 10^6 numbers too."""
    source = RIGHT.replace(
        "n = math.sqrt(math.fsum(float(x) * float(x) for a in arrays for x in a.ravel()))",
        f"n = {norm}",
    ).replace("[a * s for a in arrays]", f"[{scaled} if n > max_norm else a for a in arrays]")
    assert norm in source
    assert scaled in source
    tests = None if scaled == "a * (max_norm / n)" else bench.small(TUPLE)
    assert bench.verdict(TUPLE, source, tests).verdict == "AC"


@pytest.mark.parametrize(
    "rounding",
    [
        "round(x, 6)",
        "float(np.round(x, 6))",
        "float(f'{x:.6f}')",
        "math.floor(x * 10**6 + 0.5) / 10**6",
        "float('%.6f' % x)",
    ],
)
def test_every_way_to_round_is_accepted_at_ties(rounding: str, bench: Judging) -> None:
    """Half to even, half up, by formatting: the tests hold exact ties, and all pass."""
    source = f"""
import math
import numpy as np
def grad_clip_by_norm(grads, max_norm):
    n = math.sqrt(math.fsum(g * g for g in grads))
    s = max_norm / n if n > max_norm else 1.0
    r = lambda x: {rounding}
    return {{"clipped_grads": [r(g * s) for g in grads], "global_norm": r(n)}}
"""
    judgement = bench.verdict(DICT6, source)
    assert judgement.verdict == "AC", failed(judgement)


IN_PLACE = """
import numpy as np
def clip_gradients({0}, max_norm):
    n = float(np.sqrt(sum((g * g).sum() for g in {0})))
    if n > max_norm:
        for g in {0}:
            g *= max_norm / n
    return {1}
"""


def test_changed_inputs_fail_where_they_must_be_preserved(bench: Judging) -> None:
    """The answer is that of the untouched inputs; the message says what was done."""
    result = '{"clipped_gradients": gradients, "global_norm": round(n, 7)}'
    judgement = bench.verdict(DICT7, IN_PLACE.format("gradients", result))
    assert judgement.verdict == "WA"
    assert failed(judgement) == "your code changed its input"


def test_changed_inputs_are_a_remark_elsewhere_and_integers_cannot_be_scaled(
    bench: Judging,
) -> None:
    """Float arrays pass with a remark; on integers NumPy itself refuses, on the learner's line."""
    judgement = bench.verdict(ARRAYS, IN_PLACE.format("grads", "grads"))
    assert judgement.runs[0].verdict == "AC"
    assert judgement.runs[0].feedback.remark.startswith("your code changed its input")
    refused = [run for run in judgement.runs if run.verdict == "RTE"]
    assert {run.labels[0] for run in refused} == {"integer entries"}
    assert refused[0].feedback.message == "UFuncTypeError (line 7)"


LEAKS = {
    "an exception's text": "raise ValueError(repr(grads))",
    "an exception's type": "raise type('E' + repr(grads[0]), (Exception,), {})",
    "a printed line": "print(grads, max_norm); return None",
    "a key": "return {repr(grads): 1}",
    "a type": "return type('T' + repr(grads[0]), (), {})()",
    "the shape of an array": "return np.zeros((int(abs(float(np.ravel(grads[0])[0])) * 1000) % 97,) * 2)",
    "a value": "return grads, max_norm",
    "an exit": "raise SystemExit(repr(grads))",
    "a cause": "raise KeyError(repr(grads)) from ValueError(repr(max_norm))",
    "a note": "e = ValueError(); e.add_note(repr(grads)); raise e",
}


@pytest.mark.parametrize("name", LEAKS)
def test_no_field_of_a_secret_test_tells_its_input_or_its_answer(name: str, bench: Judging) -> None:
    """Whatever channel is tried: the secret runs are the same text for other secret inputs."""
    source = f"import numpy as np\ndef clip_by_global_norm(grads, max_norm):\n    {LEAKS[name]}\n"
    judgement = bench.verdict(TUPLE, source)
    secret = [run for run in judgement.runs if not run.sample]
    assert len(secret) == 11
    allowed = "0123456789" if name == "the shape of an array" else ""
    for run in secret:
        told = run.feedback
        assert (told.arguments, told.returned, told.answer) == ((), "", "")
        assert (told.stdout, told.stderr, told.exception_message) == (None, None, "")
        words = told.message.replace("(line 3)", "").replace("on line 3", "") + told.exception_type
        assert not set(words) & set("0123456789") - set(allowed) - set("64")
        assert "array(" not in words
        assert told.mismatch is None or not told.mismatch.differences


def test_the_samples_in_a_table_pass_the_samples_alone(bench: Judging) -> None:
    """Secret tests are there for exactly this program; so is the message of a run of samples."""
    source = """
import numpy as np
def clip_by_global_norm(grads, max_norm):
    if len(grads) == 2 and max_norm == 1:
        if np.ravel(grads[0])[0] == 3:
            return [np.array([0.6, 0.0]), np.array([[0.0, 0.8]])], 5.0
        if np.ravel(grads[0])[0] == 0.3:
            return [np.array([0.3, 0.4]), np.array([0.0])], 0.5
    return [], 0.0
"""
    variant = bench.catalogue.get(TUPLE)
    trial = bench.verdict(TUPLE, source, variant.tests[:2])
    assert trial.message == "All 2 samples passed. 11 hidden tests run when you submit."
    judgement = bench.verdict(TUPLE, source)
    assert [run.verdict for run in judgement.runs] == ["AC"] * 2 + ["WA"] * 11


@pytest.mark.parametrize("variant", [TUPLE, DICT7, DICT6, ARRAYS, EPS])
def test_the_untouched_starter_passes_nothing(variant: str, bench: Judging) -> None:
    """Nobody gets points for opening a page."""
    judgement = bench.verdict(variant, bench.catalogue.get(variant).page.starter)
    assert judgement.verdict not in ("AC", "JE")
    assert judgement.score == 0


@pytest.mark.parametrize(
    "trick", ["__import__('num' + 'py')", "__import__('importlib').import_module('numpy')"]
)
def test_numpy_under_another_name_earns_no_bonus(trick: str, bench: Judging) -> None:
    """It is not the text that is searched: the bonus run happens where NumPy does not exist."""
    source = f"""
def grad_clip_by_norm(grads, max_norm):
    lib = {trick}
    n = float(lib.sqrt(lib.sum(lib.square(grads))))
    s = max_norm / n if n > max_norm else 1.0
    return {{"clipped_grads": [round(g * s, 6) for g in grads], "global_norm": round(n, 6)}}
"""
    judgement = bench.verdict(DICT6, source)
    assert (judgement.verdict, judgement.bonus) == ("AC", 0)
    assert "No bonus: in plain Python, without NumPy, test 1 fails" in judgement.message
    plain = source.replace(f"lib = {trick}", "import math").replace(
        "float(lib.sqrt(lib.sum(lib.square(grads))))", "math.sqrt(math.fsum(g * g for g in grads))"
    )
    assert bench.verdict(DICT6, plain).bonus == 10


ENDS = {
    "sys.exit(0)": "import sys; sys.exit(0)",
    "raise SystemExit": "raise SystemExit",
    "os._exit(0)": "import os; os._exit(0)",
    "kill": "import os; os.kill(os.getpid(), 9)",
    "exit()": "exit()",
    "quit in a class": "class Q:\n        raise SystemExit(3)",
}


@pytest.mark.parametrize("name", ENDS)
def test_ending_the_process_is_a_run_time_error_that_says_so(name: str, bench: Judging) -> None:
    """Never a pass, and never a fault of ours."""
    source = f"def clip_by_global_norm(grads, max_norm):\n    {ENDS[name]}\n"
    variant = bench.catalogue.get(TUPLE)
    judgement = bench.verdict(TUPLE, source, variant.tests[:1])
    assert judgement.verdict == "RTE"
    if name not in ("kill", "exit()"):  # a box forbids the one and does not have the other
        assert "your code ended the process" in failed(judgement)


def test_a_test_that_never_ends_costs_only_itself(bench: Judging) -> None:
    """TLE names the clock and the limit; the other tests keep their verdicts.

    On a machine with more to do than cores, the wall clock of a busy program may run out first.
    """
    source = RIGHT.replace(
        "    arrays =",
        "    first = float(np.ravel(grads[0])[0]) if len(grads) == 2 and max_norm == 1 else 0.0\n"
        "    while first == 3: pass\n"
        "    if first == 0.3: __import__('time').sleep(99)\n"
        "    arrays =",
    )
    judgement = bench.verdict(TUPLE, source, bench.small(TUPLE))
    assert [run.verdict for run in judgement.runs[:2]] == ["TLE", "TLE"]
    assert {run.verdict for run in judgement.runs[2:]} == {"AC"}
    busy, asleep = (run.feedback.message for run in judgement.runs[:2])
    assert busy.startswith(("stopped after 2 s of CPU time", "stopped after 4 s by the wall"))
    assert asleep.startswith("stopped after 4 s by the wall clock")
    assert judgement.verdict == "TLE"
    passed = len(judgement.runs) - 2
    assert judgement.message.startswith(f"{passed} of {passed + 2} ")


def test_the_smallest_memory_that_a_package_may_give_is_enough_for_numpy(bench: Judging) -> None:
    """What the runtime and NumPy take themselves is never the learner's to pay for."""
    variant = bench.catalogue.get(TUPLE)
    with pytest.raises(ValueError, match="memory_mib"):
        LimitsIn(memory_mib=15)
    small = replace(variant, limits=replace(variant.limits, memory_mib=16))
    judgement = finished(judge(RIGHT, small, bench.runner, bench.small(TUPLE)))
    assert judgement.verdict == "AC", failed(judgement)


def test_fifty_megabytes_printed_are_not_mixed_up_with_the_verdict(bench: Judging) -> None:
    """OLE, or a right answer with its output cut and counted; never a wrong answer."""
    variant = bench.catalogue.get(TUPLE)
    loud = RIGHT.replace("    arrays =", "    print('x' * 50_000_000)\n    arrays =")
    judgement = bench.verdict(TUPLE, loud, variant.tests[:1])
    assert judgement.verdict == "OLE"
    assert "printed more than 64 KiB" in failed(judgement)
    talking = RIGHT.replace("    arrays =", "    print('PASS', max_norm)\n    arrays =")
    judgement = bench.verdict(TUPLE, talking, variant.tests[:1])
    assert judgement.verdict == "AC"
    assert judgement.runs[0].feedback.stdout is not None
    assert judgement.runs[0].feedback.stdout.text.startswith("PASS 1")


def test_a_misspelt_function_is_a_compile_error_that_shows_the_near_miss(bench: Judging) -> None:
    """Also if only a letter looks like another."""
    judgement = bench.verdict(TUPLE, RIGHT.replace("clip_by_global_norm", "clip_gradients"))
    assert judgement.verdict == "CE"
    assert judgement.message == "no function clip_by_global_norm; you defined clip_gradients"
    cyrillic = RIGHT.replace("clip_by_global_norm", "сlip_by_global_norm")
    assert "cyrillic small letter es" in bench.verdict(TUPLE, cyrillic).message
    one = RIGHT.replace("(grads, max_norm)", "(grads)").replace("max_norm", "1.0")
    message = "clip_by_global_norm(grads) cannot take the arguments: "
    message += "the tests call clip_by_global_norm(grads, max_norm)"
    assert bench.verdict(TUPLE, one).message == message

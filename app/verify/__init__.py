"""The package gate: does a package keep its promises?

gate.py            the rules in their order; `verify`
subject.py         what is examined: a variant, its family, its programs, boxes
data.py            stored inputs and answers, the independent check, contracts, ties
statements.py      samples, formulas, prose, references, what is left to decide
examples.py        the calls in a statement, run
programs.py        verdict folders, accepted programs, room in error and time
trivial.py         programs that know nothing
mistakes.py        the family's mistakes, and those of form_mistakes.py
mutants.py         every small change of an accepted program; operators.py, equivalents.py
closeness.py       how far apart, in units of what is allowed
report.py          reasons, remarks, figures
remembered.py      reports kept, so that an unchanged package is examined once
"""

from app.verify.gate import verify
from app.verify.report import Reason, Report, from_json
from app.verify.worth import Worth, worth

__all__ = ["Reason", "Report", "Worth", "from_json", "verify", "worth"]

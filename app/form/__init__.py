"""Form: containers, structure and type of number. What passes is a row of leaves to hold side by side.

`align` walks a returned value, its contract and the answer together. Each leaf becomes a Pair of
arrays of one shape; each place where the form differs becomes a Mismatch. No value is compared here,
but for texts and for integers that no float64 can hold.

    containers.py   dicts, tuples, lists
    leaves.py       a number, a text, an array in whatever nesting the contract allows
    numbers.py      which types of number a leaf accepts
    place.py        where we are, and how it is said
    recast.py       the same numbers in another form
"""

from app.form.containers import align
from app.form.leaves import Misfit, Pair
from app.form.place import Place, unravelled
from app.form.recast import loosened, mapped, recast, rounded, with_leaves

__all__ = [
    "Misfit",
    "Pair",
    "Place",
    "align",
    "loosened",
    "mapped",
    "recast",
    "rounded",
    "unravelled",
    "with_leaves",
]

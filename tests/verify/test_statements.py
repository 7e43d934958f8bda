"""Examples are found in a text with their lines, and read to the places written."""

from __future__ import annotations

from app.verify.examples import Example, examples

TEXT = """Some words.

```pycon
>>> import numpy as np
>>> f([1.0,
...    2.0])
[0.5,
 1.0]

>>> f([])
[]
```

```python
>>> g(1)
```

```pycon
>>> f([3.0])
[1.0]
```
"""


def test_examples_are_found_with_their_lines() -> None:
    """Calls may go over several lines, results too; other fences hold no promise."""
    assert list(examples(TEXT)) == [
        Example(4, "import numpy as np", ""),
        Example(5, "f([1.0,\n   2.0])", "[0.5,\n 1.0]"),
        Example(10, "f([])", "[]"),
        Example(19, "f([3.0])", "[1.0]"),
    ]

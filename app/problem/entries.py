"""What a file of tests holds, before anybody has asked whether the tests are any good."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Stands where a test should be."""

    message: str


@dataclass(frozen=True, slots=True)
class Entries:
    """Tests as data, in the shape of JSON, and where each stands in its file (`line 3`)."""

    tests: tuple[object, ...]
    places: tuple[str, ...] = ()

    def place(self, index: int) -> str:
        return self.places[index] if index < len(self.places) else ""

"""What the gate found: reasons against a package, remarks, and figures. Plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from app.errors import PackageError


@dataclass(frozen=True, slots=True)
class Reason:
    """One rule that one place of a package breaks.

    where   the variant's id, or the family's name for what all its variants share
    rule    the rule's short name; tests/packages has an example of each
    """

    where: str
    rule: str
    message: str
    path: str = ""
    line: int | None = None

    def __str__(self) -> str:
        place = f" [{self.path}{f':{self.line}' if self.line else ''}]" if self.path else ""
        return f"{self.where}: {self.rule}: {self.message}{place}"


def from_package_error(where: str, error: PackageError, rule: str = "package") -> Reason:
    message = error.message + (f" ({error.remedy})" if error.remedy else "")
    return Reason(where, rule, message, str(error.path), error.line)


@dataclass(frozen=True, slots=True)
class Report:
    """The gate's word on one package: kept where there is no reason against it.

    figures   by variant: programs, mutants, head-room; numbers to print and to compare
    """

    package: str
    reasons: tuple[Reason, ...]
    remarks: tuple[Reason, ...] = ()
    figures: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def kept(self) -> bool:
        return not self.reasons

    @property
    def told(self) -> list[str]:
        """The reasons as whoever runs the service reads them."""
        return [str(reason) for reason in self.reasons]

    def to_json(self) -> dict[str, Any]:
        return {
            "package": self.package,
            "kept": self.kept,
            "reasons": [asdict(reason) for reason in self.reasons],
            "remarks": [asdict(remark) for remark in self.remarks],
            "figures": {name: dict(found) for name, found in self.figures.items()},
        }


def from_json(data: Mapping[str, Any]) -> Report:
    """A report as `to_json` gave it."""
    return Report(
        data["package"],
        tuple(Reason(**reason) for reason in data["reasons"]),
        tuple(Reason(**remark) for remark in data["remarks"]),
        data["figures"],
    )

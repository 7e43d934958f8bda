"""What is told about uploaded packages."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from app.problem.difference import Difference
from app.store.packages import PackageUpload, Publication, UploadState
from app.web.package_sets import Known, report_of
from app.web.schemas import Out

ARCHIVE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            kind: {"schema": {"type": "string", "format": "binary"}}
            for kind in ("application/zip", "application/x-tar", "application/gzip")
        },
    }
}


class KnownOut(Out):
    """A family, and how it stands."""

    family: str
    title: str
    on_disk: bool
    served: bool
    published: str | None = Field(description="hash of the uploaded version that is served")
    uploads: int
    waiting: int

    @classmethod
    def of(cls, found: Known) -> KnownOut:
        return cls.model_validate(found)


class PackageUploadOut(Out):
    """One uploaded version, and how far its examination has come."""

    family: str
    hash: str
    url: str
    author: str
    created_ms: int
    state: UploadState
    progress: str = Field(description="what is being looked at")
    done: int
    total: int

    @classmethod
    def of(cls, found: PackageUpload) -> PackageUploadOut:
        return cls(
            family=found.family,
            hash=found.hash,
            url=f"/api/v1/admin/packages/{found.family}/{found.hash}",
            author=found.author,
            created_ms=found.created_ms,
            state=found.state,
            progress=found.progress,
            done=found.done,
            total=found.total,
        )


class PublicationOut(Out):
    """What was served from a moment on; no hash: what is on disk, if anything."""

    family: str
    hash: str | None
    author: str
    created_ms: int

    @classmethod
    def of(cls, found: Publication) -> PublicationOut:
        return cls.model_validate(found)


class PackageOut(Out):
    """A family's uploaded versions and what was served of them, the newest first."""

    family: str
    published: str | None
    uploads: list[PackageUploadOut]
    publications: list[PublicationOut]


class FileChangeOut(Out):
    """One file that is not what is served."""

    path: str
    kind: Literal["added", "removed", "changed"]
    decides: bool = Field(description="whether it can decide verdicts")
    lines: list[str] = Field(description="a unified diff; empty for what is not text")
    cut: int = Field(description="lines of it that were left out")


class VariantChangeOut(Out):
    """A variant whose verdicts are decided by something else; an empty version: it is not there."""

    variant: str
    before: str
    after: str


class DifferenceOut(Out):
    """From what is served to this version."""

    files: list[FileChangeOut]
    variants: list[VariantChangeOut]

    @classmethod
    def of(cls, found: Difference) -> DifferenceOut:
        return cls(
            files=[FileChangeOut.model_validate(one) for one in found.files],
            variants=[VariantChangeOut.model_validate(one) for one in found.variants],
        )


class PackageVersionOut(PackageUploadOut):
    """One uploaded version with all that is known of it."""

    published: bool
    report: Any = Field(description="what the gate said; null until it has")
    difference: DifferenceOut

    @classmethod
    def whole(
        cls, found: PackageUpload, changes: Difference, published: str | None
    ) -> PackageVersionOut:
        return cls(
            **PackageUploadOut.of(found).model_dump(),
            published=found.hash == published,
            report=report_of(found),
            difference=DifferenceOut.of(changes),
        )

"""The hash chain of a workspace's manifests: each link holds the digest of the one before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dataagent.runs import encoding

GENESIS = "sha256:" + "0" * 64
"""What the first link of a workspace points back to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A stored manifest: its place, its text and the two digests."""

    workspace: str
    sequence: int
    run: str
    content: str
    previous_digest: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainVerdict:
    """Whether a chain holds.  `position` is the first bad sequence number, None when all is well.

    `links` counts manifests, `entries` those of the audit; codes that begin with `audit` place the fault there.
    """

    ok: bool
    links: int
    position: int | None = None
    code: str = ""
    message: str = ""
    entries: int = 0


def link_digest(*, workspace: str, sequence: int, content_digest: str, previous_digest: str) -> str:
    """The digest of a link: over its place, its content and the link before."""
    return encoding.digest(
        {"workspace": workspace, "sequence": sequence, "content": content_digest, "previous": previous_digest}
    )


def verify(links: Iterable[Link]) -> ChainVerdict:
    """The verdict on one workspace's links, given in order of sequence."""
    previous, count = GENESIS, 0
    for link in links:
        problem = _problem(link, count + 1, previous)
        if problem:
            code, message = problem
            return ChainVerdict(ok=False, links=count, position=count + 1, code=code, message=message)
        previous, count = link.digest, count + 1
    return ChainVerdict(ok=True, links=count)


def _problem(link: Link, sequence: int, previous: str) -> tuple[str, str] | None:
    if link.sequence != sequence:
        return "missing_link", f"Manifest {sequence} is missing; the next one present is {link.sequence}."
    if link.previous_digest != previous:
        return "broken_link", f"Manifest {sequence} does not point to the one before it."
    expected = link_digest(
        workspace=link.workspace,
        sequence=sequence,
        content_digest=encoding.sha256(link.content.encode("utf-8")),
        previous_digest=previous,
    )
    if link.digest != expected:
        return "changed_content", f"Manifest {sequence} was changed after it was written (run {link.run})."
    return None

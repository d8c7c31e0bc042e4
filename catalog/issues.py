"""Typed reasons why a question cannot be computed.  Values, never exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from catalog.types import SourceLocation


class IssueCode(StrEnum):
    """Closed set of issue kinds."""

    UNKNOWN_METRIC = "unknown_metric"
    UNKNOWN_DIMENSION = "unknown_dimension"
    UNKNOWN_VALUE = "unknown_value"
    UNREACHABLE_DIMENSION = "unreachable_dimension"
    AMBIGUOUS_PATH = "ambiguous_path"
    AMBIGUOUS_DIMENSION = "ambiguous_dimension"
    AMBIGUOUS_TERM = "ambiguous_term"
    FAN_OUT = "fan_out"
    WRONG_TYPE = "wrong_type"
    GRAIN_TOO_FINE = "grain_too_fine"
    CONTRADICTION = "contradiction"
    UNSUPPORTED = "unsupported"
    NOT_PERMITTED = "not_permitted"
    INVALID_CATALOG = "invalid_catalog"
    DRAFT = "draft"


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """Why not: a code, a plain sentence, what it is about and what to choose instead.

    `source` is where the catalog says so, for issues of the catalog's own text.
    """

    code: IssueCode
    message: str
    subject: str = ""
    choices: tuple[str, ...] = ()
    source: SourceLocation | None = None


def unsupported(message: str, subject: str) -> Issue:
    """What the question means is clear, and no query computes it."""
    return Issue(code=IssueCode.UNSUPPORTED, message=message, subject=subject)


class CatalogError(Exception):
    """A catalog that cannot be loaded.  `issues` are all that was found, each with file and line."""

    def __init__(self, issues: tuple[Issue, ...]) -> None:
        super().__init__("\n".join(issue_line(i) for i in issues))
        self.issues = issues


def issue_line(issue: Issue) -> str:
    """One line for a terminal: `file:line: sentence`, or the sentence alone."""
    where = f"{issue.source.file}:{issue.source.line}: " if issue.source else ""
    return where + issue.message

"""The catalog's own rules: what is broken, and what will confuse people; each with file and line."""

from __future__ import annotations

from catalog.checks.advice import ADVICE
from catalog.checks.references import RULES
from catalog.issues import Issue, IssueCode
from catalog.types import CatalogSnapshot

__all__ = ["check", "is_error"]


def check(snapshot: CatalogSnapshot) -> tuple[Issue, ...]:
    """All issues, errors first.  Advice is given only where nothing is broken."""
    broken = tuple(issue for rule in RULES for issue in rule(snapshot))
    return broken or tuple(issue for rule in ADVICE for issue in rule(snapshot))


def is_error(issue: Issue) -> bool:
    """Whether the catalog cannot be used with it; the rest is advice."""
    return issue.code is IssueCode.INVALID_CATALOG

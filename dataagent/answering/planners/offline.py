"""The planner without a model: a meaning and its evidence → a typed query, or why not.

It reads metric contracts only through the evidence: a metric whose contract is not
among the used evidence is not planned with.
"""

from __future__ import annotations

from catalog.access import AccessScope
from catalog.issues import Issue, IssueCode
from catalog.query import MetricIntent, QuerySpec
from catalog.resolve import resolve
from catalog.types import CatalogSnapshot
from contextcards.types import EvidenceBundle, SourceType

NAME = "offline-1"


def plan(
    intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope, evidence: EvidenceBundle
) -> QuerySpec | tuple[Issue, ...]:
    """The query for an intent, or typed issues.  Never wider than the scope."""
    contracts = {e.id.partition(":")[2] for e in evidence.used() if e.type is SourceType.METRIC_CONTRACT}
    missing = tuple(m for m in intent.metrics if m not in contracts)
    if missing:
        message = "The definition of what you ask for could not be read, so it is not computed."
        return tuple(Issue(code=IssueCode.UNKNOWN_METRIC, message=message, subject=m) for m in missing)
    return resolve(intent, snapshot, scope)

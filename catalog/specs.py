"""Plans → the parts of a QuerySpec that need no decision: groupings, conditions, order, the recomputed whole."""

from __future__ import annotations

from dataclasses import replace

from catalog.access import AccessScope
from catalog.calculated import Calculated
from catalog.calculations import TOP_PERCENT, PeriodComparison, Rank, Share, metric_behind
from catalog.query import GroupBy, IntentKind, MetricIntent, QuerySpec
from catalog.timeparts import time_behind, timed_group
from catalog.types import METRIC_TIME, CatalogSnapshot, Filter, Operator
from catalog.visible import visible_dimensions

YES_OR_NO = frozenset({IntentKind.EXISTS, IntentKind.BOOLEAN})
"""Kinds whose condition is not one on rows: the figure is computed, and the answer says whether it holds."""

EACH_OF = "each_of"
"""A note whose value is a dimension: the question is about each of its members, so rows without one are left out."""


EVERY = "every"
"""A note of a yes or no about things: whether each of them meets the condition."""


SOME = "some"
"""A note of a yes or no about the change of groups: whether any of them moved that way, and not each."""


def plain_spec(
    intent: MetricIntent, *, metrics: tuple[str, ...], dimensions: tuple[str, ...] | None = None
) -> QuerySpec:
    """The query of the plain figures, by `dimensions` in place of the intent's own where they are given."""
    named = intent.dimensions if dimensions is None else dimensions
    time = intent.time_dimension or METRIC_TIME
    groups = [timed_group(d) or GroupBy(dimension=d) for d in named if not (intent.grain and d == time)]
    if intent.grain is not None:
        groups.insert(0, GroupBy(dimension=time, granularity=intent.grain))
    return QuerySpec(
        metrics=metrics,
        group_by=tuple(groups),
        where=(*intent.filters, *present(intent), *ranked_presence(intent)),
        having=intent.having,
        time_range=intent.time_range,
        time_dimension=intent.time_dimension,
        order_by=intent.order,
        limit=intent.limit,
        peek=PEEKED if _is_ranked(intent) else 0,
    )


PEEKED = 11
"""Rows beyond the first ones that are read, to tell what ties with the last of them."""


def _is_ranked(intent: MetricIntent) -> bool:
    """Whether the first rows by figures are asked for: they can tie.  By groups alone no two rows are alike."""
    listed = intent.kind is IntentKind.ENTITY_LIST and not intent.metrics
    return intent.limit is not None and any(listed or metric_behind(o.by) in intent.metrics for o in intent.order)


def with_calculations(intent: MetricIntent, found: Calculated, keys: tuple[str, ...]) -> QuerySpec:
    """The query of the plain figures with what is calculated on top of them.

    A ranking leaves rows out that belong to no member; they still are a part of a share's whole.
    """
    plain = replace(intent, filters=found.filters, order=found.order, limit=None if found.top else intent.limit)
    asked = () if intent.kind in YES_OR_NO else intent.having
    shares = any(isinstance(c, Share) for c in found.calculations)
    ranks = any(isinstance(c, Rank) for c in found.calculations)
    ranked = ranked_presence(intent)
    later = ranked if shares and not ranks else ()
    return replace(
        plain_spec(plain, metrics=intent.metrics, dimensions=found.dimensions),
        where=(*found.filters, *present(intent), *(f for f in ranked if f not in later)),
        having=asked,
        identify_by=keys,
        comparison=found.comparison,
        calculations=found.calculations,
        top=found.top,
        kept=(*found.kept, *later),
    )


def keys_behind(intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope) -> tuple[str, ...]:
    """The keys behind the labels that the intent groups by: a name that two customers share is two customers."""
    key_of = {e.label_dimension: e.key_dimension for e in snapshot.entities if e.label_dimension}
    found: list[str] = []
    for reference in intent.dimensions if intent.metrics else ():
        *way, label = reference.split("__")
        key = key_of.get(reference) or key_of.get(label)
        own = "__".join((*way, key)) if key else ""
        if own and own not in intent.dimensions and visible_dimensions(snapshot, scope, own):
            found.append(own)
    return tuple(dict.fromkeys(found))


def whole_of(spec: QuerySpec, ranked: tuple[Filter, ...]) -> QuerySpec:
    """The same figures without groupings, and what is compared with them; `ranked` are conditions of the ranking."""
    comparison = spec.comparison
    kept = comparison if isinstance(comparison, PeriodComparison) and comparison.window else None
    return replace(
        spec,
        where=tuple(f for f in spec.where if f not in ranked),
        group_by=(),
        identify_by=(),
        order_by=(),
        limit=None,
        peek=0,
        comparison=kept,
        calculations=(),
        top=None,
        kept=(),
    )


def ranked_presence(intent: MetricIntent) -> tuple[Filter, ...]:
    """A ranking by a metric ranks members: rows that belong to none are left out of it."""
    by_metric = any(metric_behind(o.by) in intent.metrics for o in intent.order)
    ranks = any(t.type in {"rank", TOP_PERCENT} for t in intent.transforms)
    if (intent.limit is None and not ranks) or not by_metric:
        return ()
    return tuple(Filter(field=time_behind(d), op=Operator.IS_NOT_NULL) for d in intent.dimensions)


def present(intent: MetricIntent) -> tuple[Filter, ...]:
    """The conditions that what the question goes through one by one is there."""
    each = [str(value) for name, value in intent.notes if name == EACH_OF]
    each += intent.dimensions if intent.kind is IntentKind.BOOLEAN else ()
    return tuple(Filter(field=time_behind(field), op=Operator.IS_NOT_NULL) for field in each)

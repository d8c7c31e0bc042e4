"""Another base or whole than the one that was decided for the person, as a question to ask in one click."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from catalog.calculated import earlier_of
from catalog.query import Comparison, Default, MetricIntent, Transform
from catalog.shared import ALL, OVER, SHARE_OF_TOTAL, WHOLE, shared_over
from catalog.types import CatalogSnapshot
from dataagent.answering.next_questions import same_plan
from dataagent.intent.typefilter.elapsed import BASE, LIKE_FOR_LIKE
from dataagent.intent.typefilter.shares import SHARE_WHOLE
from dataagent.intent.types import Understanding

_OTHER = {"previous_period": "year_ago", "year_ago": "previous_period"}


def with_other_bases(
    intent: MetricIntent,
    snapshot: CatalogSnapshot,
    words: Callable[[MetricIntent], str],
    understands: Callable[[str], Understanding],
) -> tuple[Default, ...]:
    """What was decided, with questions that decide otherwise; each is read back to exactly its plan first."""
    told: list[Default] = []
    for default in intent.defaults_used:
        offered = tuple(
            text
            for other in _others(default, intent, snapshot)
            if (text := words(other)) and same_plan(understands(text), other)
        )
        told.append(replace(default, alternatives=(*default.alternatives, *offered)))
    return tuple(told)


def _others(default: Default, intent: MetricIntent, snapshot: CatalogSnapshot) -> Iterator[MetricIntent]:
    if default.key == SHARE_WHOLE and (over := shared_over(intent)):
        of_all = Transform(type=SHARE_OF_TOTAL, arguments=((OVER, over), (WHOLE, ALL)))
        yield replace(intent, transforms=(of_all,))
    if intent.comparison is None:
        return
    if default.key == LIKE_FOR_LIKE:
        earlier = earlier_of(intent, snapshot)
        if earlier is not None and earlier.whole is not None:
            whole = Comparison(type="custom", calc=intent.comparison.calc, range=earlier.whole)
            yield replace(intent, comparison=whole)
    if default.key == BASE and intent.comparison.type in _OTHER:
        yield replace(intent, comparison=replace(intent.comparison, type=_OTHER[intent.comparison.type]))

"""Whatever the tables, the rows and the question: compiled SQL equals the definition, evaluated row by row."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings

from tests.proof.running import check
from tests.proof.worlds import World, worlds

KINDS = {
    "simple": (),
    "ratio": ("ratio",),
    "derived": ("ratio", "derived"),
    "filtered": ("filtered", "ratio", "derived"),
    "offset": ("offset",),
    "cumulative": ("cumulative",),
    "balance": ("balance",),
    "mixed": ("ratio", "derived", "offset", "cumulative", "balance"),
}
ANSWERED_AT_LEAST = 0.3
"""Of all questions of a kind; a kind that mostly stops is a kind that is missing."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_query_equals_its_naive_evaluation(kind: str) -> None:
    _compare(kind, settings(max_examples=40, derandomize=True, database=None))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_thousands_of_queries_equal_their_naive_evaluation(kind: str) -> None:
    _compare(kind, settings(max_examples=3_000, database=None))


def _compare(kind: str, profile: settings) -> None:
    tally: Counter[str] = Counter()

    @settings(profile, deadline=None, suppress_health_check=list(HealthCheck))
    @given(world=worlds(KINDS[kind]))
    def compared(world: World) -> None:
        check(world, tally)

    compared()
    print(kind, dict(tally.most_common()))
    assert tally["answered"] >= ANSWERED_AT_LEAST * tally.total(), tally

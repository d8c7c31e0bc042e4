"""The same companies, kept on a time spine as MetricFlow keeps them: compiled SQL equals that meaning, row by row."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings

from catalog.types import Calendar, Dimension, TimeGranularity, TimeSpine
from tests.proof.running import check
from tests.proof.test_own_catalogs import ANSWERED_AT_LEAST, KINDS
from tests.proof.worlds import World, worlds

SPINE = TimeSpine(table="shop.days", column="day", granularity=TimeGranularity.DAY)
FIRST, LAST = date(2023, 1, 1), date(2027, 5, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_query_on_a_spine_equals_its_naive_evaluation(kind: str) -> None:
    _compare(kind, settings(max_examples=15, derandomize=True, database=None))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_thousands_of_queries_on_a_spine_equal_their_naive_evaluation(kind: str) -> None:
    _compare(kind, settings(max_examples=2_000, database=None))


def _compare(kind: str, profile: settings) -> None:
    tally: Counter[str] = Counter()

    @settings(profile, deadline=None, suppress_health_check=list(HealthCheck))
    @given(world=worlds(KINDS[kind]).map(_on_spine))
    def compared(world: World) -> None:
        check(world, tally)

    compared()
    assert tally["answered"] >= ANSWERED_AT_LEAST * tally.total(), tally


def _on_spine(world: World) -> World:
    """The world with a spine of days; weeks and quarters are ISO's there, and times are kept by day."""
    days = [{"day": FIRST + timedelta(days=n)} for n in range((LAST - FIRST).days)]
    models = tuple(replace(m, dimensions=tuple(_by_day(d) for d in m.dimensions)) for m in world.snapshot.models)
    metrics = tuple(replace(m, period_agg=None) for m in world.snapshot.metrics)
    snapshot = replace(world.snapshot, models=models, metrics=metrics, time_spines=(SPINE,), calendar=Calendar())
    return replace(
        world,
        snapshot=snapshot,
        data={**world.data, SPINE.table: days},
        columns={**world.columns, SPINE.table: {"day": "DATE"}},
    )


def _by_day(dimension: Dimension) -> Dimension:
    return replace(dimension, granularity=TimeGranularity.DAY) if dimension.granularity else dimension

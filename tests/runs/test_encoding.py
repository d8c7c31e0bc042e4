"""Values survive the way to JSON text and back."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.query import CompiledQuery, IntentKind, MetricIntent, TimeRange
from catalog.types import Filter, Operator, Scalar
from dataagent.runs import encoding

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.decimals(allow_nan=False, allow_infinity=False),
    st.dates(),
    st.datetimes(),
    st.text(),
)


@given(st.lists(SCALARS, max_size=5))
def test_every_scalar_comes_back_with_its_value_and_type(values: list[Scalar]) -> None:
    back = encoding.loads(encoding.dumps(tuple(values), tuple[Scalar, ...]), tuple[Scalar, ...])
    assert [(type(v), v) for v in back] == [(type(v), v) for v in values]


def test_an_intent_comes_back_equal() -> None:
    intent = MetricIntent(
        kind=IntentKind.QUERY,
        metrics=("net_revenue",),
        filters=(Filter(field="region", op=Operator.IN, values=("EMEA", "2024-01-01", Decimal("1.50"))),),
        time_range=TimeRange(start=date(2025, 1, 1), end=None, expr="this_year"),
        notes=(("asked_at", datetime(2025, 6, 18, 9, 30, tzinfo=UTC)),),
    )
    assert encoding.loads(encoding.dumps(intent, MetricIntent), MetricIntent) == intent


def test_a_union_of_a_query_and_issues_comes_back_as_what_it_was() -> None:
    kind = CompiledQuery | tuple[str, ...]
    query = CompiledQuery(sql="select 1", dialect="duckdb", parameters=(), columns=(), tables=("t",))
    assert encoding.loads(encoding.dumps(query, kind), kind) == query
    assert encoding.loads(encoding.dumps(("no",), kind), kind) == ("no",)


@pytest.mark.parametrize("text", ["\x00", "é", "\U0001f600", '"\\'])
def test_odd_characters_come_back(text: str) -> None:
    assert encoding.loads(encoding.dumps(text, str), str) == text

"""The document: headline first, every number bound."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from catalog.calculations import Derived, PeriodComparison, Share, Top
from catalog.query import (
    ColumnRole,
    Default,
    Direction,
    MetricCondition,
    MetricIntent,
    Order,
    QuerySpec,
    ResultColumn,
    TimeRange,
)
from catalog.types import CatalogSnapshot, Metric, MetricFormat, MetricType, Operator, TimeGranularity
from contextcards.types import EvidenceBundle
from dataagent.answering.compose import Findings, compose
from dataagent.answering.types import ChartKind, Check, CheckOutcome
from dataagent.intent.types import Decision, Understanding

SNAPSHOT = CatalogSnapshot(
    name="t",
    digest="d",
    dialect="duckdb",
    models=(),
    metrics=(Metric(name="units", type=MetricType.SIMPLE, label="Units sold", description="Sum of quantity"),),
)
EVIDENCE = EvidenceBundle(considered=())
MONTH = ResultColumn(name="metric_time__month", label="Month", role=ColumnRole.TIME, granularity=TimeGranularity.MONTH)
BRAND = ResultColumn(name="brand", label="Brand", role=ColumnRole.DIMENSION)
UNITS = ResultColumn(name="units", label="Units sold", role=ColumnRole.METRIC, additive=True)
MAY = TimeRange(start=date(2025, 5, 1), end=date(2025, 6, 1), expr="last_month")
PASSED = (Check(name="rows", outcome=CheckOutcome.PASSED, detail="ok"),)
BY_BRAND = Findings(
    question="units by brand",
    understanding=Understanding(decision=Decision.ANSWER, restatement="Units sold by brand"),
    intent=MetricIntent(metrics=("units",), dimensions=("brand",), time_range=MAY),
    columns=(BRAND, UNITS),
    rows=(("Acme", 1200), ("Orion", 1200), ("Nimbus", 600)),
    total_row=(None, 3000),
    truncated=False,
    checks=PASSED,
    data_states=(),
    row_scope=("region is EMEA",),
    notes=("Groups may overlap.",),
    proposed_sql="SELECT 1",
    executed_sql="SELECT 1",
    today=date(2025, 6, 18),
)


def test_the_leader_is_named_and_ties_are_told() -> None:
    answer = compose(BY_BRAND, SNAPSHOT, EVIDENCE)
    assert answer.headline == "Acme has the highest units sold: 1\u202f200, shared by 2"
    assert "3\u202f000 in total" in answer.subline


def test_a_bottom_question_names_the_lowest() -> None:
    asked = replace(BY_BRAND.intent, order=(Order(by="units", direction=Direction.ASC),))
    assert compose(replace(BY_BRAND, intent=asked), SNAPSHOT, EVIDENCE).headline.startswith("Nimbus has the lowest")


@pytest.mark.parametrize(
    ("op", "limit", "rows", "said"),
    [
        (Operator.LT, 3, (("Acme", 0), ("Orion", 2)), ["2 brands in May 2025 where units sold is less than 3"]),
        (Operator.LT, 3, (("Acme", 0),), ["1 brand in May 2025 where units sold is less than 3"]),
        (
            Operator.GT,
            9,
            (("Acme", 10), ("Orion", 12)),
            ["2 brands in May 2025 where units sold is more than 9", "Orion has the highest units sold: 12"],
        ),
    ],
)
def test_a_list_under_a_condition_says_how_many_meet_it(
    op: Operator, limit: int, rows: tuple[tuple[str, int], ...], said: list[str]
) -> None:
    under = replace(BY_BRAND.intent, having=(MetricCondition(metric="units", op=op, values=(limit,)),))
    found = replace(BY_BRAND, intent=under, rows=rows, total_row=())
    answer = compose(found, SNAPSHOT, EVIDENCE)
    assert [c.text for c in answer.claims] == said
    assert compose(replace(found, truncated=True), SNAPSHOT, EVIDENCE).claims == ()


def test_a_trend_leads_with_the_recomputed_whole() -> None:
    trend = replace(
        BY_BRAND,
        columns=(MONTH, UNITS),
        rows=((date(2025, 4, 1), 10), (date(2025, 5, 1), 20)),
        total_row=(None, 30),
    )
    answer = compose(trend, SNAPSHOT, EVIDENCE)
    assert answer.headline == "Units sold: 30 in total"
    assert answer.chart is not None
    assert answer.chart.kind is ChartKind.LINE


def test_every_number_of_the_prose_is_a_claim_or_a_date() -> None:
    answer = compose(BY_BRAND, SNAPSHOT, EVIDENCE)
    prose = f"{answer.headline} {answer.subline}"
    for text in (*(c.value for c in answer.claims), "31 May 2025", "1 May 2025", "shared by 2"):
        prose = prose.replace(text, "")
    assert re.findall(r"\d", prose) == []


def test_a_failed_check_shows_no_number_at_all() -> None:
    failed = (Check(name="rows", outcome=CheckOutcome.FAILED, detail="No data match."),)
    answer = compose(replace(BY_BRAND, checks=failed), SNAPSHOT, EVIDENCE)
    assert (answer.headline, answer.rows, answer.claims, answer.chart) == ("No data match.", (), (), None)


def test_what_was_assumed_and_limited_is_said() -> None:
    default = Default(key="time_range", value="all_time", text="No period was named: all time is shown.")
    asked = replace(BY_BRAND.intent, defaults_used=(default,))
    answer = compose(replace(BY_BRAND, intent=asked), SNAPSHOT, EVIDENCE)
    assert default.text in answer.assumptions
    assert answer.row_scope == ("region is EMEA",)
    assert "Groups may overlap." in answer.assumptions


def test_a_single_value_is_the_headline() -> None:
    alone = replace(BY_BRAND, columns=(UNITS,), rows=((Decimal(5),),), total_row=())
    answer = compose(alone, SNAPSHOT, EVIDENCE)
    assert answer.headline == "Units sold: 5"
    assert answer.subline == "1 May 2025 to 31 May 2025"


def test_a_group_without_a_name_is_called_by_what_it_lacks() -> None:
    unnamed = replace(BY_BRAND, rows=((None, 1300), ("Acme", 1200)))
    assert compose(unnamed, SNAPSHOT, EVIDENCE).headline.startswith("(no brand) has the highest units sold")


def test_the_lowest_of_a_running_period_is_said_to_run() -> None:
    rows = ((date(2025, 5, 1), 20), (date(2025, 6, 1), 5))
    asked = replace(BY_BRAND.intent, order=(Order(by="units", direction=Direction.ASC),))
    trend = replace(BY_BRAND, intent=asked, columns=(MONTH, UNITS), rows=rows, total_row=(None, 25))
    over = replace(trend, rows=((date(2025, 4, 1), 5), (date(2025, 5, 1), 20)))
    assert "in a period that is not over" in compose(trend, SNAPSHOT, EVIDENCE).headline
    assert "not over" not in compose(over, SNAPSHOT, EVIDENCE).headline


SHARE = replace(UNITS, name="units__share", of="units", derived=Derived.SHARE, format=MetricFormat.PERCENT)
EARLIER = replace(UNITS, name="units__previous", of="units", derived=Derived.PREVIOUS)
CHANGE = replace(UNITS, name="units__difference", of="units", derived=Derived.DIFFERENCE)
APRIL = TimeRange(start=date(2025, 4, 1), end=date(2025, 5, 1), expr="2025-04")


def cut(found: Findings, spec: QuerySpec, *more: ResultColumn) -> list[str]:
    """What is said of the first rows of a result that has more."""
    rows = tuple((*row, *(row[1] for _ in more)) for row in found.rows)
    of_whole = {Derived.PREVIOUS: found.total_row[1], Derived.DIFFERENCE: 0}
    whole = (*found.total_row, *(of_whole.get(c.derived) if c.derived else None for c in more))
    given = replace(found, columns=(*found.columns, *more), rows=rows, total_row=whole, spec=spec, truncated=True)
    return [c.text for c in compose(given, SNAPSHOT, EVIDENCE).claims]


def test_of_the_first_rows_alone_nobody_leads_and_nothing_moved_most() -> None:
    shares = QuerySpec(metrics=("units",), calculations=(Share(metric="units"),))
    assert cut(BY_BRAND, shares, SHARE) == ["Units sold: 3\u202f000 in total"]
    compared = QuerySpec(metrics=("units",), time_range=MAY, comparison=PeriodComparison(window=APRIL))
    told = cut(BY_BRAND, compared, EARLIER, CHANGE)
    assert len(told) == 1
    assert told[0].startswith("Units sold: 3\u202f000 in May 2025")


def test_the_first_rows_of_each_group_are_sorted_by_group_and_have_no_leader_where_they_are_cut() -> None:
    order = replace(BY_BRAND.intent, order=(Order(by="units", direction=Direction.DESC),))
    ranked = replace(BY_BRAND, intent=order)
    each = QuerySpec(metrics=("units",), top=Top(by="units", count=2, within=("brand",)))
    assert cut(ranked, each) == ["Units sold: 3\u202f000 in total"]
    assert "Acme has the highest" in cut(ranked, QuerySpec(metrics=("units",)))[0]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            (("Acme", 10), ("Orion", 12), (None, 99)),
            ["2 brands in May 2025 where units sold is more than 9, beside what has no brand",
             "Orion has the highest units sold: 12"],
        ),
        (((None, 99),), []),
    ],
)  # fmt: skip
def test_what_belongs_to_no_member_is_not_counted_as_one(
    rows: tuple[tuple[str | None, int], ...], said: list[str]
) -> None:
    over = MetricCondition(metric="units", op=Operator.GT, values=(9,))
    found = replace(BY_BRAND, intent=replace(BY_BRAND.intent, having=(over,)), rows=rows, total_row=())
    assert [c.text for c in compose(found, SNAPSHOT, EVIDENCE).claims] == said

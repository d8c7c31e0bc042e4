"""A chart draws what the result says: nothing lost, nothing invented, nothing that runs."""

from __future__ import annotations

import itertools
from datetime import date
from decimal import Decimal
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.query import ColumnRole, ResultColumn
from catalog.types import Scalar
from dataagent.answering.types import ChartKind, ChartSpec
from frontend.charts.draw import Figure, figures
from frontend.charts.element import render
from frontend.charts.periods import Reach
from frontend.charts.scale import Scale, nice_ticks, spread
from tests.frontend.samples import DAY, MONTH, MONTHLY, ORDERS, PRODUCT, REGION, REVENUE, RUNS, SHARE

LINE = ChartSpec(kind=ChartKind.LINE, x="metric_time", y=("net_revenue",))
BARS = ChartSpec(kind=ChartKind.BAR, x="product_name", y=("orders",))
numbers = st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**12), max_value=10**12)


def drawn(figure: Figure) -> list[ET.Element]:
    return [ET.fromstring(render(figure.wide)), ET.fromstring(render(figure.narrow))]


def marks(svg: ET.Element, mark: str) -> list[ET.Element]:
    return [node for node in svg.iter() if mark in node.get("class", "").split()]


@given(st.lists(numbers, min_size=1, max_size=40))
def test_ticks_enclose_all_values_and_are_evenly_spaced(values: list[Decimal]) -> None:
    ticks = nice_ticks(values)
    steps = {b - a for a, b in itertools.pairwise(ticks)}
    assert ticks[0] <= min(values)
    assert max(values) <= ticks[-1]
    assert len(steps) == 1
    assert 2 <= len(ticks) <= 12


@given(st.lists(numbers, min_size=2, max_size=20, unique=True))
def test_a_larger_value_stands_higher(values: list[Decimal]) -> None:
    ticks = nice_ticks(values)
    scale = Scale(low=ticks[0], high=ticks[-1], start=200, end=0)
    placed = [scale.at(value) for value in sorted(values)]
    assert placed == sorted(placed, reverse=True)


@given(st.lists(st.floats(min_value=0, max_value=200), min_size=1, max_size=8))
def test_names_at_the_end_of_lines_do_not_overlap(wishes: list[float]) -> None:
    placed = spread(sorted(wishes), gap=16, low=0, high=200)
    assert all(b - a >= 16 - 1e-9 for a, b in itertools.pairwise(placed))


def test_a_line_has_a_read_out_for_every_period() -> None:
    (figure,) = figures(LINE, (MONTH, REVENUE), MONTHLY)
    for svg in drawn(figure):
        said = [hit.get("data-readout") for hit in marks(svg, "hit")]
        assert len(said) == 5
        assert said[0] == "Jan 2025: $812\u202f345.10"


def test_a_missing_period_is_a_gap_and_not_a_bridge() -> None:
    rows = (MONTHLY[0], MONTHLY[1], MONTHLY[3], MONTHLY[4])
    (figure,) = figures(LINE, (MONTH, REVENUE), rows)
    svg = drawn(figure)[0]
    assert len(marks(svg, "line")) == 2
    assert "Mar 2025: no value" in [hit.get("data-readout") for hit in marks(svg, "hit")]


def test_a_null_breaks_the_line_where_it_stands() -> None:
    rows = (*MONTHLY[:2], (date(2025, 3, 1), None), *MONTHLY[3:])
    (figure,) = figures(LINE, (MONTH, REVENUE), rows)
    assert len(marks(drawn(figure)[0], "line")) == 2


def test_one_point_is_a_dot() -> None:
    (figure,) = figures(LINE, (MONTH, REVENUE), MONTHLY[:1])
    svg = drawn(figure)[0]
    assert len(marks(svg, "dot")) == 1
    assert marks(svg, "line") == []


def test_four_hundred_points_stay_one_path_with_few_labels() -> None:
    run = RUNS["long_series"].answer
    assert run is not None
    (figure,) = figures(run.chart, run.columns, run.rows)
    svg = drawn(figure)[0]
    assert len(marks(svg, "line")) == 2
    assert len(marks(svg, "hit")) == 400
    assert len(marks(svg, "tick")) < 20


def test_rows_out_of_order_are_drawn_in_time() -> None:
    straight, shuffled = (figures(LINE, (MONTH, REVENUE), rows) for rows in (MONTHLY, MONTHLY[::-1]))
    assert straight == shuffled


@given(st.lists(st.one_of(st.none(), st.integers(-(10**6), 10**6)), min_size=1, max_size=12))
def test_every_bar_starts_at_zero_and_its_length_follows_its_value(values: list[int | None]) -> None:
    rows: tuple[tuple[Scalar, ...], ...] = tuple((f"p{i}", value) for i, value in enumerate(values))
    found = figures(BARS, (PRODUCT, ORDERS), rows)
    if all(value is None for value in values):
        assert found == ()
        return
    svg = drawn(found[0])[0]
    zero = float(marks(svg, "zero")[0].get("x1", "nan"))
    known = [value for value in values if value is not None]
    bars = marks(svg, "bar")
    assert len(bars) == len(known)
    for value, bar in zip(known, bars, strict=True):
        start, width = float(bar.get("x", "nan")), float(bar.get("width", "nan"))
        assert (start if value >= 0 else start + width) == pytest.approx(zero, abs=0.8)
    ranked = sorted(zip((abs(v) for v in known), (float(b.get("width", "0")) for b in bars), strict=True))
    assert [width for _, width in ranked] == sorted(width for _, width in ranked)


def test_a_bar_without_a_value_says_so() -> None:
    (figure,) = figures(BARS, (PRODUCT, ORDERS), (("a", 3), ("b", None)))
    assert [node.text for node in marks(drawn(figure)[0], "none")] == ["no value"]


def test_series_have_their_own_colours_and_names() -> None:
    run = RUNS["by_region"].answer
    assert run is not None
    (figure,) = figures(run.chart, run.columns, run.rows)
    svg = drawn(figure)[0]
    assert {name.text for name in marks(svg, "name")} == {"EMEA", "AMER", "APAC"}
    assert len(marks(svg, "s1"))
    assert len(marks(svg, "s3"))


def test_two_units_become_two_drawings() -> None:
    spec = ChartSpec(kind=ChartKind.LINE, x="metric_time", y=("orders", "refund_rate"))
    rows = ((date(2025, 1, 1), 10, Decimal("0.1")), (date(2025, 2, 1), 12, Decimal("0.2")))
    assert [figure.unit for figure in figures(spec, (MONTH, ORDERS, SHARE), rows)] == ["", "%"]


def test_doubled_cells_are_not_drawn() -> None:
    spec = ChartSpec(kind=ChartKind.LINE, x="metric_time", y=("orders",), series="region")
    rows = ((date(2025, 1, 1), "EMEA", 1), (date(2025, 1, 1), "EMEA", 2))
    assert figures(spec, (DAY, REGION, ORDERS), rows) == ()


def test_text_from_the_warehouse_is_escaped() -> None:
    hostile = '"><script>alert(1)</script>'
    (figure,) = figures(BARS, (PRODUCT, ORDERS), ((hostile, 1), ("b", 2)))
    markup = render(figure.wide)
    assert "<script" not in markup
    assert "&lt;script" in markup


def test_a_drawing_has_no_style_and_no_handlers() -> None:
    for run in RUNS.values():
        for figure in figures(run.answer.chart, run.answer.columns, run.answer.rows) if run.answer else ():
            for svg in drawn(figure):
                names = {name for node in svg.iter() for name in node.attrib}
                assert not {name for name in names if name == "style" or name.startswith("on")}


def test_a_drawing_has_a_name_and_a_description() -> None:
    (figure,) = figures(LINE, (MONTH, REVENUE), MONTHLY)
    svg = drawn(figure)[0]
    assert [child.tag for child in svg][:2] == ["title", "desc"]
    assert svg.get("role") == "img"


def test_a_flat_line_far_from_zero_says_that_its_axis_is_cut() -> None:
    rows = ((date(2025, 1, 1), 1000), (date(2025, 2, 1), 1010))
    spec = ChartSpec(kind=ChartKind.LINE, x="metric_time", y=("orders",))
    (figure,) = figures(spec, (MONTH, ORDERS), rows)
    assert figure.notes == ("The value axis does not start at zero.",)
    (from_zero,) = figures(spec, (MONTH, ORDERS), ((date(2025, 1, 1), 1), (date(2025, 2, 1), 1010)))
    assert from_zero.notes == ()


def test_a_period_that_is_not_complete_is_dashed_hollow_and_named() -> None:
    reach = Reach(complete_until=date(2025, 5, 18), late_days=(date(2025, 2, 3),))
    (figure,) = figures(LINE, (MONTH, REVENUE), MONTHLY, reach)
    svg = drawn(figure)[0]
    assert len(marks(svg, "open")) == 4
    said = [hit.get("data-readout", "") for hit in marks(svg, "hit")]
    assert [text.split(":")[0] for text in said if "not complete" in text] == [
        "Feb 2025 (not complete)",
        "May 2025 (not complete)",
    ]
    assert figure.notes == ("Dashed: not complete yet (Feb 2025 and May 2025).",)


def test_complete_periods_are_drawn_in_full() -> None:
    (figure,) = figures(LINE, (MONTH, REVENUE), MONTHLY, Reach(complete_until=date(2025, 6, 1)))
    assert marks(drawn(figure)[0], "open") == []
    assert figure.notes == ()


FACTOR = ResultColumn(name="split_by", label="Split by", role=ColumnRole.DIMENSION)
MEMBER = ResultColumn(name="group", label="Group", role=ColumnRole.DIMENSION)
STEPS = ChartSpec(kind=ChartKind.WATERFALL, x="group", y=("orders",), series="split_by")


@given(st.lists(st.integers(-9, 9).filter(bool), min_size=2, max_size=8))
def test_each_step_of_a_waterfall_begins_where_the_one_before_ended(values: list[int]) -> None:
    rows = [("Region", f"r{i}", v) for i, v in enumerate(values)] + [("City", "c", 5)]
    (figure,) = figures(STEPS, (FACTOR, MEMBER, ORDERS), rows)
    for svg in drawn(figure):
        bars = [(float(b.get("x", "")), float(b.get("width", ""))) for b in marks(svg, "bar")]
        assert len(bars) == len(values) + 1
        zero = at = float(marks(svg, "zero")[0].get("x1", ""))
        for (left, wide), value in zip(bars, values, strict=False):
            begins, ends = (left, left + wide) if value > 0 else (left + wide, left)
            assert begins == pytest.approx(at, abs=0.1)
            at = ends
        left, wide = bars[-1]
        reach = {round(left - zero, 0), round(left + wide - zero, 0)}
        assert not sum(values) or round(at - zero, 0) in {r + d for r in reach for d in (-1, 0, 1)}


def test_a_waterfall_with_an_unknown_step_is_not_drawn() -> None:
    rows = [("Region", "a", 1), ("Region", "b", None)]
    assert figures(STEPS, (FACTOR, MEMBER, ORDERS), rows) == ()

"""Prose is bound to cells."""

from __future__ import annotations

from decimal import Decimal

import pytest

from catalog.query import ColumnRole, ResultColumn
from catalog.types import MetricFormat
from dataagent.answering.claims import bound, calculated
from dataagent.answering.types import CellRef, Claim

ORDERS = ResultColumn(name="orders", label="Orders", role=ColumnRole.METRIC)
ROWS = ((1200,), (900,))
FIRST = CellRef(row=0, column="orders")


def claim(text: str, value: str, *cells: CellRef) -> Claim:
    return Claim(text=text, value=value, cells=cells)


def test_a_claim_that_equals_its_cell_is_shown() -> None:
    good = claim("Orders: 1\u202f200", "1\u202f200", FIRST)
    assert bound((good,), (ORDERS,), ROWS, ()) == (good,)


@pytest.mark.parametrize(
    "wrong",
    [
        claim("Orders: 1\u202f201", "1\u202f201", FIRST),
        claim("Orders went up", "1\u202f200", FIRST),
        claim("Orders: 1\u202f200", "1\u202f200", CellRef(row=7, column="orders")),
        claim("Orders: 1\u202f200", "1\u202f200", CellRef(row=0, column="revenue")),
        claim("Orders: 1\u202f200", "1\u202f200"),
    ],
)
def test_a_claim_that_does_not_follow_is_dropped(wrong: Claim) -> None:
    assert bound((wrong,), (ORDERS,), ROWS, ()) == ()


def test_calculations_over_cells_are_recomputed() -> None:
    cells = [(Decimal(900), ORDERS), (Decimal(1200), ORDERS)]
    assert calculated("difference", cells) == "300"
    assert calculated("percent_change", cells) == "33.33\u202f%"
    assert calculated("share", cells) == "75.0\u202f%"


def test_a_change_from_zero_has_no_percentage() -> None:
    assert calculated("percent_change", [(Decimal(0), ORDERS), (Decimal(5), ORDERS)]) == ""


def test_a_percentage_is_a_ratio_times_one_hundred() -> None:
    rate = ResultColumn(name="r", label="Rate", role=ColumnRole.METRIC, format=MetricFormat.PERCENT)
    assert calculated("", [(Decimal("0.125"), rate)]) == "12.5\u202f%"

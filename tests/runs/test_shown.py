"""What somebody else than the asker sees of an answer: how it was computed, and no figure of it."""

from __future__ import annotations

from decimal import Decimal

from catalog.query import ColumnRole, ResultColumn
from dataagent.answering.explained import CONTEXT
from dataagent.answering.types import Answer, Check, CheckOutcome
from dataagent.intent.types import Decision
from dataagent.runs.shown import without_data

REGION = ResultColumn(name="region", label="Region", role=ColumnRole.DIMENSION)
REVENUE = ResultColumn(name="revenue", label="Revenue", role=ColumnRole.METRIC)
ANSWER = Answer(
    question="revenue by region",
    decision=Decision.ANSWER,
    headline="EMEA has the highest revenue: 4711",
    columns=(REGION, REVENUE),
    rows=(("EMEA", Decimal(4711)), (None, Decimal(1))),
    total_row=(None, Decimal(4712)),
    checks=(Check(name="nulls:region", outcome=CheckOutcome.WARNED, detail="1 of 2 rows belong to no region."),),
    caveats=("1 of 2 rows belong to no region.", "Test accounts are left out."),
)


def test_neither_rows_nor_their_whole_nor_what_was_found_in_them_is_shown() -> None:
    shown = without_data(ANSWER)
    assert (shown.rows, shown.total_row, shown.claims) == ((), (), ())
    assert shown.caveats == ("Test accounts are left out.",)
    assert "47" not in repr(shown)
    assert shown.columns == ANSWER.columns


def test_titles_of_documented_events_are_not_shown_to_other_readers() -> None:
    line = f"{CONTEXT}: 24 Mar 2025, Incident."
    answer = Answer(question="q", decision=Decision.ANSWER, headline="h", caveats=(line, "Test accounts are left out."))
    assert without_data(answer).caveats == ("Test accounts are left out.",)

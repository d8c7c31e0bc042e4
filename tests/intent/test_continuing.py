"""Follow-ups about what was shown: the period beside it, its order, which row stands out, its total."""

from __future__ import annotations

import pytest

from dataagent.intent.planjson import plan_json
from dataagent.intent.types import Decision
from tests.intent.library import understood

BESIDE = [
    ("fines in May 2024", "and the month before", "2024-04-01", "2024-05-01"),
    ("fines in May 2024", "what about the month before that?", "2024-04-01", "2024-05-01"),
    ("fines in January 2024", "and the month before", "2023-12-01", "2024-01-01"),
    ("fines in May 2024", "and the following month", "2024-06-01", "2024-07-01"),
    ("fines in Q1 2024", "the previous one", "2023-10-01", "2024-01-01"),
    ("fines in H1 2024", "the previous period", "2023-07-01", "2024-01-01"),
    ("fines in 2024", "and the year after", "2025-01-01", "2026-01-01"),
    ("fines last week", "the week before", "2025-06-02", "2025-06-09"),
    ("fines yesterday", "and the day before", "2025-06-16", "2025-06-17"),
    ("fines last month", "and the month after", "2025-06-01", "2025-07-01"),
]


@pytest.mark.parametrize(("earlier", "question", "start", "end"), BESIDE)
def test_the_period_beside_the_earlier_one_counts_from_it(earlier: str, question: str, start: str, end: str) -> None:
    found = understood(question, turns=(earlier,))
    assert found.decision is Decision.ANSWER
    window = plan_json(found.intent)["time_range"]
    assert (window["start"], window["end"]) == (start, end)


@pytest.mark.parametrize(
    ("earlier", "question"),
    [
        ("fines in May 2024", "and the year before"),
        ("fines in 2024", "and the month before"),
        ("fines in the last 7 days", "the period before"),
        ("fines by genre", "the month before"),
        ("fines last month", "and the month after that month after"),
        ("fines this month", "the month after"),
        ("fines mtd", "the month before"),
    ],
)
def test_a_period_that_is_not_beside_the_earlier_one_stops(earlier: str, question: str) -> None:
    assert understood(earlier).decision is Decision.ANSWER
    assert understood(question, turns=(earlier,)).decision is Decision.ABSTAIN


ROWS = [
    ("sort ascending", [{"by": "fines", "dir": "asc"}], None),
    ("sort it from high to low", [{"by": "fines", "dir": "desc"}], None),
    ("sort by fines descending", [{"by": "fines", "dir": "desc"}], None),
    ("sort by genre", [{"by": "genre", "dir": "asc"}], None),
    ("which one is the lowest?", [{"by": "fines", "dir": "asc"}], 1),
    ("which had the most", [{"by": "fines", "dir": "desc"}], 1),
    ("which genre was the highest", [{"by": "fines", "dir": "desc"}], 1),
]


@pytest.mark.parametrize(("question", "order", "limit"), ROWS, ids=[q for q, _, _ in ROWS])
def test_rows_of_one_figure_can_be_sorted_and_one_of_them_stands_out(
    question: str, order: list[dict[str, str]], limit: int | None
) -> None:
    found = understood(question, turns=("fines by genre in 2024",))
    assert found.decision is Decision.ANSWER
    plan = plan_json(found.intent)
    assert (plan["dimensions"], plan["order"], plan["limit"]) == (["genre"], order, limit)


def test_the_month_that_stands_out_is_one_of_those_shown() -> None:
    plan = plan_json(understood("which month was the highest", turns=("fines by month in 2024",)).intent)
    assert (plan["grain"], plan["order"], plan["limit"]) == ("month", [{"by": "fines", "dir": "desc"}], 1)


@pytest.mark.parametrize("question", ["sort ascending", "which one is the lowest", "which genre had the most"])
@pytest.mark.parametrize(
    "earlier",
    [
        "top 5 genres by fines in 2024",
        "fines by genre in 2024 vs 2023",
        "fines and loans by genre in 2024",
        "share of fines by genre in 2024",
    ],
)
def test_rows_without_one_plain_figure_stop(question: str, earlier: str) -> None:
    assert understood(earlier).decision is Decision.ANSWER
    assert understood(question, turns=(earlier,)).decision is Decision.ABSTAIN


def test_months_are_not_sorted_by_a_bare_direction() -> None:
    assert understood("sort descending", turns=("fines by month in 2024",)).decision is Decision.ABSTAIN


@pytest.mark.parametrize("question", ["what is the total", "in total?", "and in total"])
def test_the_total_is_the_figure_of_everything_shown(question: str) -> None:
    found = understood(question, turns=("fines by genre in 2024",))
    assert found.decision is Decision.ANSWER
    plan = plan_json(found.intent)
    assert (plan["metrics"], plan["dimensions"], plan["time_range"]["expr"]) == (["fines"], [], "2024")
    assert understood(question, turns=("top 5 genres by fines in 2024",)).decision is Decision.ABSTAIN


@pytest.mark.parametrize("question", ["fines ascending", "fines in 2024 descending"])
def test_an_order_of_a_single_figure_asks_by_what(question: str) -> None:
    assert understood(question).decision is Decision.CLARIFY


@pytest.mark.parametrize("question", ["the month before", "which one is the lowest", "in total", "sort ascending"])
def test_none_of_it_is_a_question_of_its_own(question: str) -> None:
    assert understood(question).decision is not Decision.ANSWER

"""Lists of things with their columns, and the order in which lists and tables stand."""

from __future__ import annotations

import pytest

from catalog.query import Direction, IntentKind, MetricIntent
from dataagent.intent.types import Decision
from tests.intent.library import understood


def plan(question: str) -> MetricIntent:
    found = understood(question)
    assert found.decision is Decision.ANSWER, (question, found.limitation, [o.label for o in found.options])
    assert found.intent is not None
    return found.intent


@pytest.mark.parametrize(
    ("question", "entity", "columns"),
    [
        ("what are the names of the books", "book", ()),
        ("show the genre of all books", "book", ("genre",)),
        ("what are the names and genres of the books", "book", ("genre",)),
        ("list the genre and name of all books", "book", ("genre",)),
        ("list readers with their city", "reader", ("reader_city",)),
        ("list branches along with their city", "branch", ("branch_city",)),
        ("list books. Return the genre", "book", ("genre",)),
    ],
)
def test_a_list_has_the_columns_that_are_named(question: str, entity: str, columns: tuple[str, ...]) -> None:
    found = plan(question)
    assert (found.kind, found.entity, found.dimensions) == (IntentKind.ENTITY_LIST, entity, columns)


def test_which_things_are_somewhere_is_a_list_under_a_condition() -> None:
    found = plan("which branches are in Ghent")
    assert (found.kind, found.entity, found.filters[0].values) == (IntentKind.ENTITY_LIST, "branch", ("Ghent",))
    assert plan("which branches are not in Ghent").filters[0].op == "!="


@pytest.mark.parametrize(
    ("question", "order", "limit"),
    [
        ("list loans ordered by loan days", ("loan_days", Direction.ASC), None),
        ("list loans sorted by loan days descending", ("loan_days", Direction.DESC), None),
        ("list books sorted alphabetically", ("book_title", Direction.ASC), None),
        ("list branches ordered by city", ("branch_city", Direction.ASC), None),
        ("top 5 loans by loan days", ("loan_days", Direction.DESC), 5),
        ("top 3 loans with the highest loan days", ("loan_days", Direction.DESC), 3),
        ("which loan has the highest loan days", ("loan_days", Direction.DESC), 1),
        ("which loans have the lowest loan days", ("loan_days", Direction.ASC), None),
        ("loans by genre ordered by genre", ("genre", Direction.ASC), None),
        ("loans by genre in May sorted by loans", ("loans", Direction.DESC), None),
        ("loans by genre sorted by loans ascending", ("loans", Direction.ASC), None),
        ("loans and fines by genre sorted by fines", ("fines", Direction.DESC), None),
        ("loans by month in 2024 sorted by loans", ("loans", Direction.DESC), None),
    ],
)
def test_the_order_is_the_one_that_is_asked_for(question: str, order: tuple[str, Direction], limit: int | None) -> None:
    found = plan(question)
    assert ([(o.by, o.direction) for o in found.order], found.limit) == ([order], limit)


def test_an_order_without_a_direction_is_told_where_it_is_one_of_figures() -> None:
    assert "highest comes first" in " ".join(d.text for d in plan("loans by genre sorted by loans").defaults_used)
    assert "highest" not in " ".join(d.text for d in plan("loans by genre sorted by genre").defaults_used)


@pytest.mark.parametrize(
    "question",
    [
        "top 2 genres by loans sorted alphabetically",
        "loans by genre sorted by fines",
        "loans sorted by genre",
        "how many branches ordered by city",
        "top 5 books by genre",
        "top 3 loans with the lowest loan days",
        "loans by branch with their channel",
        "list readers ordered by reader name",
        "list readers with their reader name",
    ],
)
def test_an_order_or_a_column_that_cannot_be_kept_is_never_dropped(question: str) -> None:
    assert understood(question).decision is not Decision.ANSWER


def test_ordered_by_is_an_order_and_no_deed_unless_somebody_did_it() -> None:
    by_city = plan("list branches ordered by city")
    assert (by_city.having, by_city.entity_condition, by_city.sets) == ((), (), ())


def test_a_column_of_the_things_takes_no_default_of_something_else() -> None:
    """ "their city" is the city of the branch, and no owner's default for loans speaks of it."""
    found = plan("loans by branch with their city")
    assert found.dimensions == ("branch_name", "branch_city")
    assert all(d.key != "city" for d in found.defaults_used)


def test_a_metric_that_is_named_twice_is_one() -> None:
    assert plan("number of loans by genre ordered by the number of loans").metrics == ("loans",)

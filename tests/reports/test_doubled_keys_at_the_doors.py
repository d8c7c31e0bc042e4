"""A key of the catalog that the data break would double figures: at every door the question stops and says so."""

from __future__ import annotations

from tests.reports.conftest import Founding
from tests.reports.test_joins_and_totals import CRM, CRM_ROWS

DOUBLED = CRM_ROWS + "INSERT INTO crm.users VALUES (4, 'owner');"


def test_a_figure_by_a_table_whose_key_repeats_is_not_shown(company: Founding) -> None:
    told = company("doubled", CRM, DOUBLED).stop("accounts by role", "2025-06-18")
    assert (told["decision"], told["rows"]) == ("abstain", [])
    assert "id of crm.users is declared as a key, but values of it stand in more than one row" in str(told)


def test_a_figure_that_does_not_join_that_table_is(company: Founding) -> None:
    told = company("doubled", CRM, DOUBLED).ask("worth", "2025-06-18")
    assert told.rows == [[110]]


def test_over_a_bridge_the_counted_rows_own_key_has_to_hold(company: Founding) -> None:
    rows = CRM_ROWS + "INSERT INTO crm.accounts VALUES (2, 'two again', 5);"
    told = company("twice", CRM, rows).stop("accounts by role", "2025-06-18")
    assert (told["decision"], told["rows"]) == ("abstain", [])
    assert "id of crm.accounts" in str(told)

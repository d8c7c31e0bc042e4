"""The public reports where a person or a program meets them: in the API, the file and the page."""

from __future__ import annotations

import pytest

from tests.reports.conftest import Founding
from tests.reports.door import Company, Told
from tests.reports.test_joins_and_totals import (
    BALANCE_ROWS,
    BALANCES,
    CRM,
    CRM_ROWS,
    STOCK,
    STOCK_ROWS,
    TIMES,
    VISITS,
)
from tests.reports.test_time import ORDERS, table

WEEKS = table(
    [
        ("2022-09-11", 1, "ann"),
        ("2022-09-12", 2, "ann"),
        *((f"2026-08-{day:02}", day, "ann") for day in range(3, 18)),
        ("2018-04-30 23:59:59", 8, "bob"),
        ("2018-05-01 00:00", 16, "bob"),
        ("2023-06-30", 1, "ann"),
        ("2023-07-01", 2, "ann"),
        ("2023-07-31 23:59:59", 4, "bob"),
        ("2023-08-01", 8, "bob"),
        ("2030-01-01", 1000, "ann"),
    ]
)
CALENDAR = "calendar: {timezone: Europe/London, week_start: monday}\ndefaults: {trend_range: last_12_months}\n"


def column(told: Told, at: int) -> tuple[list[str], list[str], list[str]]:
    """A column at each door: the API, the file, the page; numbers without what groups their digits."""
    return (
        [str(row[at]) for row in told.rows],
        [line[at] for line in told.csv[1:]],
        [line[at].replace(" ", "") for line in told.cells],
    )


@pytest.fixture(scope="module")
def shop(company: Founding) -> Company:
    return company("shop", ORDERS.replace("semantic_models:", CALENDAR + "semantic_models:"), WEEKS)


def test_r1_a_week_is_named_by_its_own_first_day_at_every_door(shop: Company) -> None:
    told = shop.ask("amount by week in September 2022", "2022-10-01")
    assert told.rows == [["2022-09-05", 1], ["2022-09-12", 2]]
    assert [line[:2] for line in told.csv[1:]] == [["2022-09-05", "1"], ["2022-09-12", "2"]]
    assert told.cells == [["week of 5 Sep 2022", "1"], ["week of 12 Sep 2022", "2"]]
    assert "Weeks start on Monday; each is named by its first day." in told.said
    assert "Weeks start on Monday" in told.page


@pytest.mark.parametrize(
    ("period", "sums", "cut"),
    [
        ("from 2026-08-03 to 2026-08-16", [sum(range(3, 10)), sum(range(10, 17))], False),
        ("from 2026-08-04 to 2026-08-17", [sum(range(4, 10)), sum(range(10, 17)), 17], True),
    ],
)
def test_r2_r3_weeks_have_their_days_and_those_that_are_cut_say_so(
    shop: Company, period: str, sums: list[int], cut: bool
) -> None:
    told = shop.ask(f"amount by week {period}", "2026-09-01")
    assert column(told, 1) == ([str(s) for s in sums],) * 3
    assert ("The period cuts the first and the last week" in told.said) is cut
    assert ("The period cuts the first and the last week" in told.page) is cut


def test_r5_r8_a_day_is_the_same_day_in_group_total_file_and_page(shop: Company) -> None:
    told = shop.ask("amount by day and buyer in July 2023", "2023-09-01")
    assert told.rows == [["2023-07-01", "ann", 2], ["2023-07-31", "bob", 4]]
    assert [line[0] for line in told.csv[1:]] == ["2023-07-01", "2023-07-31"]
    assert told.cells == [["1 Jul 2023", "ann", "2"], ["31 Jul 2023", "bob", "4"]]
    assert (told.json["total_row"][2], told.foot[-1]) == (6, "6")


def test_r10_last_month_ends_before_the_first_of_this_month(shop: Company) -> None:
    told = shop.ask("amount last month", "2018-05-15")
    assert (told.rows, told.csv[1]) == ([[8]], ["8"])
    assert "1 Apr 2018 to 30 Apr 2018" in told.page


@pytest.mark.parametrize(("words", "days"), [("the last 30 days", "1 Aug 2026 to 30 Aug 2026")])
def test_r11_a_rolling_window_tells_its_days_and_leaves_the_future_out(shop: Company, words: str, days: str) -> None:
    told = shop.ask(f"amount in {words}", "2026-08-31")
    assert told.rows == [[sum(range(3, 18))]]
    assert days in told.json["subline"]
    assert days in told.page


def test_r12_the_number_of_a_window_is_that_of_the_question_each_time(shop: Company) -> None:
    said = {shop.ask("How many orders in the past 7 days?", "2026-08-18").json["restatement"] for _ in range(3)}
    assert said == {"Orders, 11 Aug 2026 to 17 Aug 2026"}


def test_r16_a_trend_tells_the_window_that_nobody_named(shop: Company) -> None:
    told = shop.ask("show the trend of orders", "2026-09-15")
    assert {d["key"]: d["value"] for d in told.json["defaults"]}["trend_range"] == "last_12_months"
    assert "last 12 months" in told.page
    assert sum(row[1] for row in told.rows) == 15


def test_r17_an_account_counts_once_per_role_and_a_sum_over_roles_stops(company: Founding) -> None:
    crm = company("crm", CRM, CRM_ROWS)
    told = crm.ask("accounts by role", "2025-06-18")
    assert column(told, 1) == (["2", "1"],) * 3
    assert (told.json["total_row"][1], told.foot[-1]) == (2, "2")
    assert "may overlap" in told.said
    stopped = crm.stop("worth by role", "2025-06-18")
    assert (stopped["decision"], stopped["rows"]) == ("abstain", [])


def test_r19_r20_each_side_of_a_join_is_added_up_at_its_own_grain(company: Founding) -> None:
    stock = company("stock", STOCK, STOCK_ROWS)
    told = stock.ask("sold and stock by region", "2025-06-18")
    assert told.rows[0] == ["north", 12, 210]
    assert (told.csv[1], told.cells[0]) == (["north", "12", "210"], ["north", "12", "210"])
    ratio = stock.ask("stock per sale by region", "2025-06-18")
    assert ratio.rows[0] == ["north", 70.0]
    assert ratio.json["total_row"][1] == 52.5


def test_r21_r22_totals_are_counted_and_divided_anew(company: Founding) -> None:
    times = company("times", TIMES.replace("name: rate", "name: fulfilment"), VISITS)
    users = times.ask("active users by month in 2025", "2025-06-18")
    assert column(users, 1) == (["10"] * 5,) * 3
    assert (users.json["total_row"][1], users.foot) == (10, ["Overall", "10"])
    rate = times.ask("fulfilment by month in 2025", "2025-06-18")
    assert rate.json["total_row"][1] == pytest.approx(55 / 150)
    assert rate.foot == ["Overall", "0.3667"]


def test_r29_a_balance_is_the_last_one(company: Founding) -> None:
    told = company("bank", BALANCES, BALANCE_ROWS).ask("total balance in January 2025", "2025-03-01")
    assert (told.rows, told.csv[1]) == ([[4000]], ["4000"])
    assert "Total balance: 4 000" in told.page

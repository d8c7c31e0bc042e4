"""Values are shown exactly, with units, and never rounded without the exact form beside them."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.calculations import Derived
from catalog.query import ColumnRole, ResultColumn
from catalog.types import MetricFormat, TimeGranularity
from dataagent.answering.numerals import rounded_text
from frontend.contexts.table import table_view
from frontend.values import as_decimal, compact, decimals_of, duration, figure, period, plain, show
from tests.frontend.samples import ORDERS, REVENUE, SHARE

HOURS = ResultColumn(name="h", label="Hours", role=ColumnRole.METRIC, format=MetricFormat.HOURS)
THIN = "\u202f"


@pytest.mark.parametrize(
    ("number", "decimals", "text"),
    [
        ("1234567.891", 2, f"1{THIN}234{THIN}567.89"),
        ("-1234.5", 1, f"\u22121{THIN}234.5"),
        ("0.005", 2, "0.005"),
        ("-0.001", 2, "\u22120.001"),
        ("0.0000123", 2, "0.000012"),
        ("0.00000000000000000026", 2, "2.6 × 10⁻¹⁹"),
        ("-1e300", 2, "\u22121 × 10³⁰⁰"),
        ("0.00", 2, "0.00"),
        ("-0.0", 2, "0.00"),
        ("9223372036854775807", 0, f"9{THIN}223{THIN}372{THIN}036{THIN}854{THIN}775{THIN}807"),
        ("-9223372036854775808", 0, f"\u22129{THIN}223{THIN}372{THIN}036{THIN}854{THIN}775{THIN}808"),
    ],
)
def test_numbers_are_grouped_with_thin_spaces_and_a_true_minus(number: str, decimals: int, text: str) -> None:
    assert rounded_text(Decimal(number), decimals) == text


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**30), max_value=10**30))
def test_the_exact_form_of_a_cell_is_the_value_itself(number: Decimal) -> None:
    assert Decimal(show(number, ORDERS, 2).exact) == number


@given(st.integers(min_value=-(2**63), max_value=2**63 - 1))
def test_an_integer_keeps_all_its_digits(number: int) -> None:
    text = show(number, ORDERS, 0).text
    assert int(text.replace(THIN, "").replace("\u2212", "-")) == number


def test_a_share_is_shown_as_a_percentage_and_keeps_its_exact_form() -> None:
    shown = figure(Decimal("0.12345"), SHARE)
    assert (shown.text, shown.exact) == (f"12.34{THIN}%", "12.345")


def test_a_currency_sign_stands_before_the_number_and_the_minus_before_the_sign() -> None:
    assert figure(Decimal("-1234.5"), REVENUE).text == f"\u2212$1{THIN}234.50"


def test_hours_carry_their_unit() -> None:
    assert figure(Decimal("4.25"), HOURS).text == f"4.25{THIN}h"


def test_a_missing_value_is_a_mark_and_never_a_zero() -> None:
    shown = show(None, REVENUE, 2)
    assert (shown.text, shown.kind, shown.exact) == ("–", "null", "")


@pytest.mark.parametrize("value", ["NaN", "Infinity", "text", True, None])
def test_what_is_no_finite_number_is_no_number(value: str | bool | None) -> None:
    assert as_decimal(value) is None


def test_a_code_in_a_dimension_is_not_turned_into_a_number() -> None:
    code = ResultColumn(name="code", label="Code", role=ColumnRole.DIMENSION)
    assert show("007", code).text == "007"


@pytest.mark.parametrize(
    ("values", "column", "places"),
    [
        ((Decimal("1"), Decimal("2")), REVENUE, 0),
        ((Decimal("1.5"), Decimal("2")), REVENUE, 2),
        ((Decimal("0.001"), Decimal("0.5")), ORDERS, 3),
        ((Decimal("12.34567"),), ORDERS, 2),
        ((None, None), ORDERS, 0),
    ],
)
def test_a_column_shows_as_many_places_as_it_needs(
    values: tuple[Decimal | None, ...], column: ResultColumn, places: int
) -> None:
    assert decimals_of(values, column) == places


@pytest.mark.parametrize(
    ("value", "granularity", "text"),
    [
        (date(2025, 4, 1), TimeGranularity.QUARTER, "Q2 2025"),
        (date(2025, 4, 1), TimeGranularity.MONTH, "Apr 2025"),
        (date(2025, 6, 2), TimeGranularity.WEEK, "week of 2 Jun 2025"),
        (datetime(2025, 6, 2), TimeGranularity.DAY, "2 Jun 2025"),  # noqa: DTZ001
        ("2025-06-02", TimeGranularity.DAY, "2 Jun 2025"),
        ("not a date", TimeGranularity.DAY, "not a date"),
    ],
)
def test_a_period_has_the_name_that_people_use(value: date | str, granularity: TimeGranularity, text: str) -> None:
    assert period(value, granularity) == text


@pytest.mark.parametrize(
    ("number", "text"), [("1250000", "1.25M"), ("-3000", "\u22123k"), ("0.25", "0.25"), ("0", "0")]
)
def test_an_axis_label_is_short_and_exact(number: str, text: str) -> None:
    assert compact(Decimal(number)) == text


@pytest.mark.parametrize(
    ("ms", "text"), [(12.4, f"12{THIN}ms"), (1400, f"1.4{THIN}s"), (125_000, f"2{THIN}min 5{THIN}s")]
)
def test_a_duration_has_a_fitting_unit(ms: float, text: str) -> None:
    assert duration(ms) == text


def test_all_digits_are_kept_in_the_plain_form() -> None:
    assert plain(Decimal("1E+3")) == "1000"


def test_a_share_of_the_whole_is_left_blank_in_the_foot_and_a_missing_figure_is_marked() -> None:
    share = ResultColumn(name="s", label="Share", role=ColumnRole.METRIC, of="orders", derived=Derived.SHARE)
    group = ResultColumn(name="region", label="Region", role=ColumnRole.DIMENSION)
    foot = table_view((group, ORDERS, share), (("EMEA", 3, Decimal("0.5")),), total_row=(None, None, None)).total
    assert [cell.text for cell in foot[1:]] == ["–", ""]


def test_every_digit_of_a_number_of_39_digits_is_in_its_cell() -> None:
    most = 2**127 - 1
    assert show(most, ORDERS, 0).text.replace(THIN, "") == str(most)

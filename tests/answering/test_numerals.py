"""Values as people read them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from catalog.query import ColumnRole, ResultColumn
from catalog.types import MetricFormat, TimeGranularity
from dataagent.answering.numerals import cell_text, member_text, number_text, time_text, window_text


@pytest.mark.parametrize(
    ("value", "kind", "unit", "text"),
    [
        (1234567, MetricFormat.NUMBER, "", "1\u202f234\u202f567"),
        (Decimal("1234.5"), MetricFormat.CURRENCY, "€", "€1\u202f234.50"),
        (Decimal("-1234.5"), MetricFormat.CURRENCY, "$", "\u2212$1\u202f234.50"),
        (Decimal("0.0345"), MetricFormat.PERCENT, "", "3.45\u202f%"),
        (Decimal("0.3919"), MetricFormat.PERCENT, "", "39.19\u202f%"),
        (Decimal("0.5"), MetricFormat.PERCENT, "", "50.0\u202f%"),
        (9007199254740993, MetricFormat.NUMBER, "", "9\u202f007\u202f199\u202f254\u202f740\u202f993"),
        (Decimal("3.10"), MetricFormat.HOURS, "", "3.1\u202fh"),
        (0, MetricFormat.NUMBER, "", "0"),
        (Decimal("0.004"), MetricFormat.CURRENCY, "€", "€0.004"),
        (Decimal("-0.000012"), MetricFormat.PERCENT, "", "\u22120.0012\u202f%"),
        (Decimal("0.0021"), MetricFormat.NUMBER, "pp", "0.0021\u202fpp"),
        (Decimal("2.6e-19"), MetricFormat.NUMBER, "", "2.6 × 10⁻¹⁹"),
        (Decimal("1e300"), MetricFormat.NUMBER, "V", "1 × 10³⁰⁰\u202fV"),
        (Decimal("1.5e35"), MetricFormat.PERCENT, "", "15" + "\u202f000" * 12 + ".0\u202f%"),
        (2**127 - 1, MetricFormat.NUMBER, "", f"{2**127 - 1:,}".replace(",", "\u202f")),
        (Decimal("-0.0"), MetricFormat.CURRENCY, "€", "€0.00"),
    ],
)
def test_a_number_is_shown_exactly_with_its_unit(value: Decimal, kind: MetricFormat, unit: str, text: str) -> None:
    assert number_text(value, kind, unit) == text


def test_time_buckets_are_named_by_their_size() -> None:
    day = date(2025, 4, 7)
    named = [time_text(day, g) for g in (TimeGranularity.MONTH, TimeGranularity.QUARTER, TimeGranularity.WEEK, None)]
    assert named == ["Apr 2025", "Q2 2025", "week of 7 Apr 2025", "7 Apr 2025"]


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (date(2025, 10, 1), "Q4 2025"),
        (date(2025, 2, 1), "Feb to Apr 2025"),
        (date(2024, 11, 1), "Nov 2024 to Jan 2025"),
        (date(2024, 12, 1), "Dec 2024 to Feb 2025"),
    ],
)
def test_a_quarter_that_is_none_of_the_calendars_is_named_by_its_months(start: date, name: str) -> None:
    assert time_text(start, TimeGranularity.QUARTER) == name


def test_a_half_open_window_names_its_last_day() -> None:
    assert window_text(date(2025, 5, 1), date(2025, 6, 1)) == "1 May 2025 to 31 May 2025"
    assert window_text(date(2025, 6, 17), date(2025, 6, 18)) == "17 Jun 2025"


def test_a_key_keeps_its_digits_together_and_a_count_does_not() -> None:
    key = ResultColumn(name="policy_number", label="Policy number", role=ColumnRole.DIMENSION)
    count = ResultColumn(name="claims", label="Claims", role=ColumnRole.METRIC)
    assert cell_text(31003000336, key) == "31003000336"
    assert cell_text(31003000336, count) == "31\u202f003\u202f000\u202f336"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "(no account)"),
        ("", "(empty)"),
        ("  \t", "(empty)"),
        ("two\nlines", "two lines"),
        ("\u202eright to left\x00", "right to left"),
        ("<b>", "<b>"),
        ("x" * 600, "x" * 12 + "…"),
        ("word " * 99, "word " * 15 + "word…"),
        ("10d6bad172ab93cd2e278bcca191a539", "10d6bad172ab…"),
        (12, "12"),
    ],
)
def test_the_name_of_a_group_fits_into_a_sentence(value: str | int | None, text: str) -> None:
    account = ResultColumn(name="account", label="Account", role=ColumnRole.DIMENSION)
    assert member_text(value, account) == text

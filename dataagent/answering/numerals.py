"""Values as people read them: exact, with units, thin spaces and never a float's noise."""

from __future__ import annotations

import unicodedata
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Context, Decimal

from catalog.calculations import CONTRIBUTED, Derived
from catalog.labels import part_text
from catalog.query import ColumnRole, ResultColumn
from catalog.restate import day_text, month_text
from catalog.types import MetricFormat, Scalar, TimeGranularity

THIN = "\u202f"
"""Narrow no-break space: groups thousands and joins a number to its unit."""
MINUS = "\u2212"
NO_VALUE = "–"
_DECIMALS = {
    MetricFormat.CURRENCY: 2,
    MetricFormat.HOURS: 1,
    MetricFormat.DAYS: 1,
    MetricFormat.NUMBER: 2,
}
_SUFFIX = {MetricFormat.PERCENT: "%", MetricFormat.HOURS: "h", MetricFormat.DAYS: "days"}


WIDE = Context(prec=400, rounding=ROUND_HALF_EVEN)
"""Keeps every digit of what an engine can give, a double of 300 digits too."""
_MOST_DIGITS, _LEAST_POWER = 40, -6
"""A number with more digits, or one that begins further behind the point, stands as a power of ten."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LONGEST_MEMBER, _LONGEST_WORD, _WORD_KEPT = 80, 31, 12

POINTS = "pp"
"""The unit of a change between two percentages: percentage points."""
SIGNED = (Derived.DIFFERENCE, Derived.PERCENT_CHANGE, Derived.POINTS, *CONTRIBUTED)
"""Columns that tell a direction: a rise has its sign as well."""


def cell_text(value: Scalar, column: ResultColumn) -> str:
    """A result cell as text: numbers by the column's format, dates by its granularity, "–" for NULL.

    The numbers of weekdays, months, quarters and hours are their names.

    Whole numbers that something is grouped by are keys and codes: their digits stay together.
    """
    if value is None:
        return NO_VALUE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and column.role is ColumnRole.DIMENSION:
        return part_text(value, column.part)
    if isinstance(value, int | Decimal):
        sign = "+" if value > 0 and column.derived in SIGNED else ""
        return sign + number_text(value, column.format, column.unit)
    if isinstance(value, datetime | date):
        return time_text(value, column.granularity)
    return value


def number_text(value: int | Decimal, kind: MetricFormat = MetricFormat.NUMBER, unit: str = "") -> str:
    """A number with thin-space thousands and its unit; percentages are ratios times 100.

    Whole numbers show no decimals; others are rounded half to even to the format's
    decimals.  The exact value stays in the result.
    """
    exact = WIDE.multiply(Decimal(value), Decimal(100)) if kind is MetricFormat.PERCENT else Decimal(value)
    digits = rounded_text(exact, _places(exact, kind, unit))
    suffix = _SUFFIX.get(kind, "") or unit
    if kind is MetricFormat.CURRENCY and unit in {"$", "€", "£"}:
        return f"{MINUS}{unit}{digits[1:]}" if digits.startswith(MINUS) else f"{unit}{digits}"
    return f"{digits}{THIN}{suffix}" if suffix else digits


def is_slight(value: int | Decimal, column: ResultColumn) -> bool:
    """Whether the number is not 0 and would be 0 with the decimals that such numbers are usually shown with."""
    exact = WIDE.multiply(Decimal(value), Decimal(100)) if column.format is MetricFormat.PERCENT else Decimal(value)
    places = _places(exact, column.format, column.unit)
    return bool(exact) and not exact.quantize(Decimal(1).scaleb(-places), context=WIDE)


def _places(exact: Decimal, kind: MetricFormat, unit: str) -> int:
    return _decimals(exact, MetricFormat.PERCENT if unit == POINTS else kind)


def _decimals(exact: Decimal, kind: MetricFormat) -> int:
    whole = exact == exact.to_integral_value()
    if whole and kind not in (MetricFormat.CURRENCY, MetricFormat.PERCENT):
        return 0
    if kind is MetricFormat.PERCENT:
        tenths = WIDE.multiply(exact, Decimal(10))
        return 1 if tenths == tenths.to_integral_value() else 2
    return _DECIMALS[kind]


def rounded_text(number: Decimal, decimals: int) -> str:
    """The number with `decimals` places, thin spaces between thousands, a true minus sign, no "-0".

    What is not 0 never reads as 0: where the places are too few, its first two digits are shown.
    """
    if number and not _LEAST_POWER <= number.adjusted() <= _MOST_DIGITS:
        return power_text(number)
    rounded = number.quantize(Decimal(1).scaleb(-decimals), context=WIDE)
    if not rounded and number:
        rounded = Context(prec=2, rounding=ROUND_HALF_EVEN).plus(number).normalize()
    text = f"{rounded.copy_abs():,f}".replace(",", THIN)
    return f"{MINUS}{text}" if rounded < 0 else text


def power_text(number: Decimal) -> str:
    """ "2.6 × 10⁻¹⁹": three digits and a power of ten."""
    short = Context(prec=3, rounding=ROUND_HALF_EVEN).plus(number.copy_abs()).normalize()
    power = short.adjusted()
    text = f"{short.scaleb(-power):f} × 10{str(power).translate(_RAISED)}"
    return f"{MINUS}{text}" if number < 0 else text


def member_text(value: Scalar, column: ResultColumn) -> str:
    """A group's name within a sentence: "(no region)" for none, "(empty)" for blank text.

    Long names are cut, words of a hash's length early; signs that are not seen but turn the text around are left out.
    """
    if value is None:
        return f"(no {column.label.lower()})"
    text = cell_text(value, column)
    seen = "".join(c for c in text if unicodedata.category(c) not in {"Cc", "Cf"} or c in "\n\t\u200d")
    line = " ".join(map(_short_word, seen.split())) if isinstance(value, str) else text
    if not line:
        return "(empty)"
    return line if len(line) <= _LONGEST_MEMBER else f"{line[:_LONGEST_MEMBER].rstrip()}…"


def _short_word(word: str) -> str:
    return word if len(word) <= _LONGEST_WORD else f"{word[:_WORD_KEPT]}…"


def time_text(value: date, granularity: TimeGranularity | None) -> str:
    """A bucket's name: "Mar 2025", "Q1 2025", "week of 3 Mar 2025", "2025", else the day or moment.

    A quarter that is none of the calendar's is named by its months: "Feb to Apr 2025".
    """
    if granularity is TimeGranularity.MONTH:
        return month_text(value)
    if granularity is TimeGranularity.QUARTER:
        return _quarter_text(value)
    if granularity is TimeGranularity.YEAR:
        return str(value.year)
    if granularity is TimeGranularity.WEEK:
        return f"week of {day_text(value)}"
    if isinstance(value, datetime) and granularity in (None, TimeGranularity.HOUR, TimeGranularity.MINUTE):
        return f"{day_text(value)} {value:%H:%M}"
    return day_text(value)


def _quarter_text(start: date) -> str:
    if start.month % 3 == 1:
        return f"Q{(start.month - 1) // 3 + 1} {start.year}"
    last = date(start.year + (start.month + 1) // 12, (start.month + 1) % 12 + 1, 1)
    first = month_text(start) if last.year != start.year else month_text(start).split()[0]
    return f"{first} to {month_text(last)}"


def window_text(start: date | None, end: date | None) -> str:
    """A half-open window [start, end) as its first and last day, both included."""
    last = end - timedelta(days=1) if end else None
    if start and last:
        return day_text(start) if start == last else f"{day_text(start)} to {day_text(last)}"
    if start:
        return f"since {day_text(start)}"
    return f"until {day_text(last)}" if last else "all time"

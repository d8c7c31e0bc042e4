"""Values as people read them: exact, grouped with thin spaces, with units.

Nothing here rounds silently: a shortened number carries its exact form in `Shown.exact`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

from catalog.query import ColumnRole, ResultColumn
from catalog.restate import day_text
from catalog.types import MetricFormat, Polarity, Scalar, TimeGranularity
from dataagent.answering.numerals import (
    MINUS,
    NO_VALUE,
    POINTS,
    SIGNED,
    THIN,
    WIDE,
    power_text,
    rounded_text,
    time_text,
)

SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "$": "$", "€": "€", "£": "£"}
SUFFIXES = {MetricFormat.PERCENT: "%", MetricFormat.HOURS: "h", MetricFormat.DAYS: "days"}
COMPACT = ((Decimal(10) ** 12, "T"), (Decimal(10) ** 9, "B"), (Decimal(10) ** 6, "M"), (Decimal(10) ** 3, "k"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A value as text.  `exact` is the unrounded form; `kind` is number, text, time or null."""

    text: str
    exact: str
    kind: str


def show(value: Scalar, column: ResultColumn, decimals: int = 0) -> Shown:
    """The cell as a person reads it, without its unit (the column's head carries that)."""
    if value is None:
        grouping = column.role is ColumnRole.DIMENSION
        return Shown(text=f"(no {column.label.lower()})" if grouping else NO_VALUE, exact="", kind="null")
    if column.role is ColumnRole.TIME or isinstance(value, date):
        return Shown(text=period(value, column.granularity), exact=str(value), kind="time")
    number = as_decimal(value) if column.role is ColumnRole.METRIC or not isinstance(value, str) else None
    if number is None:
        return Shown(text=words(value), exact=words(value), kind="text")
    if column.role is ColumnRole.DIMENSION and isinstance(value, int):
        return Shown(text=str(value), exact=str(value), kind="number")  # a key's digits stay together
    scaled = scaled_to(number, column.format)
    text = rounded_text(scaled, decimals)
    rose = column.derived in SIGNED and number > 0
    return Shown(text=f"+{text}" if rose else text, exact=plain(scaled), kind="number")


def verdict(value: Scalar, column: ResultColumn) -> str:
    """ "better" or "worse" for a change of a metric that has a good side; "" for anything else."""
    number = as_decimal(value) if column.derived in SIGNED else None
    if number is None or not number or column.polarity is Polarity.NEUTRAL:
        return ""
    return "better" if (number > 0) is (column.polarity is Polarity.HIGHER_IS_BETTER) else "worse"


def figure(value: Scalar, column: ResultColumn) -> Shown:
    """The cell as a large figure: with its unit."""
    shown = show(value, column, decimals_of((value,), column))
    if shown.kind != "number":
        return shown
    return Shown(text=with_unit(shown.text, column), exact=shown.exact, kind="number")


def with_unit(text: str, column: ResultColumn) -> str:
    """A number's text with the unit of its column: before it for a currency sign, else after it."""
    if column.format is MetricFormat.CURRENCY and column.unit in SYMBOLS:
        sign, digits = (MINUS, text[1:]) if text.startswith(MINUS) else ("", text)
        return f"{sign}{SYMBOLS[column.unit]}{digits}"
    suffix = unit_of(column)
    return f"{text}{THIN}{suffix}" if suffix else text


def unit_of(column: ResultColumn) -> str:
    """The unit for a column's head or an axis: "EUR", "%", "h", "units"; empty when it has none."""
    return SUFFIXES.get(column.format, column.unit)


def as_decimal(value: Scalar | float) -> Decimal | None:
    """The finite number behind a cell, or None when it is none.  Numeric text counts, booleans do not."""
    if value is None or isinstance(value, bool | date):
        return None
    try:
        number = value if isinstance(value, Decimal) else Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def scaled_to(number: Decimal, form: MetricFormat) -> Decimal:
    """The number in its shown unit: shares become percentages."""
    return WIDE.multiply(number, Decimal(100)) if form is MetricFormat.PERCENT else number


def plain(number: Decimal) -> str:
    """All digits of the number, without exponent or trailing zeros."""
    text = f"{number:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"


def decimals_of(values: Iterable[Scalar], column: ResultColumn) -> int:
    """How many places one column shows: enough for its values, at most 2 (4 where all are below 1)."""
    numbers = [scaled_to(n, column.format) for n in map(as_decimal, values) if n is not None]
    if not numbers:
        return 0
    needed = max(max(0, -int(n.normalize(WIDE).as_tuple().exponent)) for n in numbers)
    if column.format is MetricFormat.CURRENCY and needed:
        return 2
    if column.unit == POINTS:
        return max(1, min(needed, 2))
    small = all(abs(n) < 1 for n in numbers)
    most = 4 if small else 2
    return min(needed, most)


def compact(number: Decimal) -> str:
    """A short form for an axis: 1.2M, 350k, 0.25, 3 × 10⁻⁹."""
    if number and not -4 <= number.adjusted() < 15:
        return power_text(number)
    for size, letter in COMPACT:
        if abs(number) >= size:
            return _trimmed(number / size) + letter
    return _trimmed(number)


def _trimmed(number: Decimal) -> str:
    text = plain(number.quantize(Decimal("0.0001"), context=WIDE))
    return text.replace("-", MINUS)


def words(value: Scalar) -> str:
    """A value that is not a number, as text: yes and no for booleans, a mark for empty text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return text if text.strip() else "(empty)"


def period(value: Scalar, granularity: TimeGranularity | None) -> str:
    """A date as its period: "Q2 2025", "May 2025", "week of 2 Jun 2025", "18 Jun 2025"."""
    moment = _moment(value)
    if moment is None:
        return words(value)
    if isinstance(moment, datetime) and granularity is None and not _has_time(moment):
        return day_text(moment)
    return time_text(moment, granularity)


def _has_time(moment: datetime) -> bool:
    return bool(moment.hour or moment.minute or moment.second)


def _moment(value: Scalar) -> datetime | date | None:
    if isinstance(value, date):
        return value
    try:
        return datetime.fromisoformat(str(value))
    except ValueError:
        return None


def clock(moment: datetime | None) -> str:
    """A moment for people: "18 Jun 2025, 14:05 UTC"; a mark when there is none."""
    return f"{day_text(moment)}, {moment:%H:%M} UTC" if moment else NO_VALUE


def duration(milliseconds: float) -> str:
    """A duration: "12 ms", "1.4 s", "2 min 5 s"."""
    if 0 < milliseconds < 1:
        return f"<1{THIN}ms"
    if milliseconds < 1000:
        return f"{milliseconds:.0f}{THIN}ms"
    seconds = milliseconds / 1000
    if seconds < 60:
        return f"{seconds:.1f}{THIN}s"
    return f"{int(seconds // 60)}{THIN}min {int(seconds % 60)}{THIN}s"


def short_digest(digest: str) -> str:
    """The first twelve digits of a digest, enough to tell two apart by eye."""
    return digest.removeprefix("sha256:")[:12]

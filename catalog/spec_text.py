"""A metric query written by hand: `region in (EMEA, 'North America')`, `metric_time:month`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation

from catalog.calculations import Change, PeriodComparison, Top
from catalog.query import GroupBy, QuerySpec, TimeRange
from catalog.timeparts import PARTS
from catalog.types import Filter, Operator, Scalar, TimeGranularity

_CONDITION = re.compile(
    r"^\s*(\w+)\s*(!=|<>|>=|<=|=|>|<|\bis\s+not\s+null\b|\bis\s+null\b|\bnot\s+in\b|\bin\b|\bbetween\b)\s*(.*?)\s*$",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED = r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\""
_ONE = re.compile(rf"^(?:{_QUOTED}|[^'\"]*)$")
_LISTED = re.compile(rf"\s*({_QUOTED}|[^,'\"]+?)\s*(?:,|$)")
_BETWEEN = re.compile(rf"^({_QUOTED}|[^'\"]+?)\s+and\s+({_QUOTED}|[^'\"]+)$", re.IGNORECASE)
_BACK = {"previous": None, "year_ago": TimeGranularity.YEAR}


class BadText(ValueError):
    """A text that cannot be read; the message says what would be."""


def spec_of(
    metrics: Sequence[str],
    *,
    by: Sequence[str] = (),
    where: Sequence[str] = (),
    start: str = "",
    end: str = "",
    compare: str = "",
    top: int = 0,
) -> QuerySpec:
    """The query.  `start` and `end` are days, both included; `compare` is previous or year_ago; `top` 0 keeps all rows.

    Raises:
        BadText: a part cannot be read.
    """
    if compare and compare not in _BACK:
        raise BadText(f'"{compare}" is no comparison; use one of {", ".join(_BACK)}.')
    if top < 0:
        raise BadText("The number of rows to keep is a whole number from 1.")
    back = PeriodComparison(changes=(Change.DIFFERENCE, Change.PERCENT), back_granularity=_BACK[compare or "previous"])
    return QuerySpec(
        metrics=tuple(metrics),
        group_by=tuple(group_of(text) for text in by),
        where=tuple(filter_of(text) for text in where),
        time_range=_window(start, end),
        comparison=back if compare else None,
        top=Top(by=metrics[0], count=top) if top else None,
    )


def group_of(text: str) -> GroupBy:
    """The grouping behind `name`, `name:grain`, `name:day_of_week` or `name:period`, a period of a time spine.

    Raises:
        BadText: there is no such size of time.
    """
    name, _, grain = text.strip().partition(":")
    if not grain or grain in set(TimeGranularity):
        return GroupBy(dimension=name, granularity=TimeGranularity(grain) if grain else None)
    if grain in PARTS:
        return GroupBy(dimension=name, part=PARTS[grain])
    if not grain.isidentifier():
        raise BadText(f"{grain} is no size of time; use one of {', '.join((*TimeGranularity, *PARTS))}.")
    return GroupBy(dimension=name, custom=grain)


def filter_of(text: str) -> Filter:
    """The condition behind `name operator value`; values in quotes are text, whatever they look like.

    Raises:
        BadText: it is no condition.
    """
    read = _CONDITION.match(text)
    if read is None:
        raise BadText(
            f'"{text}" is not a condition; write it as "region = EMEA", "region in (EMEA, APAC)", '
            '"amount between 10 and 20" or "region is null".'
        )
    op = Operator({"<>": "!="}.get(read[2], " ".join(read[2].lower().split())))
    return Filter(field=read[1], op=op, values=_values(op, read[3], text))


def _values(op: Operator, written: str, text: str) -> tuple[Scalar, ...]:
    if op in {Operator.IS_NULL, Operator.IS_NOT_NULL}:
        if written:
            raise BadText(f'"{text}" has something after "{op.value}".')
        return ()
    if op in {Operator.IN, Operator.NOT_IN}:
        return _listed(written, text)
    if op is Operator.BETWEEN:
        ends = _BETWEEN.match(written)
        if ends is None:
            raise BadText(f'"{text}" needs two values: "between 10 and 20".')
        return (literal_of(ends[1]), literal_of(ends[2]))
    if not written or not _ONE.match(written):
        raise BadText(f'"{text}" needs one value, in quotes where it holds quotes itself.')
    return (literal_of(written),)


def _listed(written: str, text: str) -> tuple[Scalar, ...]:
    inner = written[1:-1].strip() if written.startswith("(") and written.endswith(")") else ""
    found: list[Scalar] = []
    at = 0
    while at < len(inner):
        one = _LISTED.match(inner, at)
        if one is None:
            raise BadText(f'"{text}" has a value that cannot be read; put it in quotes.')
        found.append(literal_of(one[1]))
        at = one.end()
    if not found:
        raise BadText(f'"{text}" needs its values in brackets: "in (EMEA, APAC)".')
    return tuple(found)


def literal_of(text: str) -> Scalar:
    """A yes or no, a day, a number or a text; quoted, always a text."""
    word = text.strip()
    if word[:1] in {"'", '"'} and len(word) > 1 and word.endswith(word[0]):
        return word[1:-1].replace(word[0] * 2, word[0])
    if word.lower() in {"true", "false"}:
        return word.lower() == "true"
    try:
        number = Decimal(word)
    except InvalidOperation:
        return _day(word) or word
    return number if number.is_finite() else word


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None


def _window(start: str, end: str) -> TimeRange | None:
    if not start and not end:
        return None
    days = [_day(text) for text in (start, end)]
    if any(text and day is None for text, day in zip((start, end), days, strict=True)):
        raise BadText("A first or last day is written as 2025-06-30.")
    first, last = days
    if first and last and last < first:
        raise BadText(f"The last day, {last}, lies before the first, {first}.")
    after = last + timedelta(days=1) if last else None
    return TimeRange(start=first, end=after, expr=f"{start or '…'} to {end or '…'}")

"""The ranges in which a distribution is counted: round limits, chosen from how the figures lie."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from itertools import pairwise

from catalog.query import ResultColumn
from catalog.types import MetricFormat, Scalar
from dataagent.answering.numerals import THIN, rounded_text

MOST_VALUES = 15
"""Whole numbers that span no more than so many are each a range of their own."""
_RANGES = 10
"""About how many ranges the figures up to the 99th percentile are laid out in; the rest is one more."""
_STEPS = (Decimal(1), Decimal(2), Decimal(5), Decimal(10))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranges:
    """Rising inner limits, and the words of each range: one more than there are limits."""

    upto: tuple[Decimal, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How figures lie: how many, how many that are no whole numbers, the smallest, the 99th percentile, the largest."""

    counted: int
    broken: int
    smallest: Decimal
    high: Decimal
    largest: Decimal


def summary_of(columns: tuple[ResultColumn, ...], rows: tuple[tuple[Scalar, ...], ...]) -> Summary | None:
    """The summary in a result of one row; None where there are no figures."""
    cells = dict(zip((c.name for c in columns), rows[0], strict=True)) if rows else {}
    known = {name: Decimal(v) for name, v in cells.items() if isinstance(v, int | Decimal)}
    if not known.get("counted") or not {"smallest", "high", "largest"} <= set(known):
        return None
    return Summary(
        counted=int(known["counted"]),
        broken=int(known.get("broken", 0)),
        smallest=known["smallest"],
        high=known["high"],
        largest=known["largest"],
    )


def ranges_of(found: Summary, figure: ResultColumn) -> Ranges:
    """Each whole number where they are few, else ranges of one round width; one more beyond the 99th percentile."""
    high = max(found.high, found.smallest)
    if not found.broken and high - found.smallest <= MOST_VALUES:
        return _by_value(int(found.smallest), int(high.to_integral_value()), found.largest, figure)
    width = _width((high - found.smallest) / _RANGES) if high > found.smallest else Decimal(1)
    whole = not found.broken
    anchored = whole and width < _RANGES
    first = found.smallest if anchored else (found.smallest / width).to_integral_value(rounding=ROUND_FLOOR) * width
    limits = [first + width]
    while limits[-1] <= high:
        limits.append(limits[-1] + width)
    upto = tuple(limits if found.largest >= limits[-1] else limits[:-1])
    edges = (first, *upto)
    words = [_between(a, b, figure, whole=whole) for a, b in pairwise(edges)]
    last, closed = edges[-1], found.largest < edges[-1] + width
    words.append(_between(last, last + width, figure, whole=whole) if closed else _more(last, figure))
    return Ranges(upto=upto, words=tuple(words))


def _between(first: Decimal, end: Decimal, figure: ResultColumn, *, whole: bool) -> str:
    """A range in words: "20 to under 40", and of whole numbers "20 to 39"."""
    if not whole:
        return f"{_said(first, figure)} to under {_said(end, figure)}"
    return _said(first, figure) if end - first == 1 else f"{_said(first, figure)} to {_said(end - 1, figure)}"


def _by_value(first: int, last: int, largest: Decimal, figure: ResultColumn) -> Ranges:
    """1, 2, 3 and so on; what is beyond the last is counted together."""
    values = [Decimal(v) for v in range(first, last + 1)]
    if largest > last:
        upto = (*values[1:], Decimal(last + 1))
        return Ranges(upto=upto, words=(*(_said(v, figure) for v in values), _more(Decimal(last + 1), figure)))
    return Ranges(upto=tuple(values[1:]), words=tuple(_said(v, figure) for v in values))


def _width(least: Decimal) -> Decimal:
    """The smallest of 1, 2 and 5 times a power of ten that is not below `least`."""
    power = Decimal(1).scaleb(least.adjusted())
    return next(step * power for step in _STEPS if step * power >= least)


def _more(limit: Decimal, figure: ResultColumn) -> str:
    return f"{_said(limit, figure)} or more"


def _said(limit: Decimal, figure: ResultColumn) -> str:
    """The limit with all of its digits: two limits never read alike."""
    percent = figure.format is MetricFormat.PERCENT
    number = (limit * 100 if percent else limit).normalize()
    exponent = number.as_tuple().exponent
    text = rounded_text(number, max(0, -exponent) if isinstance(exponent, int) else 0)
    return f"{text}{THIN}%" if percent else text

"""Which periods a look back compares: whole months, quarters and years where it moves by them, else the rows' own."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.compiler.plan import Shift
from catalog.compiler.refs import SIZES, Ref
from catalog.types import DatePart, TimeGranularity

_MONTHS = (TimeGranularity.MONTH, TimeGranularity.QUARTER, TimeGranularity.YEAR)
_OF_PART: dict[str, TimeGranularity] = {
    DatePart.MONTH: TimeGranularity.MONTH,
    DatePart.QUARTER: TimeGranularity.QUARTER,
    DatePart.YEAR: TimeGranularity.YEAR,
}
"""The largest period that tells a date part."""


def look_back_grain(times: Sequence[Ref], shifts: Sequence[Shift], base: TimeGranularity) -> TimeGranularity:
    """The periods that meet: `base`, unless all that is asked for and each step are whole months, quarters or years.

    A month has no day that each other month has too, so that days moved by months would
    meet none or several: March 29 to 31 would all see February 28.
    """
    asked = [_months_of(t) for t in times]
    steps = [s.granularity for s in shifts]
    if any(g not in _MONTHS for g in (*asked, *steps)):
        return base
    smallest = min((g for g in asked if g), key=SIZES.index)
    # a step that is finer than what is asked for moves day by day, as in MetricFlow
    whole = all(SIZES.index(g) >= SIZES.index(smallest) for g in steps)
    return max(smallest, base, key=SIZES.index) if whole else base


def made_of(ref: Ref, grain: TimeGranularity) -> bool:
    """Whether the name's value is the same all through a period of `grain`."""
    own = _months_of(ref)
    return own is not None and SIZES.index(own) >= SIZES.index(grain)


def _months_of(ref: Ref) -> TimeGranularity | None:
    """The whole months, quarters or years that tell a name; None where these do not."""
    if ref.part:
        return _OF_PART.get(ref.part)
    return next((g for g in _MONTHS if g == ref.grain), None)

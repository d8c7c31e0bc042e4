"""What the columns of calculations are called and how they are shown."""

from __future__ import annotations

from dataclasses import replace

from catalog.calculations import CONTRIBUTED, FRACTIONS, Derived, derived_name
from catalog.labels import DERIVED_WORDS
from catalog.query import ResultColumn
from catalog.types import MetricFormat, Polarity

POINTS_UNIT = "pp"
_PLAIN = {Derived.POINTS, Derived.RATIO, Derived.RANK}
_NO_BETTER = {Derived.RANK, Derived.SHARE, Derived.CHANGE_SHARE}
"""Columns of which more is neither better nor worse: a share grows at the cost of others."""
_KEEPS_PARTS = {Derived.PREVIOUS, Derived.DIFFERENCE}


def derived_column(of: ResultColumn, derived: Derived, *, words: str = "") -> ResultColumn:
    """The column that follows from `of`.  `words` say how, where the kind alone does not."""
    form, unit = of.format, of.unit
    if derived in FRACTIONS:
        form, unit = MetricFormat.PERCENT, ""
    if derived in _PLAIN:
        form, unit = MetricFormat.NUMBER, POINTS_UNIT if derived is Derived.POINTS else ""
    if derived in CONTRIBUTED and of.format is MetricFormat.PERCENT:
        form, unit = MetricFormat.NUMBER, POINTS_UNIT
    return replace(
        of,
        name=derived_name(of.name, derived),
        label=f"{of.label}, {words or DERIVED_WORDS[derived]}",
        format=form,
        unit=unit,
        polarity=Polarity.NEUTRAL if derived in _NO_BETTER else of.polarity,
        additive=of.additive and derived in _KEEPS_PARTS,
        of=of.name,
        derived=derived,
    )

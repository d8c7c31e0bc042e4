"""How closely two figures move together over periods: Pearson's r, recomputed from the cells that it is bound to."""

from __future__ import annotations

from decimal import Decimal

from catalog.calculations import CORRELATION
from catalog.query import ColumnRole
from dataagent.answering.claims import CORRELATED, correlation_of
from dataagent.answering.telling import Told
from dataagent.answering.types import CellRef, Claim

_STRONG, _CLEAR, _SLIGHT = Decimal("0.8"), Decimal("0.5"), Decimal("0.2")


def correlates(told: Told) -> bool:
    """Whether the question is about how two figures move together."""
    return any(t.type == CORRELATION for t in told.intent.transforms)


def correlation_claims(told: Told) -> list[Claim]:
    """How closely they move together; nothing where a row is missing or there are too few periods."""
    figures = [c for c in told.columns if c.role is ColumnRole.METRIC]
    if told.cut or len(figures) != 2 or told.time is None:
        return []
    rows = [i for i in range(len(told.rows)) if all(told.rows[i][told.at[c.name]] is not None for c in figures)]
    cells = tuple(CellRef(row=i, column=c.name) for i in rows for c in figures)
    value = correlation_of([told.cell(ref) for ref in cells])
    if not value:
        return []
    first, second = figures
    unit = told.time.granularity.value if told.time.granularity else "period"
    how = _how(Decimal(value.replace("\u2212", "-")))
    text = f"{first.label} and {second.label.lower()} {how}: r = {value} over {len(rows)} {unit}s"
    return [Claim(text=text, value=value, cells=cells, calculation=CORRELATED)]


def _how(value: Decimal) -> str:
    size = abs(value)
    if size < _SLIGHT:
        return "hardly move together"
    way = "together" if value > 0 else "in opposite directions"
    much = "closely" if size >= _STRONG else "clearly" if size >= _CLEAR else "slightly"
    return f"move {much} {way}"

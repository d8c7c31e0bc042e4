"""What is said of a distribution: its fullest range, and how many things it counts."""

from __future__ import annotations

from catalog.calculations import Derived, Taken, derived_name
from catalog.query import ColumnRole
from dataagent.answering.claims import EACH, TOGETHER
from dataagent.answering.numerals import cell_text, member_text, number_text
from dataagent.answering.telling import Told
from dataagent.answering.types import CellRef, Claim


def spread_claims(told: Told) -> list[Claim]:
    """The fullest range with its part of all, and all that were counted; nothing of anything but a distribution."""
    over = told.spec.over
    if over is None or over.taken is not Taken.BINS or told.cut:
        return []
    ranges = next(c for c in told.columns if c.role is ColumnRole.DIMENSION)
    counts = next(c for c in told.columns if c.name == over.counted)
    share = told.columns[told.at[derived_name(over.counted, Derived.SHARE)]]
    sized = told.numbers(counts)
    most = max(count for count, _ in sized)
    fullest = [row for count, row in sized if count == most]
    refs = (CellRef(row=fullest[0], column=counts.name), CellRef(row=fullest[0], column=share.name))
    value, part = (cell_text(told.cell(ref), c) for ref, c in zip(refs, (counts, share), strict=True))
    things = counts.label.lower()
    where = member_text(told.rows[fullest[0]][told.at[ranges.name]], ranges)
    shared = f", as in {number_text(len(fullest) - 1)} more ranges" if len(fullest) > 1 else ""
    text = f"{ranges.label}: most often {where}, {value} {things} ({part}){shared}"
    cells = tuple(CellRef(row=row, column=counts.name) for _, row in sized)
    whole = cell_text(sum((count for count, _ in sized), start=sized[0][0] * 0), counts)
    return [
        Claim(text=text, value=value, cells=refs, calculation=EACH),
        Claim(text=f"{counts.label}: {whole} in total", value=whole, cells=cells, calculation=TOGETHER),
    ]

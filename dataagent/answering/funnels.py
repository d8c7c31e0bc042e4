"""What is said of a funnel: how many reach its last step, and where most are lost."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.compiler.funnel import COUNT, OF_BEFORE, OF_FIRST, STEP
from catalog.query import ResultColumn
from dataagent.answering.claims import EACH
from dataagent.answering.numerals import cell_text
from dataagent.answering.telling import Told
from dataagent.answering.types import CellRef, Claim


def funnel_claims(told: Told) -> list[Claim]:
    """The last step's part of the first and the largest loss, or by group who gets furthest and who least far."""
    steps = told.spec.funnel
    if not steps or told.cut or not told.rows:
        return []
    first, last = steps[0].words, steps[-1].words
    ends = [i for i in range(len(told.rows)) if told.rows[i][told.at[STEP]] == last]
    if len(told.groups) > 1:
        return list(_by_group(told, ends, f"from {first.lower()} to {last.lower()}"))
    found = [_reached(told, ends[0], first)] if ends else []
    return [*found, *_largest_loss(told)]


def _reached(told: Told, row: int, first: str) -> Claim:
    refs = (CellRef(row=row, column=COUNT), CellRef(row=row, column=OF_FIRST))
    count, share = (cell_text(told.cell(r), _column(told, r.column)) for r in refs)
    step = told.rows[row][told.at[STEP]]
    return Claim(text=f"{step}: {count}, {share} of {first.lower()}", value=count, cells=refs, calculation=EACH)


def _largest_loss(told: Told) -> Iterator[Claim]:
    column = _column(told, OF_BEFORE)
    shares = told.numbers(column)
    if len(shares) < 2:
        return
    least, row = min(shares)
    shown = cell_text(told.cell(CellRef(row=row, column=OF_BEFORE)), column)
    before, step = (str(told.rows[i][told.at[STEP]]).lower() for i in (row - 1, row))
    if least < 1:
        ref = CellRef(row=row, column=OF_BEFORE)
        yield Claim(text=f"Largest loss: from {before} to {step}, {shown} go on", value=shown, cells=(ref,))


def _by_group(told: Told, ends: list[int], way: str) -> Iterator[Claim]:
    """Who gets furthest and who least far; ties are told."""
    column = _column(told, OF_FIRST)
    groups = [c for c in told.groups if c.name != STEP]
    shares = [(value, row) for value, row in told.numbers(column) if row in ends]
    for word, best in (("highest", max), ("lowest", min)) if len(shares) > 1 else ():
        value = best(shares)[0]
        rows = [row for share, row in shares if share == value]
        shown = cell_text(told.cell(CellRef(row=rows[0], column=OF_FIRST)), column)
        shared = f", shared by {len(rows)}" if len(rows) > 1 else ""
        text = f"{told.member(rows[0], groups)} has the {word} share {way}: {shown}{shared}"
        yield Claim(text=text, value=shown, cells=(CellRef(row=rows[0], column=OF_FIRST),))


def _column(told: Told, name: str) -> ResultColumn:
    return told.columns[told.at[name]]

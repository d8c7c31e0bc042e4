"""Sentences about shares: each says of what it is a share, and beside another period how the share itself changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from catalog.calculations import Derived, Direction, PeriodComparison, Share
from catalog.query import ColumnRole, ResultColumn, TimeRange
from catalog.types import METRIC_TIME, Operator, TimeGranularity
from dataagent.answering.claims import EACH, TOGETHER
from dataagent.answering.numerals import cell_text
from dataagent.answering.telling import Told, changed, largest_change, last_complete
from dataagent.answering.types import CellRef, Claim

_SEEN = "that you may see"


def share_claims(told: Told, metric: ResultColumn) -> Iterator[Claim]:
    """What is said of a metric's shares, the most asked for first; nothing where it has none."""
    column, made = told.column(metric.name, Derived.SHARE), _share_of(told, metric)
    if column is None or made is None or not told.rows:
        return
    if told.time is not None and _is_within_time(told, made):
        yield from _of_last_period(told, column, made)
        return
    known = told.numbers(column)
    if not known:
        whole = _whole(told, made, told.when(told.intent.time_range))
        yield Claim(text=f"No share can be told: a part of {whole} is negative, or the whole is 0", value="", cells=())
        return
    if len(told.rows) == 1:
        yield _one(told, metric, column, made)
        return
    if _picks_several(told):
        yield _together(told, column, made)
    yield _largest(told, column, made)
    if _window(told) is not None:
        yield from largest_change(told, column, lead="Largest change of a share")


def uneven_shares(told: Told, metric: ResultColumn) -> Iterator[Claim]:
    """The share so far and the earlier one, without a change between them; the largest one of several."""
    column, made = told.column(metric.name, Derived.SHARE), _share_of(told, metric)
    before = told.column(column.name, Derived.PREVIOUS) if column else None
    window = _window(told)
    known = told.numbers(column) if column else ()
    if column is None or made is None or before is None or window is None or not known:
        return
    row = max(known)[1]
    among = _among(told, metric.name, lowest=False)
    lead = told.member(row) if len(told.rows) == 1 else f"{told.member(row)} has the largest share{among}"
    for shown, when, tail in (
        (column, told.when(told.intent.time_range), " so far"),
        (before, told.when(window), ", with all its days loaded"),
    ):
        ref = CellRef(row=row, column=shown.name)
        value = cell_text(told.cell(ref), shown)
        text = f"{lead}: {value} of {_whole(told, made, when)}{tail}" if shown is column else f"{value} {when}{tail}"
        yield Claim(text=text, value=value, cells=(ref,))


def _share_of(told: Told, metric: ResultColumn) -> Share | None:
    return next((c for c in told.spec.calculations if isinstance(c, Share) and c.metric == metric.name), None)


def _window(told: Told) -> TimeRange | None:
    comparison = told.spec.comparison
    return comparison.window if isinstance(comparison, PeriodComparison) else None


def _whole(told: Told, made: Share, when: str) -> str:
    return told.whole(made, when, _SEEN if told.scoped else "")


def _is_within_time(told: Told, made: Share) -> bool:
    return bool({told.intent.time_dimension or METRIC_TIME, told.time.name if told.time else ""} & set(made.within))


def _picks_several(told: Told) -> bool:
    """Whether several members were named to be looked at as one part: "from EMEA or APAC"."""
    grouped = set(told.intent.dimensions)
    return any(f.field not in grouped and len(f.values) > 1 for f in told.spec.kept)


def _one(told: Told, metric: ResultColumn, column: ResultColumn, made: Share) -> Claim:
    ref = CellRef(row=0, column=column.name)
    whole = f"of {_whole(told, made, told.when(told.intent.time_range))}"
    if _window(told) is not None:
        return _beside_earlier(told, column, ref, (told.member(0), whole))
    cells = (ref, CellRef(row=0, column=metric.name))
    value, amount = cell_text(told.cell(cells[0]), column), cell_text(told.cell(cells[1]), metric)
    text = f"{told.member(0)}: {value} {whole} ({amount})"
    return Claim(text=text, value=value, cells=cells, calculation=EACH)


def _beside_earlier(told: Told, column: ResultColumn, ref: CellRef, words: tuple[str, str]) -> Claim:
    """ "EMEA: 54 % of all orders in May 2025, 0.5 pp more than in April 2025 (53.5 %)"."""
    return changed(told, column, Derived.PREVIOUS, ref, (*words, told.when(_window(told))))


def _together(told: Told, column: ResultColumn, made: Share) -> Claim:
    """The shares of what was named added up: what is counted has only one of these members each."""
    cells = tuple(CellRef(row=row, column=column.name) for _, row in told.numbers(column))
    value = cell_text(sum((share for share, _ in told.numbers(column)), Decimal(0)), column)
    members = [told.member(ref.row) for ref in cells]
    text = f"{', '.join(members[:-1])} and {members[-1]} together: {value} of "
    text += _whole(told, made, told.when(told.intent.time_range))
    return Claim(text=text, value=value, cells=cells, calculation=TOGETHER)


def _largest(told: Told, column: ResultColumn, made: Share) -> Claim:
    """Who has the largest share, or the smallest where the lowest stand first; of those shown where others are not."""
    known, of = told.numbers(column), column.of
    lowest = any(o.by == of and o.direction is Direction.ASC for o in told.intent.order)
    best = (min if lowest else max)(known)[0]
    first = [row for share, row in known if share == best]
    ref = CellRef(row=min(first), column=column.name)
    lead = f"{told.member(ref.row)} has the {'smallest' if lowest else 'largest'} share{_among(told, of, lowest)}"
    whole = f"of {_whole(told, made, told.when(told.intent.time_range))}"
    if len(first) == 1 and _window(told) is not None:
        return _beside_earlier(told, column, ref, (lead, whole))
    value = cell_text(told.cell(ref), column)
    shared = f", shared by {len(first)}" if len(first) > 1 else ""
    return Claim(text=f"{lead}: {value} {whole}{shared}", value=value, cells=(ref,))


def _among(told: Told, metric: str, lowest: bool) -> str:
    """ " of those shown" where the rows that are not shown could have more, or less."""
    picked = any(f.op is not Operator.IS_NOT_NULL for f in told.spec.kept)
    ordered = bool(told.intent.order) and told.intent.order[0].by == metric
    first = (told.intent.limit is not None or told.cut) and not ordered
    above = all(h.metric == metric and h.op in (Operator.GT, Operator.GE) for h in told.intent.having) and not lowest
    return " of those shown" if picked or first or (told.intent.having and not above) else ""


def _of_last_period(told: Told, column: ResultColumn, made: Share) -> Iterator[Claim]:
    """One member's share in the last period that is over; nothing where several have a series each."""
    others = [c for c in told.groups if c.role is not ColumnRole.TIME]
    row = last_complete(told)
    if row is None or told.time is None:
        return
    ref = CellRef(row=row, column=column.name)
    value = cell_text(told.cell(ref), column)
    at = "on" if told.time.granularity is TimeGranularity.DAY else "in"
    when = f"{at} {cell_text(told.cell(CellRef(row=row, column=told.time.name)), told.time)}"
    whole = _whole(told, replace(made, within=tuple(w for w in made.within if w in told.intent.dimensions)), when)
    yield Claim(text=f"{told.member(row, others)}: {value} of {whole}", value=value, cells=(ref,))

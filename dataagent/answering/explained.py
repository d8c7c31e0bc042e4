"""A change taken apart → the document that a person reads: where it sits, and never what caused it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

from catalog.calculations import CONTRIBUTED, Derived
from catalog.compiler.calculations.columns import derived_column
from catalog.query import ColumnRole, MetricIntent, ResultColumn
from catalog.restate import day_text, restate
from catalog.standing import caveats_of
from catalog.types import CatalogSnapshot, Scalar
from contextcards.types import ClaimKind, EvidenceBundle
from dataagent.answering.changes import uneven_claims
from dataagent.answering.claims import EACH, bound
from dataagent.answering.compose import sources
from dataagent.answering.contribution import (
    Contribution,
    cancels_out,
    decimal,
    largest_first,
    left_over,
    unevenness,
)
from dataagent.answering.numerals import cell_text, member_text, number_text, window_text
from dataagent.answering.splits import VERBS, Change, Split, Way, claimed
from dataagent.answering.telling import MOVES, Told, changed
from dataagent.answering.types import (
    UNEVEN_DAYS,
    Answer,
    CellRef,
    ChartKind,
    ChartSpec,
    Check,
    CheckOutcome,
    Claim,
    DataState,
)
from dataagent.intent.types import Decision, Understanding

MAX_MEMBERS = 200
"""Groups of one dimension that are read; a dimension of more is left out and told."""
FACTOR, MEMBER = "split_by", "group"
_LATE = "late_data"
CONTEXT = "Possible context, not shown to be a cause"
"""How a line about a documented event begins; only the asker is known to have a right to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedFindings:
    """What the answer is composed from; nothing else may flow into its prose."""

    question: str
    understanding: Understanding
    asked: MetricIntent
    change: Change
    splits: tuple[Split, ...]
    skipped: tuple[str, ...]
    checks: tuple[Check, ...]
    data_states: tuple[DataState, ...]
    row_scope: tuple[str, ...]
    notes: tuple[str, ...]
    proposed_sql: str
    executed_sql: str
    today: date


def explain(found: ExplainedFindings, snapshot: CatalogSnapshot, evidence: EvidenceBundle) -> Answer:
    """The answer: the change, its parts by one dimension after the other, and what is documented of that time."""
    splits = _in_order(found.splits)
    failed = [c for c in found.checks if c.outcome is CheckOutcome.FAILED]
    columns = _columns(found.change, splits)
    rows = () if failed else tuple(_row(columns, s, p) for s in splits for p in largest_first(s.parts))
    total = () if failed else _total_row(columns, found.change, splits)
    claims = () if failed else _claims(found, snapshot, columns, (rows, total), splits)
    metric = next(m for m in snapshot.metrics if m.name == found.change.metric.name)
    context = _context(found, snapshot, evidence)
    warned = [c.detail for c in found.checks if c.outcome is CheckOutcome.WARNED]
    left_out = [f"Not split by {reason[:1].lower()}{reason[1:]}" for reason in found.skipped]
    warned, told = ([*warned, *left_out], []) if found.asked.dimensions else (warned, left_out)
    window = found.change.intent.time_range
    period = window_text(window.start, window.end) if window else ""
    return Answer(
        question=found.question,
        decision=Decision.ANSWER,
        headline=failed[0].detail if failed else claims[0].text if claims else _NO_CHANGE_KNOWN,
        subline=" · ".join([period[:1].upper() + period[1:], *(c.text for c in claims[1:])]),
        restatement=restate(found.asked, snapshot),
        columns=columns,
        rows=rows or (() if failed else (total,)),
        total_row=total if rows else (),
        chart=None if failed else _chart(splits, columns),
        claims=claims,
        defaults=found.change.intent.defaults_used,
        assumptions=tuple(dict.fromkeys([*_assumptions(found, splits), *told, *found.notes])),
        caveats=tuple(dict.fromkeys([*warned, *context, *caveats_of(snapshot, metric)])),
        certificate=found.understanding.certificate,
        sources=sources(evidence),
        row_scope=found.row_scope,
        checks=(*found.checks, *(_added_up(s, found.change) for s in splits if s.way is not Way.APART)),
        data_states=found.data_states,
        sql=found.executed_sql,
        proposed_sql=found.proposed_sql,
    )


_NO_CHANGE_KNOWN = "Whether it changed cannot be told: one of the periods has no figure."


def _in_order(splits: tuple[Split, ...]) -> tuple[Split, ...]:
    """Those that make up the change first, the most uneven before others; equal ones as they were looked at."""
    return tuple(sorted(splits, key=lambda s: (s.way is Way.APART, -unevenness(s.parts))))


def _added_up(split: Split, change: Change) -> Check:
    exact = left_over(split.parts, change.by) == 0
    how = "exactly" if exact else "up to the rounding of the engine's own figures"
    detail = f"By {split.label.lower()}, the contributions add up to the change {how}."
    return Check(name=f"parts:{split.dimension}", outcome=CheckOutcome.PASSED, detail=detail)


# -- the table -----------------------------------------------------------------------------


def _columns(change: Change, splits: tuple[Split, ...]) -> tuple[ResultColumn, ...]:
    """Dimension and group, both figures and the own change, and for a ratio how each group contributed to it."""
    metric = change.metric
    kinds = {s.way for s in splits}
    groups = (
        ResultColumn(name=FACTOR, label="Split by", role=ColumnRole.DIMENSION),
        ResultColumn(name=MEMBER, label="Group", role=ColumnRole.DIMENSION),
    )
    further = [Derived.CONTRIBUTION, Derived.RATE_EFFECT, Derived.MIX_EFFECT] if Way.RATIO in kinds else []
    share = [Derived.CHANGE_SHARE] if kinds - {Way.APART} else []
    made = (derived_column(metric, d) for d in (*further, *share))
    return (*(groups if splits else ()), *change.columns, *made)


def _row(columns: tuple[ResultColumn, ...], split: Split, part: Contribution) -> tuple[Scalar, ...]:
    whole = sum((p.effect or Fraction(0) for p in split.parts), Fraction(0))
    return tuple(_cell(c, split, part, whole) for c in columns)


def _cell(column: ResultColumn, split: Split, part: Contribution, whole: Fraction) -> Scalar:
    if column.name == FACTOR:
        return split.label
    if column.name == MEMBER:
        return f"{number_text(part.others)} others" if part.others else part.member
    difference, before = part.difference, part.before
    percent = column.of and column.derived is Derived.PERCENT_CHANGE
    if percent:
        return decimal(difference / abs(before)) if difference is not None and before else None
    points = 100 if column.unit == "pp" else 1
    value = {
        None: part.now,
        Derived.PREVIOUS: before,
        Derived.DIFFERENCE: difference,
        Derived.POINTS: difference,
        Derived.CONTRIBUTION: part.effect,
        Derived.RATE_EFFECT: part.rate,
        Derived.MIX_EFFECT: part.mix,
        Derived.CHANGE_SHARE: part.effect / whole if part.effect is not None and whole else None,
    }.get(column.derived)
    return decimal(value * points) if value is not None else None


def _total_row(columns: tuple[ResultColumn, ...], change: Change, splits: tuple[Split, ...]) -> tuple[Scalar, ...]:
    ratios = [s for s in splits if s.way is Way.RATIO]
    own = dict(zip((c.name for c in change.columns), change.row, strict=False))
    found: list[Scalar] = []
    for column in columns:
        points = 100 if column.unit == "pp" else 1
        if column.role is ColumnRole.DIMENSION and column.name in {FACTOR, MEMBER}:
            found.append(None)
        elif column.derived is Derived.CHANGE_SHARE:
            found.append(Decimal(1) if change.by else None)
        elif column.derived is Derived.CONTRIBUTION:
            found.append(decimal(change.by * points))
        elif column.derived in CONTRIBUTED:
            same = {_effect(s, column.derived) for s in ratios}
            found.append(decimal(same.pop() * points) if len(same) == 1 else None)
        else:
            found.append(own.get(column.name))
    return tuple(found)


def _effect(split: Split, derived: Derived) -> Fraction:
    effects = ((p.rate if derived is Derived.RATE_EFFECT else p.mix) or Fraction(0) for p in split.parts)
    return sum(effects, Fraction(0))


def _chart(splits: tuple[Split, ...], columns: tuple[ResultColumn, ...]) -> ChartSpec:
    """The first dimension's contributions from the earlier figure to the later one."""
    first = next(iter(splits), None)
    if first is None or first.way is Way.APART or len(first.parts) < 2:
        return ChartSpec(kind=ChartKind.NONE, reason="The table shows it best.")
    effect = _effect_column(columns)
    return ChartSpec(
        kind=ChartKind.WATERFALL,
        x=MEMBER,
        y=(effect.name,),
        series=FACTOR,
        reason=f"Contributions by {first.label.lower()}, from the earlier figure to the later one.",
    )


def _effect_column(columns: tuple[ResultColumn, ...]) -> ResultColumn:
    """The column of what each group contributed: for what adds up, its own change."""
    found = [c for c in columns if c.derived is Derived.CONTRIBUTION]
    return found[0] if found else next(c for d in MOVES for c in columns if c.derived is d)


# -- the sentences -------------------------------------------------------------------------


def _claims(
    found: ExplainedFindings,
    snapshot: CatalogSnapshot,
    columns: tuple[ResultColumn, ...],
    table: tuple[tuple[tuple[Scalar, ...], ...], tuple[Scalar, ...]],
    splits: tuple[Split, ...],
) -> tuple[Claim, ...]:
    rows, total = table
    told = Told(
        intent=found.change.intent,
        spec=found.change.spec,
        columns=columns if splits else found.change.columns,
        rows=rows or (total,),
        total_row=total,
        today=found.today,
        snapshot=snapshot,
        scoped=bool(found.row_scope),
    )
    if any(c.name == UNEVEN_DAYS for c in found.checks):
        proposed = uneven_claims(told)
    else:
        proposed = [_headline(found, told), *(c for s in splits[:2] if (c := _leading(s, told, found.change)))]
    shown = rows or (total,)
    return bound(tuple(proposed), told.columns, shown, (total,))


def _headline(found: ExplainedFindings, told: Told) -> Claim:
    """The change verified; first that it is not the one that was taken for granted, and that it is provisional."""
    change = found.change
    now = told.when(change.intent.time_range)
    then = told.when(change.earlier)
    ref = CellRef(row=0, column=change.metric.name, table="total")
    claim = changed(told, change.metric, Derived.PREVIOUS, ref, (change.metric.label, now, then))
    way = claimed(found.asked)
    late = any(c.name == _LATE and c.outcome is CheckOutcome.WARNED for c in found.checks)
    lead = "Provisional. " if late else ""
    if way is not None and change.is_known and not change.went(found.asked):
        lead += "It did not change. " if not change.by else f"It did not {VERBS[way][1]}. "
    return replace(claim, text=f"{lead}{claim.text}")


def _leading(split: Split, told: Told, change: Change) -> Claim | None:
    """The group of a dimension that contributed most, with its part of the change."""
    rows = [i for i, r in enumerate(told.rows) if r[0] == split.label]
    if not rows or len(split.parts) < 2:
        return None
    row = next((i for i in rows if told.rows[i][1] is not None), rows[0])
    member = member_text(told.rows[row][1], replace(told.columns[1], label=split.label))
    by = f"By {split.label.lower()}"
    own = next(c for d in MOVES for c in told.columns if c.derived is d)
    if split.way is Way.APART:
        ref = CellRef(row=row, column=own.name)
        value = cell_text(told.cell(ref), own)
        text = f"{by}, {member} has the largest change of its own: {value}"
        return Claim(text=text, value=value, cells=(ref,)) if told.cell(ref) is not None else None
    effect, share = _effect_column(told.columns), next(c for c in told.columns if c.derived is Derived.CHANGE_SHARE)
    cells = (CellRef(row=row, column=effect.name), CellRef(row=row, column=share.name))
    value, part = cell_text(told.cell(cells[0]), effect), cell_text(told.cell(cells[1]), share)
    if cancels_out(split.parts, change.by):
        text = f"{by}, groups moved against each other; the largest contribution is that of {member}: {value}"
        return Claim(text=text, value=value, cells=cells[:1])
    text = f"{by}, {member} contributed most: {value}, {part} of the change"
    return Claim(text=text, value=value, cells=cells, calculation=EACH)


def _assumptions(found: ExplainedFindings, splits: tuple[Split, ...]) -> list[str]:
    said = [d.text for d in found.change.intent.defaults_used]
    if not splits:
        return said
    said.append("This shows where the change sits. It does not show what caused it.")
    ways = {s.way for s in splits}
    if len(splits) > 1:
        said.append(
            "Dimensions stand in the order of how unevenly the change is spread over their groups, measured against "
            "each group's part before; none of them is thereby the reason."
        )
    if Way.RATIO in ways:
        said.append(
            "A group contributes by its own rate (at the mean of its weights in both periods) and by its weight in the "
            "mix (at the mean of its rates, against the mean of the whole); nothing is left over."
        )
    if Way.APART in ways:
        names = [s.label.lower() for s in splits if s.way is Way.APART]
        listed = " and ".join(", ".join(names).rsplit(", ", 1))
        label = found.change.metric.label.lower()
        said.append(f"Changes of {label} do not add up over {listed}, so each group's own change stands by itself.")
    return said


def _context(found: ExplainedFindings, snapshot: CatalogSnapshot, evidence: EvidenceBundle) -> tuple[str, ...]:
    """What is documented of the time of both periods, as possible context; only what the asker may read is there."""
    window, earlier = found.change.intent.time_range, found.change.earlier
    starts = [w.start for w in (window, earlier) if w is not None and w.start is not None]
    end = window.end if window is not None else None
    if not found.splits or not starts or end is None:
        return ()
    first = min(starts)
    dated = [(e.date, e.name.replace("_", " ")) for e in snapshot.events]
    dated += [
        (e.effective_from, e.title)
        for e in evidence.used()
        if e.claim is ClaimKind.EVENT and e.effective_from is not None
    ]
    inside = sorted({(day, title) for day, title in dated if first <= day < end})
    kept = [(day, title) for day, title in inside if not _told_by_another(day, title, inside)]
    return tuple(f"{CONTEXT}: {day_text(day)}, {title}." for day, title in kept)


def _told_by_another(day: date, title: str, among: list[tuple[date, str]]) -> bool:
    """Whether a longer title of the same day holds this one's words."""
    return any(d == day and t != title and title.casefold() in t.casefold() and len(t) > len(title) for d, t in among)

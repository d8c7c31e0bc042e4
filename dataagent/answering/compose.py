"""A validated result → the document that a person reads.  Every number in it is a bound claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from catalog.query import ColumnRole, Direction, MetricIntent, QuerySpec, ResultColumn
from catalog.restate import condition_text, restate
from catalog.specs import ranked_presence
from catalog.standing import caveats_of
from catalog.surfaces import plural
from catalog.types import METRIC_TIME, CatalogSnapshot, Metric, Operator, Polarity, Scalar
from contextcards.types import EvidenceBundle
from dataagent.answering.buckets import still_runs
from dataagent.answering.changes import calculated_claims, uneven_claims
from dataagent.answering.chart import choose_chart
from dataagent.answering.claims import ROWS, bound
from dataagent.answering.correlating import correlates, correlation_claims
from dataagent.answering.funnels import funnel_claims
from dataagent.answering.movers import mover_claims, place_claims
from dataagent.answering.numerals import cell_text, member_text, number_text, window_text
from dataagent.answering.periodnames import in_period
from dataagent.answering.spreading import spread_claims
from dataagent.answering.telling import Told
from dataagent.answering.told import calculation_notes, needless_notes, repeated_notes
from dataagent.answering.types import (
    UNEVEN_DAYS,
    Answer,
    CellRef,
    Check,
    CheckOutcome,
    Claim,
    DataState,
    SourceRef,
)
from dataagent.answering.verdicts import verdict_claims
from dataagent.intent.types import Decision, Understanding

_MOST_COUNTED = 500
"""A list with more rows is not counted in a sentence: each row is a cell that the sentence is bound to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What an answer is composed from; nothing else may flow into its prose."""

    question: str
    understanding: Understanding
    intent: MetricIntent
    columns: tuple[ResultColumn, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    total_row: tuple[Scalar, ...]
    truncated: bool
    checks: tuple[Check, ...]
    data_states: tuple[DataState, ...]
    row_scope: tuple[str, ...]
    notes: tuple[str, ...]
    proposed_sql: str
    executed_sql: str
    today: date
    open_start: bool = False
    spec: QuerySpec | None = None


def compose(found: Findings, snapshot: CatalogSnapshot, evidence: EvidenceBundle) -> Answer:
    """The answer document.  Where a check failed it has no headline number, no chart and no rows."""
    metrics = tuple(m for m in snapshot.metrics if m.name in found.intent.metrics)
    failed = [c for c in found.checks if c.outcome is CheckOutcome.FAILED]
    claims = () if failed else _claims(found, snapshot)
    return Answer(
        question=found.question,
        decision=Decision.ANSWER,
        headline=failed[0].detail if failed else _headline(claims, found),
        subline=_subline(found, claims),
        restatement=restate(found.intent, snapshot),
        columns=found.columns,
        rows=() if failed else found.rows,
        total_row=() if failed else found.total_row,
        truncated=found.truncated,
        chart=None if failed else choose_chart(found.columns, found.rows, visual=found.intent.visual),
        claims=claims,
        defaults=found.intent.defaults_used,
        assumptions=_assumptions(found, metrics, snapshot),
        caveats=_caveats(found, metrics, snapshot),
        certificate=found.understanding.certificate,
        sources=sources(evidence),
        row_scope=found.row_scope,
        checks=found.checks,
        data_states=found.data_states,
        sql=found.executed_sql,
        proposed_sql=found.proposed_sql,
    )


def sources(evidence: EvidenceBundle) -> tuple[SourceRef, ...]:
    """The used evidence as shown, strongest first."""
    return tuple(SourceRef(id=e.id, title=e.title, version=e.version, pointer=e.pointer) for e in evidence.used())


def _claims(found: Findings, snapshot: CatalogSnapshot) -> tuple[Claim, ...]:
    total = (found.total_row,) if found.total_row else ()
    return bound(tuple(_proposed_claims(found, snapshot)), found.columns, found.rows, total)


def _proposed_claims(found: Findings, snapshot: CatalogSnapshot) -> Sequence[Claim]:
    metric = next((c for c in found.columns if c.role is ColumnRole.METRIC), None)
    if not found.rows:
        return []
    if metric is None:
        return _things_listed(found)
    told = _told(found, snapshot)
    calculated = _calculated(found, told) if told else []
    if calculated:
        return calculated
    grouped = any(c.role is not ColumnRole.METRIC for c in found.columns)
    if not grouped:
        return [_plain(found, 0, c) for c in found.columns]
    if found.intent.having or found.intent.entity_condition:
        return _listed(found, metric, snapshot)
    time = next((c for c in found.columns if c.role is ColumnRole.TIME), None)
    ranked = any(o.by == metric.name for o in found.intent.order)
    leading = [] if _has_no_leader(found, ranked=ranked) else [_leader(found, metric)]
    picked = found.spec is not None and bool(found.spec.kept)
    known = not picked and found.total_row and found.total_row[found.columns.index(metric)] is not None
    whole = [_whole(found, metric)] if known else []
    return [*whole, *leading] if time and not ranked else [*leading, *whole]


def _calculated(found: Findings, told: Told) -> list[Claim]:
    """What is said of a calculation.  Over unevenly loaded days no change is said, and no yes or no.

    Of rows that were cut off nothing is known: then only what is said of the whole is said.
    """
    claims = _all_calculated(found, told)
    return [c for c in claims if all(cell.table == "total" for cell in c.cells)] if found.truncated else claims


def _all_calculated(found: Findings, told: Told) -> list[Claim]:
    uneven = any(c.name == UNEVEN_DAYS and c.outcome is CheckOutcome.WARNED for c in found.checks)
    if uneven:
        return uneven_claims(told)
    if correlates(told):
        return correlation_claims(told)
    return (
        spread_claims(told)
        or funnel_claims(told)
        or verdict_claims(told)
        or place_claims(told)
        or mover_claims(told)
        or calculated_claims(told)
    )


def _told(found: Findings, snapshot: CatalogSnapshot) -> Told | None:
    if found.spec is None:
        return None
    return Told(
        intent=found.intent,
        spec=found.spec,
        columns=found.columns,
        rows=found.rows,
        total_row=found.total_row,
        today=found.today,
        snapshot=snapshot,
        scoped=bool(found.row_scope),
        as_of_end=found.open_start,
        cut=found.truncated,
    )


def _has_no_leader(found: Findings, *, ranked: bool) -> bool:
    """Nobody leads over rows that were cut, unless the engine sorted them; nor over a group's own timeline."""
    over_time = any(c.role is ColumnRole.TIME for c in found.columns) and len(found.columns) > 2
    sorted_by_it = ranked and not (found.spec is not None and found.spec.top is not None and found.spec.top.within)
    return (found.truncated and not sorted_by_it) or (over_time and not ranked)


def _plain(found: Findings, row: int, column: ResultColumn) -> Claim:
    value = cell_text(_cell(found, row, column), column)
    return Claim(text=f"{column.label}: {value}", value=value, cells=(CellRef(row=row, column=column.name),))


def _listed(found: Findings, metric: ResultColumn, snapshot: CatalogSnapshot) -> list[Claim]:
    """How many rows meet the condition, and who leads where it asks for high figures; nothing where rows are cut.

    What belongs to no member is none: it is told beside them, neither counted nor first.
    """
    named = _named(found)
    if found.truncated or found.intent.limit is not None or len(found.rows) > _MOST_COUNTED or not named:
        return []
    groups = [c for c in found.columns if c.role is not ColumnRole.METRIC]
    cells = tuple(CellRef(row=i, column=metric.name) for i in named)
    value = number_text(len(cells))
    things = found.intent.entity or (groups[0].label if len(groups) == 1 else "row")
    name = things.replace("_", " ").lower()
    asked = (*found.intent.having, *found.intent.entity_condition)
    conditions = " and ".join(condition_text(h, snapshot) for h in asked)
    period = in_period(found.intent.time_range)
    beside = f", beside what has no {name}" if len(groups) == 1 and len(named) < len(found.rows) else ""
    text = f"{value} {name if len(cells) == 1 else plural(name) or name} {period} where {conditions}{beside}"
    counted = Claim(text=text, value=value, cells=cells, calculation=ROWS)
    high = all(h.op in (Operator.GT, Operator.GE) for h in asked)
    over_time = any(c.role is ColumnRole.TIME for c in groups) and len(groups) > 1
    return [counted, _leader(found, metric, named)] if high and not over_time else [counted]


def _things_listed(found: Findings) -> list[Claim]:
    """How many things are listed, where all of them are: nothing of a list that was cut, or of the first of it."""
    entity = found.intent.entity
    if not entity or found.truncated or found.intent.limit is not None or len(found.rows) > _MOST_COUNTED:
        return []
    cells = tuple(CellRef(row=i, column=found.columns[0].name) for i in range(len(found.rows)))
    value, name = number_text(len(cells)), entity.replace("_", " ")
    return [
        Claim(
            text=f"{value} {name if len(cells) == 1 else plural(name) or name}",
            value=value,
            cells=cells,
            calculation=ROWS,
        )
    ]


def _named(found: Findings) -> tuple[int, ...]:
    """The rows of members: those that belong to one of each single grouping.  Of several groupings all rows count."""
    groups = [i for i, c in enumerate(found.columns) if c.role is not ColumnRole.METRIC]
    return tuple(i for i, row in enumerate(found.rows) if len(groups) > 1 or row[groups[0]] is not None)


def _whole(found: Findings, metric: ResultColumn) -> Claim:
    value = cell_text(found.total_row[found.columns.index(metric)], metric)
    what = "in total" if metric.additive else "overall"
    ref = CellRef(row=0, column=metric.name, table="total")
    return Claim(text=f"{metric.label}: {value} {what}", value=value, cells=(ref,))


def _leader(found: Findings, metric: ResultColumn, among: Sequence[int] = ()) -> Claim:
    """Who stands first, of all rows or some: by the asked order, else by the largest value.  Ties are told."""
    position = found.columns.index(metric)
    rows = [(i, found.rows[i]) for i in (among or range(len(found.rows)))]
    known = [(i, value) for i, row in rows if isinstance(value := row[position], int | Decimal)]
    lowest = bool(found.intent.order) and found.intent.order[0].direction is Direction.ASC
    best = (min if lowest else max)(known, key=lambda pair: Decimal(pair[1]))
    ties = [i for i, value in known if value == best[1]]
    group = ", ".join(
        member_text(found.rows[best[0]][i], c) for i, c in enumerate(found.columns) if c.role is not ColumnRole.METRIC
    )
    value = cell_text(best[1], metric)
    word = _leading_word(metric, lowest=lowest)
    more = any(c.name == "ties" for c in found.checks) and found.intent.limit == 1
    shared = f", shared by {'at least ' if more else ''}{len(ties)}" if len(ties) > 1 else ""
    shared += ", in a period that is not over" if lowest and _still_runs(found, best[0]) else ""
    text = f"{group} has the {word} {metric.label.lower()}: {value}{shared}"
    return Claim(text=text, value=value, cells=(CellRef(row=best[0], column=metric.name),))


def _still_runs(found: Findings, row: int) -> bool:
    """Whether the row is of a time bucket that is not over: it is low for that reason too."""
    for position, column in enumerate(found.columns):
        start = found.rows[row][position]
        if column.role is ColumnRole.TIME and isinstance(start, date):
            return still_runs(start, column.granularity, found.today)
    return False


def _leading_word(metric: ResultColumn, *, lowest: bool) -> str:
    if metric.polarity is Polarity.LOWER_IS_BETTER:
        return "lowest (best)" if lowest else "highest (worst)"
    return "lowest" if lowest else "highest"


def _cell(found: Findings, row: int, column: ResultColumn) -> Scalar:
    return found.rows[row][found.columns.index(column)]


def _headline(claims: tuple[Claim, ...], found: Findings) -> str:
    if not found.rows:
        return "None: nothing meets the condition."
    return claims[0].text if claims else "The table below answers the question."


def _subline(found: Findings, claims: tuple[Claim, ...]) -> str:
    window = found.intent.time_range
    start = window.start if window is not None and not found.open_start else None
    period = window_text(start, window.end) if window is not None else _set_periods(found.intent)
    rest = [c.text for c in claims[1:]]
    return " · ".join([period[0].upper() + period[1:], *rest])


def _set_periods(intent: MetricIntent) -> str:
    """The periods of sets of things, each once."""
    windows = (s.time_range for s in intent.sets if s.time_range is not None)
    return " and ".join(dict.fromkeys(window_text(w.start, w.end) for w in windows)) or "all time"


def _assumptions(found: Findings, metrics: tuple[Metric, ...], snapshot: CatalogSnapshot) -> tuple[str, ...]:
    defaults = [d.text for d in found.intent.defaults_used]
    definitions = [f"{m.label or m.name}: {m.description}" for m in metrics if m.description]
    without = ("a date" if f.field == METRIC_TIME else f.field.replace("_", " ") for f in ranked_presence(found.intent))
    ranked = [f"Rows without {what} are left out of the ranking." for what in without]
    told = calculation_notes(found.intent, found.spec, snapshot, as_of_end=found.open_start) if found.spec else ()
    untold = repeated_notes(found.spec) | needless_notes(found.intent, snapshot)
    notes = [note for note in found.notes if note not in untold]
    return tuple(dict.fromkeys([*told, *defaults, *definitions, *ranked, *notes]))


def _caveats(found: Findings, metrics: tuple[Metric, ...], snapshot: CatalogSnapshot) -> tuple[str, ...]:
    warned = [c.detail for c in found.checks if c.outcome is CheckOutcome.WARNED]
    contracts = [text for m in metrics for text in caveats_of(snapshot, m)]
    return tuple(dict.fromkeys([*warned, *contracts]))

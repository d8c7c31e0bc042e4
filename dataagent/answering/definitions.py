"""Answers that need no SQL: what a thing means, whose it is, how fresh, where from, what can be asked and seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime

from catalog.access import AccessScope
from catalog.labels import metric_label, with_capital
from catalog.lookup import Held, lookup
from catalog.query import ColumnRole, MetricIntent, ResultColumn
from catalog.reach import reachable_dimensions
from catalog.restate import day_text
from catalog.standing import caveats_of
from catalog.types import CatalogSnapshot, Filter, FiscalYear, Metric, Scalar
from catalog.visible import dimension_visible
from contextcards.types import EvidenceBundle
from dataagent.answering.compose import sources
from dataagent.answering.numerals import window_text
from dataagent.answering.types import Answer, DataState
from dataagent.intent.types import Decision, Limitation, Understanding

Rows = tuple[tuple[Scalar, ...], ...]
Told = tuple[str, Rows] | None
"""A headline with its rows, or None where there is nothing to tell."""

EVERYTHING = "*"
FISCAL_CALENDAR = "calendar.fiscal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is asked about: its catalog name, the metric if it is one, its tables and the state of their data."""

    name: str
    metric: Metric | None
    tables: tuple[str, ...]
    states: tuple[DataState, ...]
    snapshot: CatalogSnapshot
    scope: AccessScope
    today: date


def define(question: str, understanding: Understanding, subject: Subject, evidence: EvidenceBundle) -> Answer:
    """The answer to a question about the data themselves; it abstains where nothing is recorded."""
    intent = understanding.intent or MetricIntent()
    tell = _ASPECTS.get(intent.aspect or "definition")
    told = tell(subject) if tell else None
    if told is None:
        return _nothing(question, understanding)
    title, rows = told
    metric = subject.metric
    limits = tuple(dict.fromkeys(label for t in subject.scope.tables for label in t.limits()))
    return Answer(
        question=question,
        decision=Decision.DEFINE,
        headline=title,
        columns=_COLUMNS if rows else (),
        rows=rows,
        certificate=understanding.certificate,
        caveats=caveats_of(subject.snapshot, metric) if metric and subject.scope.may_use_metric(metric.name) else (),
        row_scope=limits if subject.name == EVERYTHING else (),
        sources=sources(evidence),
        data_states=subject.states,
    )


def _nothing(question: str, understanding: Understanding) -> Answer:
    message = "Nothing is recorded about this. The catalog lists what is."
    return Answer(
        question=question,
        decision=Decision.ABSTAIN,
        headline=message,
        certificate=understanding.certificate,
        limitation=Limitation(code="unsupported", message=message),
    )


_COLUMNS = (
    ResultColumn(name="what", label="What", role=ColumnRole.DIMENSION),
    ResultColumn(name="value", label="Value", role=ColumnRole.DIMENSION),
)


def _definition(subject: Subject) -> Told:
    if subject.name == FISCAL_CALENDAR:
        return _fiscal_year(subject.snapshot.calendar.fiscal, subject.today)
    if subject.metric is not None:
        return _metric(subject.metric, subject.tables)
    held = _held(subject)
    return _dimension(held) if held else None


def _metric(metric: Metric, tables: tuple[str, ...]) -> Told:
    rows: list[tuple[Scalar, ...]] = [
        ("Definition", metric.description or _formula(metric)),
        ("Calculation", _formula(metric)),
        ("Owner", metric.owner),
        ("Version", str(metric.version)),
        ("Made from", ", ".join(tables)),
    ]
    rows += [("Counts only rows where", _condition(f)) for f in metric.filters]
    rows += [("Also called", ", ".join(metric.synonyms))] if metric.synonyms else []
    sentence = (metric.description or _formula(metric)).rstrip(".")
    return f"{_label(metric)}: {sentence}.", tuple(row for row in rows if row[1])


def _dimension(held: Held) -> Told:
    dimension = held.dimension
    name = dimension.label or dimension.name.replace("_", " ")
    kind = f"a {dimension.type.value} dimension"
    rows: list[tuple[Scalar, ...]] = [
        ("Meaning", dimension.description),
        ("Kind", dimension.type.value),
        ("Also called", ", ".join(dimension.synonyms)),
        ("Read from", held.model.table),
        ("Owner", held.model.owner),
    ]
    title = dimension.description.rstrip(".") or f"{kind} of {held.model.table}"
    return f"{with_capital(name)}: {title}.", tuple(row for row in rows if row[1])


def _fiscal_year(fiscal: FiscalYear, today: date) -> Told:
    named = "it ends" if fiscal.label_by == "end_year" else "it starts"
    first = date(2000, fiscal.start_month, 1).strftime("%B")
    start = today.year if today.month >= fiscal.start_month else today.year - 1
    years = [_year(fiscal, y) for y in (start - 1, start, start + 1)]
    return f"The fiscal year starts on 1 {first} and is named by the year in which {named}.", tuple(years)


def _year(fiscal: FiscalYear, start: int) -> tuple[Scalar, ...]:
    ends = start + 1 if fiscal.start_month > 1 else start
    label = ends if fiscal.label_by == "end_year" else start
    return f"FY{label % 100:02d}", window_text(
        date(start, fiscal.start_month, 1), date(start + 1, fiscal.start_month, 1)
    )


def _owner(subject: Subject) -> Told:
    metric = subject.metric
    if metric is None or not metric.owner:
        return None
    owner = metric.owner.replace("_", " ")
    return f"{_label(metric)} is owned by {owner}.", (("Owner", owner), ("Version", str(metric.version)))


def _freshness(subject: Subject) -> Told:
    rows: list[tuple[Scalar, ...]] = []
    for state in subject.states:
        loaded = f"loaded {_moment(state.loaded_at)}" if state.loaded_at else "not recorded"
        late = f"; late: {', '.join(day_text(d) for d in state.late_days)}" if state.late_days else ""
        rows.append((state.table, f"{loaded}{late}"))
    known = [s.loaded_at for s in subject.states if s.loaded_at]
    if not known:
        return None
    name = _label(subject.metric) if subject.metric else "The data"
    return f"{name}: last loaded {_moment(min(known))}.", tuple(rows)


def _moment(value: datetime) -> str:
    return f"{day_text(value)} {value:%H:%M} UTC"


def _lineage(subject: Subject) -> Told:
    lineage = dict(subject.snapshot.lineage)
    visible = [t for t in subject.tables if subject.scope.table(t) is not None]
    if not visible:
        return None
    name = _label(subject.metric) if subject.metric else "This"
    rows = tuple((t, ", ".join(lineage.get(t, ())) or "no upstream recorded") for t in visible)
    return f"{name} comes from {', '.join(visible)}.", rows


def _list_metrics(subject: Subject) -> Told:
    usable = [m for m in subject.snapshot.metrics if subject.scope.may_use_metric(m.name)]
    rows = tuple((_label(m), m.description or _formula(m)) for m in sorted(usable, key=_label))
    return f"You can ask about {len(rows)} metrics, by their dimensions and over time.", rows


def _list_dimensions(subject: Subject) -> Told:
    if subject.metric is None:
        return None
    reached = reachable_dimensions(subject.snapshot, subject.metric.name)
    held = {n: h for n in sorted(reached) for h in _seen(subject, n)[:1]}
    rows = tuple((n.replace("_", " "), h.dimension.description or h.dimension.type.value) for n, h in held.items())
    return f"{_label(subject.metric)} can be broken down by {len(rows)} dimensions.", rows


def _list_pii(subject: Subject) -> Told:
    personal = [
        held
        for name in sorted(lookup(subject.snapshot).dimensions)
        for held in _seen(subject, name)
        if held.dimension.pii
    ]
    if not personal:
        return "None of the dimensions that you can see is marked as personal data.", ()
    rows = tuple((h.dimension.name.replace("_", " "), f"read from {h.model.table}") for h in personal)
    return f"{len(rows)} of the dimensions that you can see hold personal data.", rows


def _help(subject: Subject) -> Told:
    told = _list_metrics(subject)
    if told is None:
        return None
    title = (
        "I answer questions about the company's metrics with a figure, a chart, what was assumed and a receipt. "
        "I ask back where a question can mean two things, and stop where it cannot be answered safely."
    )
    return title, told[1]


def _access(subject: Subject) -> Told:
    if subject.name != EVERYTHING:
        return _access_to(subject)
    rows: list[tuple[Scalar, ...]] = []
    for table in sorted(subject.scope.tables, key=lambda t: t.table):
        limits = ", ".join(table.limits()) or "all rows"
        rows.append((table.table, f"{len(table.columns)} columns, {limits}"))
    return f"You can see {len(rows)} tables and {len(subject.scope.metrics)} metrics.", tuple(rows)


def _access_to(subject: Subject) -> Told:
    metric = subject.metric
    if metric is None:
        return None
    mine = subject.scope.may_use_metric(metric.name)
    owner = metric.owner.replace("_", " ")
    rows: Rows = (("You", "may use it" if mine else "may not use it"), ("Owner, who decides", owner))
    return (
        f"Who may see {_label(metric).lower()} is decided by its owner, {owner}. You may{'' if mine else ' not'}.",
        rows,
    )


def _held(subject: Subject) -> Held | None:
    found = _seen(subject, subject.name)
    return found[0] if found else None


def _seen(subject: Subject, name: str) -> tuple[Held, ...]:
    """The dimensions of that name that the asker may see."""
    every = lookup(subject.snapshot).dimensions.get(name.rsplit("__", maxsplit=1)[-1], ())
    return tuple(h for h in every if dimension_visible(subject.snapshot, subject.scope, h))


def _label(metric: Metric) -> str:
    return with_capital(metric_label(metric))


def _formula(metric: Metric) -> str:
    if metric.expr:
        return metric.expr
    if metric.numerator and metric.denominator:
        return f"{metric.numerator.metric} / {metric.denominator.metric}"
    return metric.measure or ""


def _condition(condition: Filter) -> str:
    values = ", ".join(str(v) for v in condition.values)
    return f"{condition.field} {condition.op.value} {values}".strip()


_ASPECTS: dict[str, Callable[[Subject], Told]] = {
    "definition": _definition,
    "owner": _owner,
    "freshness": _freshness,
    "lineage": _lineage,
    "list_metrics": _list_metrics,
    "list_dimensions": _list_dimensions,
    "list_pii": _list_pii,
    "help": _help,
    "access": _access,
}

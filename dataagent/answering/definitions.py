"""Answers that need no SQL: what a metric means, whose it is, how fresh, where from, what can be asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from catalog.access import AccessScope
from catalog.query import ColumnRole, MetricIntent, ResultColumn
from catalog.types import CatalogSnapshot, Filter, Metric, Scalar
from contextcards.types import EvidenceBundle
from dataagent.answering.compose import sources
from dataagent.answering.numerals import day_text
from dataagent.answering.types import Answer, DataState
from dataagent.intent.types import Decision, Understanding

Rows = tuple[tuple[Scalar, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is asked about: the metric if it is one, its tables and the state of their data."""

    metric: Metric | None
    tables: tuple[str, ...]
    states: tuple[DataState, ...]
    snapshot: CatalogSnapshot
    scope: AccessScope


def define(question: str, understanding: Understanding, subject: Subject, evidence: EvidenceBundle) -> Answer:
    """The answer to a question about the data themselves."""
    intent = understanding.intent or MetricIntent()
    title, rows = _ASPECTS.get(intent.aspect or "definition", _definition)(subject)
    metric = subject.metric
    return Answer(
        question=question,
        decision=Decision.DEFINE,
        headline=title,
        restatement=understanding.restatement,
        columns=_COLUMNS if rows else (),
        rows=rows,
        certificate=understanding.certificate,
        caveats=metric.caveats if metric else (),
        sources=sources(evidence),
        data_states=subject.states,
    )


_COLUMNS = (
    ResultColumn(name="what", label="What", role=ColumnRole.DIMENSION),
    ResultColumn(name="value", label="Value", role=ColumnRole.DIMENSION),
)


def _definition(subject: Subject) -> tuple[str, Rows]:
    metric = subject.metric
    if metric is None:
        return "There is no definition to show.", ()
    rows: list[tuple[Scalar, ...]] = [
        ("Definition", metric.description or _formula(metric)),
        ("Calculation", _formula(metric)),
        ("Owner", metric.owner),
        ("Version", str(metric.version)),
        ("Made from", ", ".join(subject.tables)),
    ]
    rows += [("Counts only rows where", _condition(f)) for f in metric.filters]
    rows += [("Also called", ", ".join(metric.synonyms))] if metric.synonyms else []
    sentence = (metric.description or _formula(metric)).rstrip(".")
    return f"{_label(metric)}: {sentence}.", tuple(row for row in rows if row[1])


def _owner(subject: Subject) -> tuple[str, Rows]:
    metric = subject.metric
    if metric is None or not metric.owner:
        return "No owner is recorded.", ()
    return f"{_label(metric)} is owned by {metric.owner}.", (("Owner", metric.owner), ("Version", str(metric.version)))


def _freshness(subject: Subject) -> tuple[str, Rows]:
    rows: list[tuple[Scalar, ...]] = []
    for state in subject.states:
        loaded = (
            f"loaded {day_text(state.loaded_at)} {state.loaded_at:%H:%M} UTC" if state.loaded_at else "not recorded"
        )
        late = f"; late: {', '.join(day_text(d) for d in state.late_days)}" if state.late_days else ""
        rows.append((state.table, f"{loaded}{late}"))
    if not rows:
        return "How fresh this is has not been recorded.", ()
    known = [s.loaded_at for s in subject.states if s.loaded_at]
    name = _label(subject.metric) if subject.metric else "The data"
    newest = (
        f"{name}: last loaded {day_text(min(known))} {min(known):%H:%M} UTC." if known else f"{name}: not recorded."
    )
    return newest, tuple(rows)


def _lineage(subject: Subject) -> tuple[str, Rows]:
    lineage = dict(subject.snapshot.lineage)
    name = _label(subject.metric) if subject.metric else "This"
    if not subject.tables:
        return "Where this comes from has not been recorded.", ()
    visible = [t for t in subject.tables if subject.scope.table(t) is not None]
    rows = tuple((t, ", ".join(lineage.get(t, ())) or "no upstream recorded") for t in visible)
    return f"{name} comes from {', '.join(visible)}.", rows


def _help(subject: Subject) -> tuple[str, Rows]:
    usable = [m for m in subject.snapshot.metrics if subject.scope.may_use_metric(m.name)]
    rows = tuple((_label(m), m.description or _formula(m)) for m in sorted(usable, key=_label))
    return f"You can ask about {len(rows)} metrics, by their dimensions and over time.", rows


def _access(subject: Subject) -> tuple[str, Rows]:
    tables = subject.scope.tables
    rows: list[tuple[Scalar, ...]] = []
    for table in sorted(tables, key=lambda t: t.table):
        limits = table.row_filter.label if table.row_filter else "all rows"
        rows.append((table.table, f"{len(table.columns)} columns, {limits}"))
    return f"You can see {len(rows)} tables and {len(subject.scope.metrics)} metrics.", tuple(rows)


def _label(metric: Metric) -> str:
    return metric.label or metric.name.replace("_", " ").capitalize()


def _formula(metric: Metric) -> str:
    if metric.expr:
        return metric.expr
    if metric.numerator and metric.denominator:
        return f"{metric.numerator.metric} / {metric.denominator.metric}"
    return metric.measure or ""


def _condition(condition: Filter) -> str:
    values = ", ".join(str(v) for v in condition.values)
    return f"{condition.field} {condition.op.value} {values}".strip()


_ASPECTS: dict[str, Callable[[Subject], tuple[str, Rows]]] = {
    "definition": _definition,
    "owner": _owner,
    "freshness": _freshness,
    "lineage": _lineage,
    "help": _help,
    "access": _access,
}

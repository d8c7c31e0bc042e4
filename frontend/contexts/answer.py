"""The answer document: everything a reader sees of one answer, already in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from catalog.query import ColumnRole, Default
from catalog.restate import day_text
from dataagent.answering.types import (
    Answer,
    ChartKind,
    ChartSpec,
    Check,
    CheckOutcome,
    DataState,
    SourceRef,
)
from dataagent.intent.types import Decision, Limitation, Option
from frontend.charts.draw import Figure, figures, kinds_for
from frontend.charts.periods import Reach
from frontend.contexts.reading import ReadWord, Segment, read_words, segments
from frontend.contexts.sql import SqlPiece, laid_out, sql_pieces
from frontend.contexts.table import TableView, table_view
from frontend.values import clock, figure

MAX_STATS = 4
CHART_WORDS = {ChartKind.LINE: "Line", ChartKind.BAR: "Bars"}
MARKS = {CheckOutcome.PASSED: "✓", CheckOutcome.WARNED: "!", CheckOutcome.FAILED: "✕"}
OUTCOME_WORDS = {CheckOutcome.PASSED: "passed", CheckOutcome.WARNED: "look here", CheckOutcome.FAILED: "failed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stat:
    """A large figure with its label.  `exact` is the unrounded value."""

    label: str
    text: str
    exact: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlinePiece:
    """A stretch of the headline; `strong` for the value that is bound to a cell."""

    text: str
    strong: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSwitch:
    """A kind of chart that the reader may change to."""

    kind: str
    label: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DataStateView:
    """How far the data of some tables reach.  `late` names days that have not arrived; empty when none."""

    tables: tuple[str, ...]
    complete: str
    loaded: str
    late: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """Another choice: its words, and the whole question that asks again with it."""

    label: str
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultControl:
    """Something decided for the person, with its alternatives in one click."""

    name: str
    value: str
    text: str
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InheritedView:
    """A part of the plan from an earlier turn; `question` leaves it out, "" where that is not possible."""

    label: str
    turn: str
    run_id: str
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    """A source: title and version; `page` and `target` say which page shows it, if one does."""

    title: str
    version: str
    pointer: str
    page: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckView:
    """A validation of the result."""

    name: str
    outcome: str
    outcome_words: str
    mark: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionView:
    """One reading to choose: its number in the clarification, 0-based."""

    index: int
    label: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Instead:
    """A permitted figure in the same question, with how it is defined."""

    label: str
    question: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitationView:
    """Why there is no answer and what can be done."""

    message: str
    unbound: tuple[str, ...]
    suggestions: tuple[Alternative, ...]
    instead: tuple[Instead, ...]
    ask_whom: str
    see_catalog: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDocument:
    """One answer as a page shows it.  Empty parts are not shown."""

    question: str
    segments: tuple[Segment, ...]
    inherited: tuple[InheritedView, ...]
    words: tuple[ReadWord, ...]
    headline: tuple[HeadlinePiece, ...]
    subline: str
    restatement: str
    stats: tuple[Stat, ...]
    figures: tuple[Figure, ...]
    switches: tuple[ChartSwitch, ...]
    no_chart: str
    table: TableView | None
    defaults: tuple[DefaultControl, ...]
    assumptions: tuple[str, ...]
    caveats: tuple[str, ...]
    sources: tuple[SourceView, ...]
    row_scope: tuple[str, ...]
    checks: tuple[CheckView, ...]
    data_states: tuple[DataStateView, ...]
    sql: str
    sql_pieces: tuple[SqlPiece, ...]
    prompt: str
    options: tuple[OptionView, ...]
    limitation: LimitationView | None
    next_questions: tuple[str, ...]


def answer_document(answer: Answer, *, chart: str = "") -> AnswerDocument:
    """The document of an answer, also of one that asks back or stops; `chart` is the kind the reader chose."""
    spec = _chosen(answer, chart)
    stats = _stats(answer)
    sql = laid_out(answer.sql or answer.proposed_sql)
    certificate = () if answer.decision is Decision.DENY else answer.certificate
    only_stats = bool(stats) and len(answer.columns) <= MAX_STATS
    has_table = bool(answer.rows) and not only_stats
    return AnswerDocument(
        question=answer.question,
        segments=segments(answer.question, certificate, answer.choices),
        inherited=tuple(
            InheritedView(label=i.label, turn=i.turn, run_id=i.run_id, question=i.question) for i in answer.inherited
        ),
        words=read_words(certificate),
        headline=_headline(answer) if not stats else (),
        subline=answer.subline,
        restatement=answer.restatement,
        stats=stats,
        figures=figures(spec, answer.columns, answer.rows, _reach(answer.data_states)),
        switches=_switches(answer, spec),
        no_chart=_no_chart(answer),
        table=_table(answer) if has_table else None,
        defaults=tuple(_default(answer.question, default) for default in answer.defaults),
        assumptions=answer.assumptions,
        caveats=answer.caveats,
        sources=tuple(map(_source, answer.sources)),
        row_scope=answer.row_scope,
        checks=tuple(map(_check, answer.checks)),
        data_states=_data_states(answer.data_states),
        sql=sql,
        sql_pieces=sql_pieces(sql),
        prompt=answer.prompt,
        options=tuple(_option(i, option) for i, option in enumerate(answer.options)),
        limitation=_limitation(answer.question, answer.limitation, answer.options) if answer.limitation else None,
        next_questions=answer.next_questions,
    )


def _stats(answer: Answer) -> tuple[Stat, ...]:
    """Large figures, where the result is one row of metrics alone and the headline says no more than they do."""
    metrics = all(column.role is ColumnRole.METRIC and column.derived is None for column in answer.columns)
    if any(claim.calculation for claim in answer.claims):
        return ()
    if len(answer.rows) != 1 or not metrics or len(answer.columns) > MAX_STATS:
        return ()
    found = []
    for value, column in zip(answer.rows[0], answer.columns, strict=True):
        shown = figure(value, column)
        found.append(Stat(label=column.label, text=shown.text, exact=shown.exact))
    return tuple(found)


def _chosen(answer: Answer, chart: str) -> ChartSpec | None:
    kinds = kinds_for(answer.chart, answer.columns)
    if answer.chart is not None and chart in kinds:
        return replace(answer.chart, kind=ChartKind(chart))
    return answer.chart


def _switches(answer: Answer, spec: ChartSpec | None) -> tuple[ChartSwitch, ...]:
    kinds = kinds_for(answer.chart, answer.columns)
    if spec is None or len(kinds) < 2:
        return ()
    return tuple(ChartSwitch(kind=kind.value, label=CHART_WORDS[kind], current=kind is spec.kind) for kind in kinds)


def _no_chart(answer: Answer) -> str:
    none = answer.chart is not None and answer.chart.kind is ChartKind.NONE and len(answer.rows) > 1
    return answer.chart.reason if answer.chart and none else ""


def _headline(answer: Answer) -> tuple[HeadlinePiece, ...]:
    """The headline with the value of the claim that it states made strong."""
    claim = next((c for c in answer.claims if c.text == answer.headline and c.value), None)
    if claim is None or claim.value not in answer.headline:
        return (HeadlinePiece(text=answer.headline, strong=False),)
    before, value, after = answer.headline.rpartition(claim.value)
    pieces = ((before, False), (value, True), (after, False))
    return tuple(HeadlinePiece(text=text, strong=strong) for text, strong in pieces if text)


def _table(answer: Answer) -> TableView:
    return table_view(answer.columns, answer.rows, total_row=answer.total_row, truncated=answer.truncated)


def _data_states(states: Sequence[DataState]) -> tuple[DataStateView, ...]:
    """Tables with the same state together; those about which nothing is known come last, in one line."""
    said: dict[tuple[str, str, str], list[str]] = {}
    for state in sorted(states, key=lambda s: (s.complete_until is None, s.table)):
        said.setdefault(_said(state), []).append(state.table)
    return tuple(
        DataStateView(tables=tuple(tables), complete=complete, loaded=loaded, late=late)
        for (complete, loaded, late), tables in said.items()
    )


def _reach(states: Sequence[DataState]) -> Reach:
    """How far the tables reach together: the earliest of those that are known, without any table's late days."""
    known = [state.complete_until.date() for state in states if state.complete_until]
    late = {day for state in states for day in state.late_days}
    return Reach(complete_until=min(known, default=None), late_days=tuple(sorted(late)))


def _said(state: DataState) -> tuple[str, str, str]:
    days = ", ".join(day_text(day) for day in state.late_days)
    complete = f"complete until {clock(state.complete_until)}" if state.complete_until else "no load log"
    loaded = f"loaded {clock(state.loaded_at)}" if state.loaded_at else ""
    return complete, loaded, f"not arrived yet: {days}" if days else ""


def _default(question: str, default: Default) -> DefaultControl:
    return DefaultControl(
        name=default.key.replace("_", " "),
        value=default.value.replace("_", " "),
        text=default.text,
        alternatives=tuple(
            Alternative(label=words.replace("_", " "), question=asked_again(question, default.key, words))
            for words in default.alternatives
        ),
    )


def asked_again(question: str, key: str, alternative: str) -> str:
    """The question with another choice for a default, as a question of its own.

    A period is added to it; a word that was read one way is replaced by the other reading; anything
    else is taken as the whole question.
    """
    plain, words = question.rstrip(" ?.!"), alternative.replace("_", " ")
    if key == "time_range":
        return words if plain.lower() in words.lower() else f"{plain} {words}"
    word = key.removeprefix("value:")
    found = re.search(rf"\b{re.escape(word)}\b", plain, re.IGNORECASE)
    if found is None:
        return alternative
    new = f"{words} {word}" if key.startswith("value:") else words
    return plain[: found.start()] + new + plain[found.end() :]


def _source(source: SourceRef) -> SourceView:
    page, _, target = source.id.partition(":")
    known = page if page in {"metric", "card"} and target else ""
    return SourceView(
        title=source.title,
        version=f"version {source.version}" if source.version.isdecimal() else "",
        pointer=source.pointer,
        page=known,
        target=target if known else "",
    )


def _check(check: Check) -> CheckView:
    return CheckView(
        name=check.name.replace("_", " "),
        outcome=check.outcome.value,
        outcome_words=OUTCOME_WORDS[check.outcome],
        mark=MARKS[check.outcome],
        detail=check.detail,
    )


def _option(index: int, option: Option) -> OptionView:
    return OptionView(index=index, label=option.label, detail=option.detail)


def _limitation(question: str, limitation: Limitation, options: tuple[Option, ...]) -> LimitationView:
    denied = limitation.code == "permission"
    whom = limitation.ask_whom.replace("_", " ")
    return LimitationView(
        message=limitation.message,
        unbound=limitation.unbound,
        suggestions=() if denied else tuple(_near(question, limitation, term) for term in limitation.suggestions),
        instead=tuple(Instead(label=o.label, question=o.question, detail=o.detail) for o in options if o.question),
        ask_whom=f"Ask {whom} for access, and say which question you want to answer." if whom else "",
        see_catalog=denied or limitation.code in {"unknown_term", "unknown_value", "incompatible"},
    )


def _near(question: str, limitation: Limitation, term: str) -> Alternative:
    """A near term as another question: it takes the place of the words that were not understood."""
    words = term.replace("_", " ")
    unbound = limitation.unbound[0] if limitation.unbound else ""
    at = question.lower().find(unbound.lower()) if unbound else -1
    asked = question[:at] + words + question[at + len(unbound) :] if at >= 0 else words
    return Alternative(label=asked, question=asked)

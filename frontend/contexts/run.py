"""A run as a document: what it is doing, how it ended, and what can be done next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from catalog.restate import day_text
from dataagent.intent.types import Decision
from dataagent.runs.record import TELLING
from dataagent.runs.types import RunEvent, RunState, RunView, SessionView, StepKind
from frontend.contexts.answer import AnswerDocument, answer_document
from frontend.values import clock, duration, short_digest

ACTIVE = frozenset({RunState.WAITING_FOR_TURN, RunState.QUEUED, RunState.RUNNING})
STATE_WORDS = {
    RunState.WAITING_FOR_TURN: "waiting for the question before it",
    RunState.QUEUED: "waiting to start",
    RunState.RUNNING: "working",
    RunState.WAITING_FOR_PERSON: "asks back",
    RunState.WAITING_FOR_APPROVAL: "waits for approval",
    RunState.ANSWERED: "answered",
    RunState.ABSTAINED: "not answered",
    RunState.REFUSED: "refused",
    RunState.FAILED: "failed",
    RunState.CANCELLED: "cancelled",
    RunState.SUPERSEDED: "replaced by a newer question",
    RunState.EXHAUSTED: "stopped at a limit",
}
ENDINGS = {
    RunState.CANCELLED: "You cancelled this run. Nothing was changed; ask again whenever you like.",
    RunState.SUPERSEDED: "A newer question in this conversation replaced this one, and its query was stopped.",
    RunState.EXHAUSTED: "This run reached one of its limits and was stopped. A shorter period or fewer groups may fit.",
    RunState.FAILED: (
        "Something went wrong on our side and the run stopped. No answer is better than a wrong one. You can ask again."
    ),
    RunState.WAITING_FOR_APPROVAL: "This run waits until a reviewer has approved it.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPage:
    """The empty ask page: questions to start with, and earlier conversations."""

    examples: tuple[str, ...]
    conversations: tuple[ConversationLink, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLine:
    """One finished step while a run works: its number, for resuming, and its sentence."""

    number: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTime:
    """One step of a finished run on its timeline, in percent of the whole."""

    label: str
    time: str
    start_pct: float
    width_pct: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDocument:
    """A run as shown.  `body` names the partial that shows its state."""

    id: str
    session_id: str
    question: str
    state: str
    state_words: str
    body: str
    active: bool
    own: bool
    ending: str
    reason: str
    answer: AnswerDocument | None
    asker: str
    workspace: str
    today: str
    asked_at: str
    digest: str
    short_digest: str
    tone: str
    stop_words: str
    steps: tuple[StepLine, ...]
    last_event: int
    usually: str
    timeline: tuple[StepTime, ...]
    total_time: str
    exports: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLink:
    """One question of a conversation in the left column."""

    id: str
    question: str
    state: str
    state_words: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationLink:
    """A conversation in the left column; the current one shows its turns."""

    id: str
    title: str
    when: str
    turns: tuple[TurnLink, ...]


def run_document(
    run: RunView,
    events: Sequence[RunEvent] = (),
    past: Sequence[RunView] = (),
    *,
    chart: str = "",
    own: bool = True,
    may_export: bool = False,
) -> RunDocument:
    """The document of a run.  `past` are earlier runs, from which the usual duration is told.

    `own` says that the reader is the asker, who may go on from here, and take the result away if `may_export`.
    """
    answer = answer_document(run.answer, chart=chart) if run.answer else None
    return RunDocument(
        id=run.id,
        session_id=run.session_id,
        question=run.question,
        state=run.state.value,
        state_words=STATE_WORDS[run.state],
        body=_body(run),
        active=is_working(run),
        own=own,
        ending=_ending(run),
        reason=run.reason.replace("_", " "),
        answer=answer,
        asker=run.asker,
        workspace=run.workspace,
        today=day_text(run.today),
        asked_at=clock(run.created_at),
        digest=run.receipt_digest,
        short_digest=short_digest(run.receipt_digest),
        tone="bad" if run.state in {RunState.REFUSED, RunState.FAILED} else "warn",
        stop_words="Not permitted" if run.state is RunState.REFUSED else "This cannot be answered as asked",
        steps=tuple(map(step_line, events)),
        last_event=events[-1].number if events else 0,
        usually=usual_duration(past),
        timeline=timeline(run.timings_ms),
        total_time=duration(sum(run.timings_ms.values())) if run.timings_ms else "",
        exports=own and may_export and run.answer is not None and bool(run.answer.rows),
    )


def is_working(run: RunView) -> bool:
    """Whether the run goes on by itself: it neither ended nor waits for somebody."""
    return run.state in ACTIVE


def _ending(run: RunView) -> str:
    """Why a run ended without an answer, as a sentence."""
    said = run.answer.limitation.message if run.answer and run.answer.limitation else ""
    return said or ENDINGS.get(run.state, "")


def step_line(event: RunEvent) -> StepLine:
    """An event as one line of progress."""
    return StepLine(number=event.number, text=event.text)


def usual_duration(past: Sequence[RunView]) -> str:
    """How long finished runs took, as a sentence; empty when there are none to tell from."""
    spans = [
        (run.finished_at - run.created_at).total_seconds() * 1000
        for run in past
        if run.finished_at and run.state is RunState.ANSWERED
    ]
    return f"Usually done in {duration(median(spans))}." if spans else ""


def timeline(timings_ms: dict[str, float]) -> tuple[StepTime, ...]:
    """The steps one after the other, each with its share of the whole time."""
    whole = sum(timings_ms.values())
    if not whole:
        return ()
    found, start = [], 0.0
    for kind, taken in timings_ms.items():
        label = TELLING[StepKind(kind)] if kind in set(StepKind) else kind.replace("_", " ")
        width = taken / whole * 100
        found.append(
            StepTime(label=label, time=duration(taken), start_pct=round(start, 2), width_pct=round(max(width, 0.4), 2))
        )
        start += width
    return tuple(found)


def _body(run: RunView) -> str:
    """The name of the partial for the state: running, answer, clarify, limitation or ended."""
    if is_working(run):
        return "running"
    if run.answer is None or run.state in ENDINGS:
        return "ended"
    if run.answer.decision is Decision.CLARIFY:
        return "clarify"
    return "limitation" if run.answer.limitation else "answer"


def conversations(
    sessions: Sequence[SessionView], turns: Sequence[RunView] = (), current: RunView | None = None
) -> tuple[ConversationLink, ...]:
    """The left column: each conversation by its title; the current one with its turns."""
    here = current.session_id if current else ""
    links = [_conversation(session, turns if session.id == here else (), current) for session in sessions]
    return tuple(links)


def _conversation(session: SessionView, turns: Sequence[RunView], current: RunView | None) -> ConversationLink:
    return ConversationLink(
        id=session.id,
        title=session.title,
        when=f"{session.created_at.day} {session.created_at:%b, %H:%M}",
        turns=tuple(_turn(run, current) for run in turns),
    )


def _turn(run: RunView, current: RunView | None) -> TurnLink:
    return TurnLink(
        id=run.id,
        question=run.question,
        state=run.state.value,
        state_words=STATE_WORDS[run.state],
        current=current is not None and run.id == current.id,
    )

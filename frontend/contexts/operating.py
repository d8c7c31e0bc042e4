"""The runs that may need somebody, as the page shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dataagent.runs.troubles import (
    ACTION_WORDS,
    OUTCOME_WORDS,
    WHAT_TO_DO,
    Done,
    RunAction,
    Trouble,
    TroubleKind,
    TroubleList,
)

KIND_WORDS: dict[TroubleKind, str] = {
    TroubleKind.STUCK: "Stuck",
    TroubleKind.UNKNOWN: "Unknown",
    TroubleKind.SLOW: "Slow",
    TroubleKind.WAITING: "Waiting",
    TroubleKind.OVER_BUDGET: "At a limit",
}
TONES = {TroubleKind.STUCK: "bad", TroubleKind.UNKNOWN: "bad", TroubleKind.SLOW: "warn"}


@dataclass(frozen=True, slots=True, kw_only=True)
class KindLink:
    """A kind with its number of runs; `kind` is "" for all."""

    kind: str
    label: str
    count: int
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionButton:
    """A button; `value` is what the form sends."""

    value: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TroubleLine:
    """A run that may need somebody; `chosen` can be acted on together with others."""

    run_id: str
    short: str
    kind: str
    tone: str
    facts: str
    what_to_do: str
    buttons: tuple[ActionButton, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ElsewhereLine:
    """Another workspace that one administers."""

    workspace: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatePage:
    """Troubles of the workspace.  `next_start` is where the next hundred begin, "" where there are none."""

    kinds: tuple[KindLink, ...]
    kind: str
    lines: tuple[TroubleLine, ...]
    together: tuple[ActionButton, ...]
    start: int
    next_start: str
    elsewhere: tuple[ElsewhereLine, ...]


def operate_page(
    found: TroubleList, kind: TroubleKind | None, others: Sequence[tuple[str, int]], *, start: int
) -> OperatePage:
    """The page of an admin's runs."""
    counts = dict(found.counts)
    chosen = kind.value if kind else ""
    every = KindLink(kind="", label="All", count=sum(counts.values()), current=kind is None)
    lines = tuple(map(_line, found.troubles))
    usable = {button.value.split(":")[0] for line in lines for button in line.buttons}
    return OperatePage(
        kinds=(
            every,
            *(KindLink(kind=k.value, label=KIND_WORDS[k], count=n, current=k is kind) for k, n in counts.items()),
        ),
        kind=chosen,
        lines=lines,
        together=tuple(
            ActionButton(value=action.value, label=words) for action, words in ACTION_WORDS.items() if action in usable
        ),
        start=start,
        next_start=str(start + len(found.troubles)) if found.more else "",
        elsewhere=tuple(
            ElsewhereLine(workspace=slug, words=f"stuck, unknown or slow: {count or 'none'}") for slug, count in others
        ),
    )


def told(action: RunAction, done: Sequence[Done]) -> tuple[str, ...]:
    """A sentence for each outcome, with how many runs had it."""
    outcomes = tuple(dict.fromkeys(d.outcome for d in done))
    counted = {outcome: [d for d in done if d.outcome is outcome] for outcome in outcomes}
    return tuple(f"{_which(some)} {OUTCOME_WORDS[action, outcome]}." for outcome, some in counted.items())


def _which(done: Sequence[Done]) -> str:
    return f"Run {done[0].run_id[:8]}:" if len(done) == 1 else f"{len(done)} runs:"


def _line(trouble: Trouble) -> TroubleLine:
    facts = f"{trouble.state.value.replace('_', ' ')} · asked by {trouble.asker} · {ago(trouble.age_s)}"
    return TroubleLine(
        run_id=trouble.run_id,
        short=trouble.run_id[:8],
        kind=KIND_WORDS[trouble.kind],
        tone=TONES.get(trouble.kind, ""),
        facts=facts,
        what_to_do=" ".join(filter(None, (_why(trouble), WHAT_TO_DO[trouble.kind]))),
        buttons=tuple(
            ActionButton(value=f"{action.value}:{trouble.run_id}", label=ACTION_WORDS[action])
            for action in trouble.actions()
        ),
    )


def _why(trouble: Trouble) -> str:
    return f"Limit: {trouble.reason.replace('_', ' ')}." if trouble.kind is TroubleKind.OVER_BUDGET else ""


def ago(seconds: float) -> str:
    """A time for people: 12 s, 5 min, 3 h, 2 days."""
    for unit_s, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * unit_s:
            return f"{seconds / unit_s:.0f} {unit}"
    return f"{seconds:.0f} s"

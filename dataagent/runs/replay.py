"""A run beside itself later: what it rested on that has changed since, and whether it would be answered alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from dataagent.runs.manifest import DataPart, Draft, Manifest
from dataagent.runs.types import StepKind

T = TypeVar("T")


class ReplayLevel(StrEnum):
    """How far a replay goes: it looks at what has changed, answers again, or answers again on the very same grounds."""

    DIAGNOSTIC = "diagnostic"
    BEHAVIOURAL = "behavioural"
    EXACT = "exact"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing that is not what it was.  `part`: definitions, policy, planner, data, cards, engine, or what of the
    answer differs: state, meaning, sql, result."""

    part: str
    name: str
    then: str
    now: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A replay.  It is no run: it has no manifest, no receipt and no place in the conversation.

    `grounds` is what the run rested on and has changed, `answers` how the answer would differ: None where it was not
    asked again.  `refused` says why an exact replay cannot be.
    """

    run_id: str
    level: ReplayLevel
    grounds: tuple[Change, ...]
    answers: tuple[Change, ...] | None = None
    refused: str = ""

    def same(self) -> bool:
        """Whether it was answered again, and alike."""
        return self.answers == ()


class Unrecorded:
    """A record that keeps nothing: a replay leaves no step, no event and no artefact."""

    def step(self, kind: StepKind, fn: Callable[..., T], *args: Any) -> T:
        """What `fn(*args)` returns."""
        del kind
        return fn(*args)


def grounds(then: Manifest, now: Draft) -> tuple[Change, ...]:
    """What the run rested on that is not the same now, each named.  `now` needs its catalog, policy and data only."""
    changes = [
        *_differ("definitions", "catalog", then.catalog.digest, now.catalog.digest),
        *_differ("policy", "version", then.policy.version, now.policy.version),
        *_differ("policy", "scope", then.policy.scope_digest, now.policy.scope_digest),
    ]
    current = {m.name: m for m in now.catalog.metrics}
    for metric in then.catalog.metrics:
        found = current.get(metric.name)
        changes += _differ("definitions", metric.name, metric.digest, found.digest if found else "")
    data = {d.table: d for d in now.data}
    for table in then.data:
        changes += _differ("data", table.table, _reach(table), _reach(data.get(table.table)))
    return tuple(changes)


def more_grounds(then: Manifest, now: Draft) -> tuple[Change, ...]:
    """What only asking again tells of the grounds: planner, cards and engine."""
    changes = [*_differ("planner", "name", then.planner.name, now.planner.name)]
    for name in sorted({*then.planner.versions, *now.planner.versions}):
        changes += _differ("planner", name, then.planner.versions.get(name, ""), now.planner.versions.get(name, ""))
    cards = {c.name: c for c in now.cards}
    for card in then.cards:
        found = cards.get(card.name)
        changes += _differ("cards", card.name, card.digest, found.digest if found else "")
    return (*changes, *_differ("engine", "version", then.query.engine, now.query.engine))


def answers(then: Manifest, now: Draft, state: str, reason: str) -> tuple[Change, ...]:
    """How the answer differs; results by their digests, as a manifest holds no rows."""
    return (
        *_differ("state", "state", then.run.state, state),
        *_differ("state", "reason", then.run.reason, reason),
        *_differ("meaning", "restatement", then.intent.restatement, now.intent.restatement),
        *_differ("sql", "digest", then.query.sql_digest, now.query.sql_digest),
        *_differ("result", "digest", then.result.digest, now.result.digest),
        *_differ("result", "rows", str(then.result.rows), str(now.result.rows)),
        *_differ(
            "result",
            "further queries",
            " ".join(q.result_digest for q in then.further),
            " ".join(q.result_digest for q in now.further),
        ),
    )


def _differ(part: str, name: str, then: str, now: str) -> Iterator[Change]:
    if then != now:
        yield Change(part=part, name=name, then=then, now=now)


def _reach(data: DataPart | None) -> str:
    """How far a table's data reached, in one text."""
    if data is None:
        return "unknown"
    late = f", {len(data.late_days)} late days" if data.late_days else ""
    return f"complete until {data.complete_until}, loaded {data.loaded_at}{late}"

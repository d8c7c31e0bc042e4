"""The decision over all readings: lexicographic, without learned weights."""

from __future__ import annotations

from dataclasses import dataclass, replace

from catalog.query import MetricIntent
from dataagent.intent.candidate import Candidate, Dead


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Exactly one of: a decided reading, readings with open slots (the likeliest first), rivals, a reason to stop."""

    chosen: Candidate | None = None
    open: tuple[Candidate, ...] = ()
    rivals: tuple[Candidate, ...] = ()
    dead: Dead | None = None


def canonical(intent: MetricIntent) -> MetricIntent:
    """The plan without what does not change its meaning."""
    window, given = intent.time_range, intent.comparison
    if window is not None:
        window = replace(window, expr="", whole_end=window.whole_end if given else None)
    if given is not None and given.range is not None:
        given = replace(given, range=replace(given.range, expr="", whole_end=None))
    return replace(
        intent,
        dimensions=tuple(sorted(intent.dimensions)),
        filters=tuple(sorted(intent.filters, key=repr)),
        having=tuple(sorted(intent.having, key=repr)),
        metrics=tuple(sorted(intent.metrics)),
        time_range=window,
        comparison=given,
        visual=None,
        answer_shape=None,
        defaults_used=(),
        notes=(),
    )


def decide(candidates: tuple[Candidate, ...]) -> Verdict:
    """The best class of readings decides; a tie of different plans asks."""
    alive = [c for c in candidates if c.dead is None]
    if not alive:
        reasons = [c.dead for c in candidates if c.dead is not None]
        return Verdict(dead=_most_telling(reasons)) if reasons else Verdict()
    closed = [c for c in alive if not c.openings]
    if not closed:
        return Verdict(open=tuple(sorted(alive, key=lambda c: (len(c.openings), c.rank))))
    best_rank = min(c.rank[:2] for c in closed)
    tied = [c for c in closed if c.rank[:2] == best_rank]
    plans: dict[MetricIntent, Candidate] = {}
    for candidate in sorted(tied, key=lambda c: c.rank):
        plans.setdefault(canonical(candidate.intent), candidate)
    rivals = tuple(plans.values())
    if len(rivals) == 1:
        return Verdict(chosen=rivals[0])
    return Verdict(rivals=rivals)


_TELLING = ("pii", "forecast", "contradiction", "incompatible", "unsupported", "unknown_value")


def _most_telling(reasons: list[Dead]) -> Dead:
    return min(reasons, key=lambda d: _TELLING.index(d.code) if d.code in _TELLING else 9)

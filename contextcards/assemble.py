"""Candidates → an evidence bundle: eligibility, then authority, then relevance, within a budget."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from contextcards.rank import rank_key
from contextcards.types import Disposition, Evidence, EvidenceBundle


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How much may be cited: characters of text, of which `live_characters` stay free for live observations."""

    characters: int = 16_000
    live_characters: int = 3_000
    items: int = 40


def assemble(
    candidates: Iterable[Evidence], *, today: date, budget: Budget = Budget(), withheld: int = 0
) -> EvidenceBundle:
    """The bundle: what may be cited first, in rank order, then what was set aside, each with its reason.

    `candidates` are permitted ones only; permission is never decided here.
    """
    judged = [_in_period(candidate, today) for candidate in candidates]
    ranked = sorted(judged, key=lambda e: (e.disposition is not Disposition.USED, rank_key(e)))
    return EvidenceBundle(considered=_within(_distinct(ranked), budget), withheld=withheld)


def _in_period(evidence: Evidence, today: date) -> Evidence:
    """Set aside what is not in force on `today`."""
    if evidence.disposition is not Disposition.USED:
        return evidence
    if evidence.effective_from and today < evidence.effective_from:
        reason = f"It takes effect on {evidence.effective_from.isoformat()}."
        return replace(evidence, disposition=Disposition.REJECTED, reason=reason)
    if evidence.effective_to and today > evidence.effective_to:
        reason = f"Its period ended on {evidence.effective_to.isoformat()}."
        return replace(evidence, disposition=Disposition.SUPERSEDED, reason=reason)
    return evidence


def _distinct(ranked: list[Evidence]) -> list[Evidence]:
    """The same text is cited once, from its strongest source."""
    first: dict[str, Evidence] = {}
    kept: list[Evidence] = []
    for evidence in ranked:
        if evidence.disposition is Disposition.USED and evidence.digest in first:
            reason = f"The same text as “{first[evidence.digest].title}”."
            evidence = replace(evidence, disposition=Disposition.REJECTED, reason=reason)
        first.setdefault(evidence.digest, evidence)
        kept.append(evidence)
    return kept


def _within(ranked: list[Evidence], budget: Budget) -> tuple[Evidence, ...]:
    room, items = budget.characters - budget.live_characters, budget.items
    fitted: list[Evidence] = []
    for evidence in ranked:
        if evidence.disposition is Disposition.USED:
            if len(evidence.text) > room or items == 0:
                evidence = replace(
                    evidence, disposition=Disposition.REJECTED, reason="It ranks below what fits the budget."
                )
            else:
                room, items = room - len(evidence.text), items - 1
        fitted.append(evidence)
    return tuple(sorted(fitted, key=lambda e: e.disposition is not Disposition.USED))

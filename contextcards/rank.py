"""The order of evidence: authority for the kind of claim first, then relevance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from contextcards.types import Authority, ClaimKind, Evidence

_A = Authority
AUTHORITY_FOR: Mapping[ClaimKind, tuple[Authority, ...]] = {
    ClaimKind.METRIC_DEFINITION: (_A.CONTRACT, _A.OWNER, _A.DOCUMENT, _A.CODE, _A.HISTORY, _A.LIVE),
    ClaimKind.TABLE_MEANING: (_A.CONTRACT, _A.OWNER, _A.CODE, _A.DOCUMENT, _A.LIVE, _A.HISTORY),
    ClaimKind.CODE_BEHAVIOUR: (_A.CODE, _A.LIVE, _A.CONTRACT, _A.OWNER, _A.DOCUMENT, _A.HISTORY),
    ClaimKind.DATA_STATE: (_A.LIVE, _A.CODE, _A.OWNER, _A.DOCUMENT, _A.CONTRACT, _A.HISTORY),
    ClaimKind.EVENT: (_A.OWNER, _A.DOCUMENT, _A.CONTRACT, _A.LIVE, _A.CODE, _A.HISTORY),
    ClaimKind.CAVEAT: (_A.CONTRACT, _A.OWNER, _A.LIVE, _A.CODE, _A.DOCUMENT, _A.HISTORY),
}
"""Who may speak about what, strongest first: a contract defines a metric, a live check tells
the state of a partition, code tells what code does; neither does another's job."""

WORDS_WEIGHT = 0.4
MEANING_WEIGHT = 0.6
MEANING_FLOOR = 0.30
"""Cosine under which two texts have nothing to do with each other in the encoder's space."""
LINKED = 0.25
"""What a document gains by being about a table that the question reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """How well one passage fits a question: `words` is a text rank (>= 0), `cosine` -1 to 1 or None."""

    words: float
    cosine: float | None
    linked: bool = False


def authority_rank(claim: ClaimKind, authority: Authority) -> int:
    """The place of an authority for this kind of claim: 0 is the strongest."""
    return AUTHORITY_FOR[claim].index(authority)


def rank_key(evidence: Evidence) -> tuple[int, float, str]:
    """The sort key of evidence: authority, then relevance, then its id, so that ties are stable."""
    return authority_rank(evidence.claim, evidence.authority), -evidence.relevance, evidence.id


def relevance(match: Match, best_words: float) -> float:
    """Relevance 0 to 1: a weighted sum of the word rank (relative to the best) and the cosine above its floor.

    Reciprocal-rank fusion lets a poor word match displace a good meaning match;
    a weighted sum of the two scores does not.  Without vectors words count alone.
    """
    words = match.words / best_words if best_words > 0 else 0.0
    if match.cosine is None:
        fused = words
    else:
        meaning = max(0.0, match.cosine - MEANING_FLOOR) / (1 - MEANING_FLOOR)
        fused = WORDS_WEIGHT * words + MEANING_WEIGHT * meaning
    return round(min(1.0, fused * (1 - LINKED) + (LINKED if match.linked else 0.0)), 4)

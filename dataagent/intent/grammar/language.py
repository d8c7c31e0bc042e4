"""All rules of the grammar together."""

from __future__ import annotations

from dataagent.intent.chart import Grammar
from dataagent.intent.grammar import (
    asking,
    averaging,
    changing,
    cohorts,
    combining,
    comparing,
    conditions,
    continuing,
    contrasts,
    counting,
    defining,
    edits,
    existing,
    frames,
    funnels,
    listing,
    moves,
    nouns,
    placing,
    rankings,
    reaching,
    showing,
    siding,
    telegrams,
    times,
)

_ALL = (
    *nouns.RULES,
    *conditions.RULES,
    *times.RULES,
    *rankings.RULES,
    *comparing.RULES,
    *contrasts.RULES,
    *asking.RULES,
    *counting.RULES,
    *existing.RULES,
    *combining.RULES,
    *moves.RULES,
    *changing.RULES,
    *cohorts.RULES,
    *frames.RULES,
    *funnels.RULES,
    *listing.RULES,
    *defining.RULES,
    *showing.RULES,
    *averaging.RULES,
    *siding.RULES,
    *telegrams.RULES,
    *reaching.RULES,
    *placing.RULES,
)

GRAMMAR = Grammar(_ALL)
"""The grammar of questions."""

EDIT_GRAMMAR = Grammar((*_ALL, *edits.RULES, *continuing.RULES))
"""The grammar of follow-ups: the same phrases, and the words of change."""

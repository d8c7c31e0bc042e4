"""All rules of the grammar together."""

from __future__ import annotations

from dataagent.intent.chart import Grammar
from dataagent.intent.grammar import asking, comparing, conditions, defining, frames, nouns, rankings, times

GRAMMAR = Grammar(
    (
        *nouns.RULES,
        *conditions.RULES,
        *times.RULES,
        *rankings.RULES,
        *comparing.RULES,
        *asking.RULES,
        *frames.RULES,
        *defining.RULES,
    )
)
"""The grammar of questions."""

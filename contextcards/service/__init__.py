"""The door of this room: cards, proposals, documents and the evidence for a question.

Callers have decided the capability; every function is told the workspace, and
the scope or roles of the person, and hides what they do not grant.
"""

from contextcards.service.cards import card, cards, versions
from contextcards.service.evidence import evidence
from contextcards.service.load import LoadReport, load_demo
from contextcards.service.proposals import diff, open_proposals, proposal, propose, publish, reject, rollback

__all__ = [
    "LoadReport",
    "card",
    "cards",
    "diff",
    "evidence",
    "load_demo",
    "open_proposals",
    "proposal",
    "propose",
    "publish",
    "reject",
    "rollback",
    "versions",
]

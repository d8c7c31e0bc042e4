"""Answers that stop: a question back, an honest no, or a refusal that helps and leaks nothing."""

from __future__ import annotations

from dataclasses import replace

from catalog.issues import Issue, IssueCode
from dataagent.answering.types import Answer
from dataagent.intent.types import Decision, Limitation, Understanding
from dataagent.sqlguard.guard import Refusal

_CODE_OF = {
    IssueCode.UNREACHABLE_DIMENSION: "incompatible",
    IssueCode.AMBIGUOUS_PATH: "incompatible",
    IssueCode.FAN_OUT: "incompatible",
    IssueCode.WRONG_TYPE: "incompatible",
    IssueCode.GRAIN_TOO_FINE: "incompatible",
    IssueCode.NOT_PERMITTED: "permission",
    IssueCode.CONTRADICTION: "contradiction",
    IssueCode.UNKNOWN_METRIC: "unknown_term",
    IssueCode.UNKNOWN_DIMENSION: "unknown_term",
    IssueCode.UNKNOWN_VALUE: "unknown_value",
}


_NAMELESS = (IssueCode.UNKNOWN_METRIC, IssueCode.UNKNOWN_DIMENSION)
_NOT_KNOWN = "Part of this question is not known here. The catalog lists everything that is open to you."
"""Said of whatever is hidden or absent: the name of a hidden thing would tell that it is there."""


def not_understood(question: str, understanding: Understanding) -> Answer:
    """The page for clarify, abstain and deny, as understanding left it."""
    limitation = understanding.limitation
    headline = understanding.prompt or (limitation.message if limitation else "This question could not be understood.")
    return Answer(
        question=question,
        decision=understanding.decision,
        headline=headline,
        restatement=understanding.restatement,
        certificate=understanding.certificate,
        prompt=understanding.prompt,
        options=understanding.options,
        limitation=limitation,
    )


def cannot_compute(question: str, understanding: Understanding, issues: tuple[Issue, ...]) -> Answer:
    """The meaning is clear, but it cannot be computed: the first issue's reason, and the choices of all."""
    nameless = issues[0].code in _NAMELESS
    first = replace(issues[0], message=_NOT_KNOWN) if nameless else issues[0]
    choices = tuple(dict.fromkeys(c for issue in issues for c in issue.choices))
    code = _CODE_OF.get(first.code, "unsupported")
    limitation = Limitation(code=code, message=first.message, suggestions=choices)
    return Answer(
        question=question,
        decision=Decision.DENY if code == "permission" else Decision.ABSTAIN,
        headline=first.message,
        restatement="" if nameless else understanding.restatement,
        certificate=() if nameless else understanding.certificate,
        limitation=limitation,
    )


def refused(question: str, understanding: Understanding, refusal: Refusal) -> Answer:
    """Policy or the guard said no."""
    limitation = Limitation(code="permission", message=refusal.message)
    return Answer(
        question=question,
        decision=Decision.DENY,
        headline=refusal.message,
        restatement=understanding.restatement,
        certificate=understanding.certificate,
        limitation=limitation,
    )

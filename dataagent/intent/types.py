"""What understanding a question yields: a decision with its certificate, or what to ask, or why not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from catalog.query import MetricIntent


class Decision(StrEnum):
    """Outcomes of understanding."""

    ANSWER = "answer"
    CLARIFY = "clarify"
    ABSTAIN = "abstain"
    DENY = "deny"
    DEFINE = "define"


class BoundTo(StrEnum):
    """What a word was bound to."""

    METRIC = "metric"
    DIMENSION = "dimension"
    VALUE = "value"
    ENTITY = "entity"
    TIME = "time"
    NUMBER = "number"
    OPERATOR = "operator"
    ADJECTIVE = "adjective"
    EVENT = "event"
    IGNORABLE = "ignorable"
    UNBOUND = "unbound"


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """One piece of the certificate: question[start:end] ↔ the plan paths it wrote.

    `paths` are like "metrics[0]", "time_range", "filters[0].values[0]"; empty for
    IGNORABLE and UNBOUND.  `note` says what was decided ("synonym of net_revenue",
    "typo of plan", "from turn 2").
    """

    start: int
    end: int
    text: str
    kind: BoundTo
    target: str = ""
    paths: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One clickable reading: a complete, valid plan.  `question` asks it again in words."""

    label: str
    question: str
    intent: MetricIntent | None
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limitation:
    """Why there is no answer, what can be done, without naming anything hidden.

    `code` is stable (unknown_term, unknown_value, forecast, cause, advice, what_if,
    out_of_scope, unsupported, incompatible, destructive, pii, permission,
    injection, policy_probe, secrets, bulk, raw_sql, unsupported_action, too_long).
    """

    code: str
    message: str
    unbound: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    ask_whom: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """The outcome for one question.

    ANSWER and DEFINE carry `intent`; CLARIFY carries `prompt` and two to four
    `options`; ABSTAIN and DENY carry `limitation`.  `certificate` covers the
    question left to right in every case.  `restatement` is the plan in plain words.
    `about` are the question's words that CLARIFY asks about, where it is about words.
    """

    decision: Decision
    intent: MetricIntent | None = None
    certificate: tuple[Binding, ...] = ()
    restatement: str = ""
    prompt: str = ""
    options: tuple[Option, ...] = ()
    limitation: Limitation | None = None
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """An earlier turn of the session: its words, the plan that it ended with, and the run that it was."""

    question: str
    intent: MetricIntent | None
    id: str = ""

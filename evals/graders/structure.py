"""The first grader: was the right kind of reply given, on permitted ground, with the caveats that are due."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from catalog.types import Scalar
from dataagent.intent.types import Decision
from evals.types import AskedIntent, EvalOutcome, ExpectedFilter, ExpectedIntent, GoldenCase, Reply, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a grader found wrong: the outcome that follows, the stage at fault and a sentence."""

    outcome: EvalOutcome
    stage: Stage
    detail: str


Check = Callable[[GoldenCase, Reply], Finding | None]

_WITHOUT_ANSWER = {
    Decision.CLARIFY: EvalOutcome.ASKED,
    Decision.ABSTAIN: EvalOutcome.ABSTAINED,
    Decision.DENY: EvalOutcome.DENIED,
}


def grade_structure(case: GoldenCase, reply: Reply) -> Finding | None:
    """The first thing wrong with the reply's kind, plan and ground, or None."""
    return next((found for check in CHECKS if (found := check(case, reply))), None)


def _broke_off(_: GoldenCase, reply: Reply) -> Finding | None:
    if reply.decision is not None and reply.failed_at is None:
        return None
    stage = reply.failed_at or Stage.EXECUTION
    return Finding(outcome=EvalOutcome.FAILED, stage=stage, detail=reply.reason or "the run broke off")


def _decision(case: GoldenCase, reply: Reply) -> Finding | None:
    decision = reply.decision
    if decision is None or decision is case.decision or decision in case.accept:
        return None
    outcome = _WITHOUT_ANSWER.get(decision, EvalOutcome.WRONG)
    stage = Stage.POLICY if Decision.DENY in (decision, case.decision) else Stage.INTENT
    because = f": {reply.reason}" if reply.reason else ""
    return Finding(outcome=outcome, stage=stage, detail=f"{decision} instead of {case.decision}{because}")


def _options(case: GoldenCase, reply: Reply) -> Finding | None:
    missing = set(case.options) - set(reply.option_names)
    if reply.decision is not Decision.CLARIFY or not missing:
        return None
    return _wrong(Stage.INTENT, f"the options leave out {_listed(missing)}")


def _intent(case: GoldenCase, reply: Reply) -> Finding | None:
    if case.intent is None or reply.decision not in (Decision.ANSWER, Decision.DEFINE):
        return None
    if reply.intent is None:
        return _wrong(Stage.INTENT, "the answer carries no plan")
    parts = differing_parts(case.intent, reply.intent)
    return _wrong(Stage.INTENT, f"the plan differs in {_listed(parts)}") if parts else None


def _tables(case: GoldenCase, reply: Reply) -> Finding | None:
    if reply.decision is not Decision.ANSWER:
        return None
    used = set(reply.tables)
    prohibited = used & set(case.prohibited_tables)
    if prohibited:
        return _wrong(Stage.TABLE_CHOICE, f"it read {_listed(prohibited)}, which this question must not use")
    missing = set(case.required_tables) - used
    return _wrong(Stage.TABLE_CHOICE, f"it did not read {_listed(missing)}") if missing else None


def _versions(case: GoldenCase, reply: Reply) -> Finding | None:
    if reply.decision not in (Decision.ANSWER, Decision.DEFINE):
        return None
    used = dict(reply.metric_versions)
    other = [name for name, version in case.metric_versions if used.get(name) != version]
    return _wrong(Stage.PLAN, f"it did not use the version of {_listed(other)} that is due") if other else None


def _row_scope(case: GoldenCase, reply: Reply) -> Finding | None:
    return _missing_texts(case, reply, case.row_scope, reply.row_scope, Stage.POLICY, "row filter")


def _sources(case: GoldenCase, reply: Reply) -> Finding | None:
    return _missing_texts(case, reply, case.required_sources, reply.sources, Stage.RETRIEVAL, "source")


def _caveats(case: GoldenCase, reply: Reply) -> Finding | None:
    return _missing_texts(case, reply, case.caveats, reply.caveats, Stage.ANSWER, "caveat")


def _assumptions(case: GoldenCase, reply: Reply) -> Finding | None:
    return _missing_texts(case, reply, case.assumptions, reply.assumptions, Stage.ANSWER, "assumption")


def _missing_texts(  # noqa: PLR0917 (one shape for four checks)
    case: GoldenCase, reply: Reply, wanted: tuple[str, ...], given: tuple[str, ...], stage: Stage, what: str
) -> Finding | None:
    """A finding for the first wanted part that stands in no given sentence; only answers are held to it."""
    if reply.decision not in (Decision.ANSWER, Decision.DEFINE) or case.decision is Decision.CLARIFY:
        return None
    missing = [part for part in wanted if not any(part.casefold() in text.casefold() for text in given)]
    return _wrong(stage, f"the {what} “{missing[0]}” is missing") if missing else None


def differing_parts(expected: ExpectedIntent, got: AskedIntent) -> tuple[str, ...]:
    """Names of the stated parts of `expected` that `got` does not match; sets are unordered."""
    found = []
    for name in ("metrics", "dimensions"):
        wanted = getattr(expected, name)
        if wanted is not None and set(wanted) != set(getattr(got, name)):
            found.append(name)
    if expected.filters is not None and _keys(expected.filters) != _keys(got.filters):
        found.append("filters")
    for name in ("grain", "start", "end", "limit"):
        wanted = getattr(expected, name)
        if wanted is not None and wanted != getattr(got, name):
            found.append(name)
    return tuple(found)


def _keys(filters: tuple[ExpectedFilter, ...]) -> set[tuple[str, str, frozenset[tuple[str, Scalar]]]]:
    return {(f.field, str(f.op), frozenset((type(v).__name__, v) for v in f.values)) for f in filters}


def _wrong(stage: Stage, detail: str) -> Finding:
    return Finding(outcome=EvalOutcome.WRONG, stage=stage, detail=detail)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


CHECKS: tuple[Check, ...] = (
    _broke_off,
    _decision,
    _options,
    _intent,
    _tables,
    _versions,
    _row_scope,
    _sources,
    _caveats,
    _assumptions,
)
"""Checks in order; the first finding decides."""

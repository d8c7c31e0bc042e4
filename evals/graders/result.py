"""The second grader: does the answer's result hold the values of one of the references."""

from __future__ import annotations

from collections.abc import Callable

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from dataagent.intent.types import Decision
from evals.graders.compare_results import compare_results
from evals.graders.structure import Finding
from evals.types import EvalOutcome, GoldenCase, Reference, ReferenceFault, Reply, ResultRows, Stage

RunReference = Callable[[GoldenCase, Reference], ResultRows | ReferenceFault]


def grade_result(case: GoldenCase, reply: Reply, run_reference: RunReference) -> Finding | None:
    """None when any reference agrees, or none is due; else why the last one that ran does not.

    A reference that does not run is no excuse where another one ran and differs.
    """
    if reply.decision is not Decision.ANSWER or not case.references:
        return None
    found: list[Finding] = []
    for reference in case.references:
        finding = _against(case, reply, reference, run_reference)
        if finding is None:
            return None
        found.append(finding)
    return next((f for f in reversed(found) if f.outcome is EvalOutcome.WRONG), found[-1])


def _against(case: GoldenCase, reply: Reply, reference: Reference, run_reference: RunReference) -> Finding | None:
    expected = run_reference(case, reference)
    if isinstance(expected, ReferenceFault):
        return Finding(outcome=EvalOutcome.FAILED, stage=Stage.REFERENCE, detail=expected.message)
    keys = order_keys(reference, case.comparison.ordered, expected.columns)
    comparison = compare_results(reply.result, expected, case.comparison, order_keys=keys)
    if comparison.equal:
        return None
    stage = Stage.EXECUTION if reply.result.truncated else Stage.SQL
    return Finding(outcome=EvalOutcome.WRONG, stage=stage, detail=comparison.reason)


def order_keys(reference: Reference, ordered: bool | None, columns: tuple[str, ...]) -> tuple[int, ...] | None:
    """Positions of the columns by which the reference orders; None where the order of rows is free.

    A key that is not among the columns makes the whole row the key.
    """
    if ordered is False:
        return None
    order = _order_of(reference)
    if order is None:
        return tuple(range(len(columns))) if ordered else None
    names = [c.casefold() for c in columns]
    keys = [_position(term.this, names) for term in order.expressions]
    return tuple(range(len(columns))) if None in keys else tuple(k for k in keys if k is not None)


def _order_of(reference: Reference) -> exp.Order | None:
    try:
        tree = sqlglot.parse_one(reference.sql, dialect=reference.dialect)
    except SqlglotError:
        return None
    order = tree.args.get("order")
    return order if isinstance(order, exp.Order) else None


def _position(key: exp.Expression, names: list[str]) -> int | None:
    if isinstance(key, exp.Literal) and not key.is_string and str(key.this).isdigit():
        index = int(key.this) - 1
        return index if 0 <= index < len(names) else None
    name = key.name.casefold() if isinstance(key, exp.Column) else ""
    return names.index(name) if name in names else None

"""Graders run in order, planted mistakes are found, and what is not an answer is never counted as right."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from catalog.types import Operator
from dataagent.intent.types import Decision
from evals.run import EvalPorts, grade, run_cases
from evals.types import (
    AskedIntent,
    EvalOutcome,
    ExpectedFilter,
    ExpectedIntent,
    GoldenCase,
    Reference,
    ReferenceFault,
    Reply,
    ResultRows,
    Stage,
)

EMEA = ExpectedFilter(field="region", op=Operator.EQ, values=("EMEA",))
RIGHT_ROWS = ResultRows(columns=("month", "net_revenue"), rows=(("2025-01", 10), ("2025-02", 20)))
CASE = GoldenCase(
    id="revenue",
    question="net revenue by month for EMEA",
    requester="analyst",
    intent=ExpectedIntent(metrics=("net_revenue",), dimensions=("month",), filters=(EMEA,), start=date(2025, 1, 1)),
    references=(Reference(sql="SELECT month, net_revenue FROM r"),),
    required_tables=("warehouse.fct_orders",),
    prohibited_tables=("warehouse.orders_old",),
    metric_versions=(("net_revenue", 2),),
    caveats=("refunds are deducted",),
    row_scope=("region is EMEA",),
    tags=("trend",),
)
REPLY = Reply(
    decision=Decision.ANSWER,
    result=RIGHT_ROWS,
    intent=AskedIntent(metrics=("net_revenue",), dimensions=("month",), filters=(EMEA,), start=date(2025, 1, 1)),
    tables=("warehouse.fct_orders", "warehouse.fct_refunds"),
    metric_versions=(("net_revenue", 2), ("refund_amount", 1)),
    caveats=("Refunds are deducted on their own day.",),
    row_scope=("region is EMEA",),
)


def reference(_: GoldenCase, __: Reference) -> ResultRows:
    return RIGHT_ROWS


def graded(reply: Reply, case: GoldenCase = CASE) -> tuple[EvalOutcome, Stage | None]:
    result = grade(case, reply, reference)
    return result.outcome, result.stage


def test_a_right_answer_is_right() -> None:
    assert graded(REPLY) == (EvalOutcome.RIGHT, None)


@pytest.mark.parametrize(
    ("changes", "stage"),
    [
        ({"result": ResultRows(columns=("m", "v"), rows=(("2025-01", 20), ("2025-02", 10)))}, Stage.SQL),
        ({"result": ResultRows(columns=("m", "v"), rows=(("2025-01", 10),))}, Stage.SQL),
        ({"intent": replace(REPLY.intent or AskedIntent(), metrics=("gross_revenue",))}, Stage.INTENT),
        ({"intent": replace(REPLY.intent or AskedIntent(), filters=())}, Stage.INTENT),
        ({"intent": replace(REPLY.intent or AskedIntent(), start=date(2024, 1, 1))}, Stage.INTENT),
        ({"intent": None}, Stage.INTENT),
        ({"tables": ("warehouse.fct_orders", "warehouse.orders_old")}, Stage.TABLE_CHOICE),
        ({"tables": ()}, Stage.TABLE_CHOICE),
        ({"metric_versions": (("net_revenue", 1),)}, Stage.PLAN),
        ({"row_scope": ()}, Stage.POLICY),
        ({"caveats": ()}, Stage.ANSWER),
    ],
)
def test_a_planted_mistake_is_wrong_at_its_stage(changes: dict[str, Any], stage: Stage) -> None:
    assert graded(replace(REPLY, **changes)) == (EvalOutcome.WRONG, stage)


@pytest.mark.parametrize(
    ("decision", "outcome", "stage"),
    [
        (Decision.CLARIFY, EvalOutcome.ASKED, Stage.INTENT),
        (Decision.ABSTAIN, EvalOutcome.ABSTAINED, Stage.INTENT),
        (Decision.DENY, EvalOutcome.DENIED, Stage.POLICY),
        (Decision.DEFINE, EvalOutcome.WRONG, Stage.INTENT),
    ],
)
def test_no_answer_where_one_is_due_has_its_own_outcome(decision: Decision, outcome: EvalOutcome, stage: Stage) -> None:
    assert graded(Reply(decision=decision)) == (outcome, stage)


@pytest.mark.parametrize("decision", [Decision.CLARIFY, Decision.ABSTAIN, Decision.DENY])
def test_an_answer_that_should_not_be_is_wrong(decision: Decision) -> None:
    case = GoldenCase(id="x", question="x", requester="analyst", decision=decision)
    assert graded(REPLY, case)[0] is EvalOutcome.WRONG
    assert graded(Reply(decision=decision), case)[0] is EvalOutcome.RIGHT


def test_a_second_right_decision_counts() -> None:
    assert graded(Reply(decision=Decision.CLARIFY), replace(CASE, accept=(Decision.CLARIFY,)))[0] is EvalOutcome.RIGHT


def test_a_clarification_must_offer_the_named_readings() -> None:
    case = GoldenCase(
        id="x",
        question="revenue",
        requester="analyst",
        decision=Decision.CLARIFY,
        options=("net_revenue", "gross_revenue"),
    )
    assert graded(Reply(decision=Decision.CLARIFY, option_names=("net_revenue",)), case)[0] is EvalOutcome.WRONG
    both = Reply(decision=Decision.CLARIFY, option_names=("gross_revenue", "net_revenue"))
    assert graded(both, case)[0] is EvalOutcome.RIGHT


def test_a_run_that_broke_off_failed_with_its_stage() -> None:
    broken = Reply(decision=None, failed_at=Stage.EXECUTION, reason="The warehouse took too long.")
    result = grade(CASE, broken, reference)
    assert (result.outcome, result.stage, result.detail) == (
        EvalOutcome.FAILED,
        Stage.EXECUTION,
        "The warehouse took too long.",
    )


def test_any_of_several_references_is_enough() -> None:
    other = ResultRows(columns=("a",), rows=((1,),))
    answers = {"one": other, "two": RIGHT_ROWS}
    case = replace(CASE, references=(Reference(sql="one"), Reference(sql="two")))
    assert grade(case, REPLY, lambda _, r: answers[r.sql]).outcome is EvalOutcome.RIGHT
    assert grade(case, REPLY, lambda _, __: other).outcome is EvalOutcome.WRONG


def test_a_broken_reference_is_no_excuse_where_another_differs() -> None:
    other = ResultRows(columns=("a",), rows=((1,),))
    fault = ReferenceFault(message="The reference names an unknown table.")
    answers: dict[str, ResultRows | ReferenceFault] = {"one": other, "two": fault}
    case = replace(CASE, references=(Reference(sql="one"), Reference(sql="two")))
    assert grade(case, REPLY, lambda _, r: answers[r.sql]).outcome is EvalOutcome.WRONG


def test_a_broken_reference_is_a_failure_and_never_right() -> None:
    result = grade(CASE, REPLY, lambda _, __: ReferenceFault(message="The reference names an unknown table."))
    assert (result.outcome, result.stage) == (EvalOutcome.FAILED, Stage.REFERENCE)


@pytest.mark.parametrize(
    ("sql", "outcome"),
    [
        ("SELECT month, net_revenue FROM r", EvalOutcome.RIGHT),
        ("SELECT month, net_revenue FROM r ORDER BY net_revenue", EvalOutcome.WRONG),
        ("SELECT month, net_revenue FROM r ORDER BY 2", EvalOutcome.WRONG),
        ("SELECT month, net_revenue FROM (SELECT * FROM r ORDER BY 1)", EvalOutcome.RIGHT),
    ],
)
def test_the_order_of_rows_counts_only_where_the_reference_ends_in_it(sql: str, outcome: EvalOutcome) -> None:
    turned = replace(REPLY, result=ResultRows(columns=("m", "v"), rows=tuple(reversed(RIGHT_ROWS.rows))))
    assert graded(turned, replace(CASE, references=(Reference(sql=sql),)))[0] is outcome


def test_cases_are_run_one_by_one_and_told_as_they_are_done() -> None:
    asked: list[str] = []

    def ask(case: GoldenCase) -> Reply:
        asked.append(case.id)
        return REPLY

    results = run_cases((CASE, replace(CASE, id="second")), EvalPorts(ask=ask, run_reference=reference))
    assert next(results).case_id == "revenue"
    assert asked == ["revenue"]
    assert [r.case_id for r in results] == ["second"]

"""A refusal names what may be asked instead, and nothing hidden."""

from __future__ import annotations

from catalog.access import AccessScope
from catalog.types import Aggregation, CatalogSnapshot, Measure, Metric, MetricFormat, MetricInput, MetricType
from catalog.types import SemanticModel as Model
from dataagent.answering.alternatives import alternatives
from dataagent.intent.types import Decision, Understanding

SALES = Model(
    name="sales",
    table="w.sales",
    measures=tuple(Measure(name=n, agg=Aggregation.SUM, expr=n) for n in ("paid", "cost", "pieces")),
)


def money(name: str, measure: str) -> Metric:
    return Metric(
        name=name, type=MetricType.SIMPLE, measure=measure, format=MetricFormat.CURRENCY, description=f"Sum of {name}."
    )


MARGIN = Metric(
    name="gross_margin",
    type=MetricType.DERIVED,
    expr="net_revenue - cogs",
    inputs=(MetricInput(metric="net_revenue"), MetricInput(metric="cogs")),
    format=MetricFormat.CURRENCY,
)
UNITS = Metric(name="units", type=MetricType.SIMPLE, measure="pieces")
SNAPSHOT = CatalogSnapshot(
    name="t",
    digest="d",
    dialect="duckdb",
    models=(SALES,),
    metrics=(MARGIN, UNITS, money("net_revenue", "paid"), money("cogs", "cost")),
)
SCOPE = AccessScope(
    workspace="w", principal="p", policy_version="1", digest="s", metrics=frozenset({"net_revenue", "units"})
)


def understood(text: str) -> Understanding:
    return Understanding(decision=Decision.ANSWER if "net revenue" in text else Decision.ABSTAIN)


def test_the_alternative_stands_in_the_same_question_with_its_own_definition() -> None:
    (option,) = alternatives("Gross margin last month", "gross_margin", SNAPSHOT, SCOPE, understood)
    assert option.question == "net revenue last month"
    assert option.detail == "A different figure: Sum of net_revenue."


def test_a_hidden_input_is_never_offered() -> None:
    offered = alternatives("gross margin last month", "gross_margin", SNAPSHOT, SCOPE, understood)
    assert "cogs" not in repr(offered)


def test_another_unit_is_no_alternative() -> None:
    offered = alternatives("gross margin last month", "gross_margin", SNAPSHOT, SCOPE, understood)
    assert [o.label for o in offered] == ["net revenue"]


def test_what_is_not_read_back_as_an_answer_is_not_offered() -> None:
    def lost(_: str) -> Understanding:
        return Understanding(decision=Decision.ABSTAIN)

    assert alternatives("gross margin last month", "gross_margin", SNAPSHOT, SCOPE, lost) == ()


def test_what_is_asked_for_already_is_no_alternative() -> None:
    rest = alternatives("gross margin and net revenue in May", "gross_margin", SNAPSHOT, SCOPE, understood)
    assert rest == ()
    assert alternatives("gross margin and units in May", "gross_margin", SNAPSHOT, SCOPE, understood) != ()

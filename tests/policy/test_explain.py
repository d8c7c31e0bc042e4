"""Why somebody sees what they see: every reason is that of the decision."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from dataagent.policy.document import parse_policy
from dataagent.policy.explain import Thing, Why, explain
from dataagent.policy.principal import Principal

POLICY = parse_policy(
    """version: "1"
roles:
  analyst:
    capabilities: [ask, query]
    metrics: {allow: [revenue, margin]}
    tables: {main.orders: {}, main.people: {columns: [name]}}
  emea:
    metrics: {deny: [margin]}
    tables:
      main.orders: {row_filter: {id: r, predicate: "region = :region", label: own region}}
      main.refunds: {row_filter: {id: r, predicate: "region = :region", label: own region}}
  careful: {deny_tables: [main.people], deny_capabilities: [query]}
  reader: {engine_role: a, tables: {main.orders: {}}}
  writer: {engine_role: b}
""",
    file="p.yaml",
)


@dataclass(frozen=True)
class Column:
    name: str


@dataclass(frozen=True)
class Table:
    name: str
    columns: tuple[Column, ...] = (Column("region"), Column("name"))


SCHEMA = (Table("main.orders"), Table("main.people"), Table("main.refunds"))


def why(*roles: str, region: str | None = None) -> dict[str, Why]:
    person = Principal(
        user="p",
        workspace="shop",
        workspace_id=1,
        roles=roles,
        capabilities=frozenset(),
        attributes=(("region", region),) if region else (),
    )
    return {f"{w.thing}:{w.name}": w for w in explain(POLICY, person, SCHEMA, ("revenue", "margin"))}


@pytest.mark.parametrize(
    ("roles", "thing", "seen", "because"),
    [
        (("analyst",), "table:main.orders", True, "granted by analyst"),
        (("analyst", "emea"), "table:main.orders", True, "all rows by analyst"),
        (("emea",), "table:main.orders", False, "granted by emea, but the person has no region"),
        (("analyst", "careful"), "table:main.people", False, "denied by careful"),
        (("analyst",), "table:main.refunds", False, "no role grants it"),
        (("analyst",), "metric:margin", True, "granted by analyst"),
        (("analyst", "emea"), "metric:margin", False, "denied by emea"),
        (("analyst",), "capability:query", True, "granted by analyst"),
        (("analyst", "careful"), "capability:query", False, "denied by careful"),
        (("absent",), "capability:ask", False, "no role grants it"),
    ],
)
def test_the_reason_names_the_roles_and_what_is_missing(
    roles: tuple[str, ...], thing: str, seen: bool, because: str
) -> None:
    found = why(*roles)[thing]
    assert (found.seen, found.because) == (seen, because)


def test_roles_of_several_engine_roles_open_nothing_and_it_is_said() -> None:
    assert why("reader", "writer")["table:main.orders"].because.endswith("the roles take several roles of the engine")
    assert why("reader")["table:main.orders"].seen


def test_an_attribute_that_the_filter_needs_opens_the_table() -> None:
    assert why("emea", region="EMEA")["table:main.orders"].seen


def test_everything_there_is_gets_a_reason() -> None:
    kinds = [w.thing for w in why("analyst").values()]
    assert (kinds.count(Thing.TABLE), kinds.count(Thing.METRIC)) == (3, 2)

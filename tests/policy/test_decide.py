"""Decisions and scopes: unknown is denied, deny wins, roles never lend each other rows or columns."""

from __future__ import annotations

from catalog.access import AccessScope, MaskKind, MinimumGroup
from dataagent.policy.decide import capabilities_of, decide, scope_of
from dataagent.policy.document import parse_policy
from dataagent.policy.principal import Capability, Principal
from dataagent.sqlguard.schema import Column, TableSchema

SCHEMA = (
    TableSchema(
        name="main.orders",
        columns=tuple(Column(name=n, type="VARCHAR") for n in ("id", "region", "email", "ssn")),
    ),
    TableSchema(name="main.salaries", columns=(Column(name="salary", type="INTEGER"),)),
)
POLICY = """
version: "7"
roles:
  analyst:
    capabilities: [ask, query]
    metrics: {allow: "*", deny: [margin]}
    tables:
      main.orders: {columns: "*", except: [ssn], masks: [{column: email, kind: partial, argument: 1}]}
  finance:
    capabilities: [ask]
    metrics: {allow: [margin]}
    tables: {main.orders: {columns: [id, email]}}
  region:
    capabilities: [ask, export]
    tables:
      main.orders:
        columns: [id, ssn]
        row_filter: {id: own_region, predicate: "region = :region", label: region is yours}
  team:
    tables:
      main.orders:
        columns: [id, region]
        row_filter: {id: live, predicate: "id > 0", label: live orders}
  careful:
    deny_capabilities: [export]
    deny_tables: [main.orders]
"""
DOCUMENT = parse_policy(POLICY, file="policy.yaml")


def someone(*roles: str, **attributes: str) -> Principal:
    return Principal(
        user="ada",
        workspace="demo",
        workspace_id=1,
        roles=roles,
        capabilities=capabilities_of(DOCUMENT, roles),
        attributes=tuple(attributes.items()),
        policy_version=DOCUMENT.label(),
    )


def scope(*roles: str, **attributes: str) -> AccessScope:
    return scope_of(DOCUMENT, someone(*roles, **attributes), SCHEMA, ("revenue", "margin"))


def test_a_granted_capability_is_allowed_and_another_is_denied() -> None:
    assert decide(someone("analyst"), Capability.ASK).allowed()
    refused = decide(someone("analyst"), Capability.ADMINISTER)
    assert (refused.allowed(), refused.reason, refused.policy_version[:2]) == (False, "not_granted", "7@")


def test_nobody_an_unknown_role_and_a_missing_policy_are_denied() -> None:
    bare = Principal(user="x", workspace="w", workspace_id=1, roles=(), capabilities=frozenset(Capability))
    for principal in (None, someone("no_such_role"), bare):
        assert not decide(principal, Capability.ASK).allowed()


def test_a_denied_capability_wins_over_a_grant() -> None:
    assert decide(someone("region"), Capability.EXPORT).allowed()
    assert not decide(someone("region", "careful"), Capability.EXPORT).allowed()


def test_a_table_that_is_not_listed_does_not_exist() -> None:
    assert scope("analyst").table("main.salaries") is None
    assert scope("analyst").table("main.orders") is not None


def test_a_denied_table_and_metric_win_over_every_grant() -> None:
    assert scope("analyst", "careful").tables == ()
    assert scope("analyst", "finance").metrics == {"revenue"}
    assert scope("finance").metrics == {"margin"}


def test_excepted_columns_are_absent_and_a_mask_stays() -> None:
    access = scope("analyst").table("main.orders")
    assert access is not None
    assert access.columns == {"id", "region", "email"}
    assert [(m.column, m.kind) for m in access.masks] == [("email", MaskKind.PARTIAL)]


def test_an_unmasked_grant_of_the_same_column_lifts_the_mask() -> None:
    access = scope("analyst", "finance").table("main.orders")
    assert access is not None
    assert access.masks == ()


def test_a_filter_carries_the_principals_attribute_as_a_parameter() -> None:
    access = scope("region", region="EMEA").table("main.orders")
    assert access is not None
    assert access.row_filter is not None
    assert access.row_filter.parameters == (("region", "EMEA"),)


def test_a_filter_whose_attribute_is_missing_grants_nothing() -> None:
    assert scope("region").tables == ()


def test_an_unfiltered_grant_lifts_the_filter_but_does_not_inherit_the_filtered_columns() -> None:
    access = scope("analyst", "region", region="EMEA").table("main.orders")
    assert access is not None
    assert access.row_filter is None
    assert "ssn" not in access.columns


def test_two_filtered_grants_keep_both_filters() -> None:
    access = scope("region", "team", region="EMEA").table("main.orders")
    assert access is not None
    assert access.row_filter is not None
    assert access.row_filter.predicate == "(region = :region) AND (id > 0)"
    assert access.columns == {"id", "ssn", "region"}


def test_the_digest_tells_principals_and_attributes_apart() -> None:
    assert scope("region", region="EMEA").digest != scope("region", region="APAC").digest
    assert scope("region", region="EMEA").digest == scope("region", region="EMEA").digest


GROUPED = """
version: "1"
roles:
  one: {tables: {main.orders: {minimum_group: {columns: [region], at_least: 5, of: id}}}}
  other: {tables: {main.orders: {minimum_group: {columns: [email], at_least: 9}}}}
  free: {tables: {main.orders: {columns: [id]}}}
"""


def test_minimum_groups_of_several_roles_hold_together() -> None:
    document = parse_policy(GROUPED, file="p.yaml")

    def rule(*roles: str) -> object:
        return scope_of(document, someone(*roles), SCHEMA, ()).tables[0].minimum_group

    assert rule("one") == MinimumGroup(columns=("region",), at_least=5, of=("id",))
    assert rule("one", "other") == MinimumGroup(columns=("region", "email"), at_least=9, of=("id", ""))
    assert rule("one", "free") == rule("one")
    assert rule("free") is None


ENGINE_ROLES = """
version: "1"
roles:
  one: {engine_role: emea, tables: {main.orders: {columns: [id]}}}
  other: {engine_role: apac, tables: {main.orders: {columns: [id]}}}
  plain: {tables: {main.orders: {columns: [id]}}}
"""


def test_an_engine_role_is_handed_on_and_two_of_them_show_nothing() -> None:
    document = parse_policy(ENGINE_ROLES, file="p.yaml")

    def found(*roles: str) -> AccessScope:
        return scope_of(document, someone(*roles), SCHEMA, ())

    assert (found("one", "plain").engine_role, len(found("one", "plain").tables)) == ("emea", 1)
    assert found("one", "other").tables == ()
    assert found("plain").engine_role == ""
    assert found("one").digest != found("plain").digest

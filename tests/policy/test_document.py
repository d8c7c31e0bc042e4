"""Policy files are checked with file and line."""

from __future__ import annotations

import pytest

from dataagent.policy.document import FilterRule, PolicyError, parse_policy

GOOD = 'version: "1"\nroles:\n  analyst:\n    capabilities: [ask]\n'


def issues(text: str) -> list[str]:
    with pytest.raises(PolicyError) as caught:
        parse_policy(text, file="p.yaml")
    return [str(i) for i in caught.value.issues]


def test_a_good_document_is_read() -> None:
    assert parse_policy(GOOD, file="p.yaml").roles["analyst"].capabilities == ("ask",)


def test_the_digest_does_not_depend_on_how_it_is_written() -> None:
    other = "roles: {analyst: {capabilities: [ask]}}\nversion: '1'\n"
    assert parse_policy(GOOD, file="a").digest() == parse_policy(other, file="b").digest()


def test_an_unknown_capability_is_reported_at_its_line() -> None:
    assert issues(GOOD.replace("ask", "fly"))[0].startswith("p.yaml:4: roles.analyst.capabilities")


def test_an_unknown_key_is_reported_at_its_line() -> None:
    assert issues(GOOD + "    tabels: {}\n")[0].startswith("p.yaml:5: roles.analyst.tabels")


def test_a_repeated_key_is_reported_and_not_silently_overwritten() -> None:
    assert issues(GOOD + "    capabilities: [ask, query]\n") == ["p.yaml:5: capabilities is given twice."]


def test_text_that_is_not_yaml_is_reported_at_its_line() -> None:
    assert issues("version: [\nroles: }\n")[0].startswith("p.yaml:2:")


def test_attributes_are_found_outside_casts_and_literals() -> None:
    rule = FilterRule(id="r", label="l", predicate="a = :region AND b::text = ':no' AND c = :team")
    assert rule.attributes() == ("region", "team")


def test_a_minimum_group_needs_columns_and_more_than_one_who_share_them() -> None:
    grant = "    tables:\n      main.t:\n        minimum_group: {columns: [city], at_least: 1}\n"
    assert issues(GOOD + grant)[0].startswith("p.yaml:7: roles.analyst.tables.main.t.minimum_group.at_least")
    assert issues(GOOD + grant.replace("[city]", "[]").replace("1}", "5}"))[0].startswith("p.yaml:7")

"""A policy made of an engine's grants: what it says, what it leaves out, and that it is never wider."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from dataagent.policy.document import parse_policy
from dataagent.policy.grants import EngineGrant, RowPolicy, imported

OPEN = RowPolicy(name="emea", condition="(region = 'EMEA'::text)", permissive=True)


def rows(*policies: RowPolicy) -> str | None:
    """The predicate that the policies become; None where the table is left out."""
    grant = EngineGrant(role="r", table="s.t", columns=("region",), secured=True, policies=policies)
    tables = parse_policy(imported([grant], version="1").text, file="p").roles["r"].tables
    found = tables["s.t"].row_filter if "s.t" in tables else None
    return found.predicate if found else None


def test_columns_are_carried_over_and_nothing_else_is_given() -> None:
    made = imported([EngineGrant(role="reader", table="s.t", columns=("a", "b"))], version="1")
    role = parse_policy(made.text, file="p").roles["reader"]
    assert role.tables["s.t"].columns == ("a", "b")
    assert (role.capabilities, role.metrics.allow) == ((), ())
    assert "no capabilities" in made.warnings[0]


def test_row_policies_are_joined_as_the_engine_joins_them() -> None:
    other = RowPolicy(name="apac", condition="(region = 'APAC'::text)", permissive=True)
    narrow = RowPolicy(name="recent", condition="(year >= 2024)", permissive=False)
    assert rows(OPEN, other, narrow) == "(((region = 'EMEA')) OR ((region = 'APAC'))) AND ((year >= 2024))"


@pytest.mark.parametrize(
    "condition",
    [
        "(owner = CURRENT_USER)",
        "(region = current_setting('app.region'::text))",
        "(EXISTS ( SELECT 1 FROM s.allowed WHERE allowed.name = t.name))",
        "(id = ANY (ARRAY[1, 2]))",
        "(t.region = 'EMEA'::text)",
        "pg_sleep(1) IS NULL",
        "((",
    ],
)
def test_a_table_whose_condition_cannot_be_kept_is_left_out_and_told(condition: str) -> None:
    odd = RowPolicy(name="odd", condition=condition, permissive=True)
    assert rows(odd) is None
    assert rows(OPEN, odd) is None
    grant = EngineGrant(role="r", table="s.t", columns=("a",), secured=True, policies=(odd,))
    assert "s.t is left out" in imported([grant], version="1").warnings[1]


def test_a_view_that_may_show_each_login_other_rows_is_left_out_and_told() -> None:
    made = imported([EngineGrant(role="r", table="s.v", columns=("a",), shifting=True)], version="1")
    assert parse_policy(made.text, file="p").roles["r"].tables == {}
    assert "s.v is left out" in made.warnings[1]


def test_row_security_without_a_policy_that_opens_rows_opens_none() -> None:
    assert rows() is None
    assert rows(RowPolicy(name="recent", condition="(year >= 2024)", permissive=False)) is None


def test_the_command_says_so_where_nothing_answers(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError):
        call_command("policy", "import-grants", "postgresql://u:secret@127.0.0.1:1/x")
    assert "secret" not in "".join(capsys.readouterr())

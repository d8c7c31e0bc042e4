"""Why a statement is stopped: reason codes and sentences that name nothing hidden."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Reason codes.  An unknown and a hidden table share one, an unknown and a hidden column another."""

    SYNTAX = "sql_syntax"
    LEXICAL = "lexical_forbidden"
    PARSE_LIMIT = "parse_limit"
    MULTI_STATEMENT = "multi_statement"
    STATEMENT_KIND = "statement_kind"
    WRITE = "write_in_cte"
    SELECT_INTO = "select_into"
    FUNCTION = "function_not_allowed"
    FILE = "file_access"
    DYNAMIC_SQL = "dynamic_sql"
    CATALOG = "catalog_access"
    SIDE_EFFECT = "side_effect"
    RESOURCE = "resource_limit"
    TABLE = "table_not_available"
    COLUMN = "column_not_available"
    POSITION = "positional_ref"
    TYPE = "type_not_allowed"
    REG_CAST = "reg_cast"
    OPERATOR = "operator_not_allowed"
    PARAMETER = "parameter"
    UNSUPPORTED = "unsupported_rewrite"
    POLICY = "policy_invalid"
    DRIFT = "drift"


MESSAGES: dict[Reason, str] = {
    Reason.SYNTAX: "This is not SQL that can be read for this engine.",
    Reason.LEXICAL: "The statement contains characters that are not allowed outside of text literals.",
    Reason.PARSE_LIMIT: "The statement is too long or too deeply nested.",
    Reason.MULTI_STATEMENT: "Only one statement at a time can run.",
    Reason.STATEMENT_KIND: "Only queries that read can run.",
    Reason.WRITE: "Only queries that read can run; a part of this one writes.",
    Reason.SELECT_INTO: "A query cannot store its result.",
    Reason.FUNCTION: "The query uses a function that is not allowed.",
    Reason.FILE: "Queries cannot read files or other systems.",
    Reason.DYNAMIC_SQL: "Text cannot be run as SQL.",
    Reason.CATALOG: "The engine's own catalog cannot be read.",
    Reason.SIDE_EFFECT: "Functions with side effects are not allowed.",
    Reason.RESOURCE: "The query would make more data than allowed.",
    Reason.TABLE: "The query names a table that is not available.",
    Reason.COLUMN: "The query names a column that is not available.",
    Reason.POSITION: "Columns must be named, not counted.",
    Reason.TYPE: "The query uses a type that is not allowed.",
    Reason.REG_CAST: "The query uses a type that is not allowed.",
    Reason.OPERATOR: "The query uses an operator that is not allowed.",
    Reason.PARAMETER: "A parameter of the query has no value.",
    Reason.UNSUPPORTED: "This form of query cannot be checked and is not run.",
    Reason.POLICY: "The policy of this workspace cannot be applied. Tell its admin.",
    Reason.DRIFT: "This form of query cannot be checked and is not run.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a statement was stopped.  `message` is safe to show and names nothing hidden."""

    rule: str
    reason: str
    message: str


class Stop(Exception):
    """Ends the guard's work inside a rule; `guard()` turns it into a Refusal."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


def refusal(rule: str, reason: Reason) -> Refusal:
    """The refusal of that rule for that reason."""
    return Refusal(rule=rule, reason=reason.value, message=MESSAGES[reason])

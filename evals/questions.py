"""Question files of public suites (question, gold SQL in another dialect) as a suite of golden cases."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated

import sqlglot
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import traverse_scope

from evals.cases import CaseError
from evals.types import GoldenCase, Reference, Suite

GOLD_DIALECT = "snowflake"
DIALECT = "duckdb"


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


class _Question(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str = ""
    question: Annotated[str, Field(min_length=1, max_length=4_000)]
    gold_sql: Annotated[tuple[str, ...], BeforeValidator(_listed), Field(min_length=1)]
    tags: tuple[str, ...] = ()
    too_many_hops: bool | None = None


_FILE = TypeAdapter(list[_Question])


def suite_of_questions(text: str, *, name: str, workspace: str, tables: Mapping[str, str]) -> Suite:
    """The suite in a JSON list of questions; of several gold queries any one counts.

    `tables` maps lower-case unqualified table names to qualified ones.

    Raises: CaseError with one complaint per broken question.
    """
    try:
        questions = _FILE.validate_python(json.loads(text))
    except json.JSONDecodeError as error:
        raise CaseError([f"The question file is not JSON (line {error.lineno})."]) from error
    except ValidationError as error:
        raise CaseError([f"Question {_where(p['loc'])}: {p['msg']}." for p in error.errors()]) from error
    cases, complaints = [], []
    for number, question in enumerate(questions, start=1):
        try:
            cases.append(_case(question, f"{name}-{number:02}", tables))
        except SqlglotError:
            complaints.append(f"Question {number}: a gold query cannot be read as SQL.")
    if complaints:
        raise CaseError(complaints)
    return Suite(name=name, workspace=workspace, cases=tuple(cases))


def duckdb_reference(sql: str, tables: Mapping[str, str], *, dialect: str = GOLD_DIALECT) -> Reference:
    """The query in DuckDB's dialect, its tables qualified.  Raises: SqlglotError for text that is no SQL."""
    tree = sqlglot.parse_one(sql, dialect=dialect)
    for scope in traverse_scope(tree):
        for source in scope.sources.values():
            if isinstance(source, exp.Table) and not source.db and source.name.lower() in tables:
                schema, _, table = tables[source.name.lower()].partition(".")
                alias = source.alias or source.name
                source.set("db", exp.to_identifier(schema))
                source.set("this", exp.to_identifier(table, quoted=True))
                source.set("alias", exp.TableAlias(this=exp.to_identifier(alias)))
    return Reference(sql=tree.sql(dialect=DIALECT, comments=False), dialect=DIALECT)


def _case(question: _Question, fallback_id: str, tables: Mapping[str, str]) -> GoldenCase:
    hops = {None: (), True: ("many_hops",), False: ("few_hops",)}[question.too_many_hops]
    return GoldenCase(
        id=question.id or fallback_id,
        question=question.question,
        requester="analyst",
        references=tuple(duckdb_reference(sql, tables) for sql in question.gold_sql),
        tags=(*question.tags, *hops),
    )


def _where(loc: tuple[int | str, ...]) -> str:
    """The place in a person's counting, from 1."""
    return ".".join(str(part + 1) if i == 0 and isinstance(part, int) else str(part) for i, part in enumerate(loc))

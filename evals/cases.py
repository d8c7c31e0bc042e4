"""Golden cases from YAML, checked; every complaint names its file and line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from catalog.importers.yaml_source import Document, parse_document
from catalog.types import Operator, TimeGranularity
from dataagent.intent.types import Decision
from evals.types import (
    ComparisonRule,
    ExpectedFilter,
    ExpectedIntent,
    GoldenCase,
    Reference,
    Suite,
)

Name = Annotated[str, Field(min_length=1, max_length=200)]
Text = Annotated[str, Field(min_length=1, max_length=4_000)]
Names = tuple[Name, ...]
_Value = bool | int | Decimal | date | str | None


class CaseError(Exception):
    """A case file that cannot be used; `complaints` are sentences with file and line."""

    def __init__(self, complaints: Sequence[str]) -> None:
        super().__init__("\n".join(complaints))
        self.complaints = tuple(complaints)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Filter(_Strict):
    field: Name
    op: Operator
    value: _Value | tuple[_Value, ...] = None

    def typed(self) -> ExpectedFilter:
        values = self.value if isinstance(self.value, tuple) else (() if self.value is None else (self.value,))
        return ExpectedFilter(field=self.field, op=self.op, values=values)


class _Intent(_Strict):
    metrics: Names | None = None
    dimensions: Names | None = None
    filters: tuple[_Filter, ...] | None = None
    grain: TimeGranularity | None = None
    start: date | None = None
    end: date | None = None
    limit: Annotated[int, Field(gt=0)] | None = None

    def typed(self) -> ExpectedIntent:
        filters = None if self.filters is None else tuple(f.typed() for f in self.filters)
        rest = {name: getattr(self, name) for name in type(self).model_fields if name != "filters"}
        return ExpectedIntent(filters=filters, **rest)


class _Comparison(_Strict):
    ordered: bool | None = None
    extra_columns: bool = True
    float_tolerance: Annotated[float, Field(ge=0, le=1e-3)] = 1e-9


class _Case(_Strict):
    id: Name
    question: Text
    requester: Name | None = None
    turns: tuple[Text, ...] = ()
    today: date | None = None
    decision: Decision = Decision.ANSWER
    accept: tuple[Decision, ...] = ()
    intent: _Intent | None = None
    options: Names = ()
    references: tuple[Text, ...] = ()
    dialect: Name = "duckdb"
    comparison: _Comparison = _Comparison()
    metric_versions: dict[Name, int] = {}
    required_tables: Names = ()
    preferred_tables: Names = ()
    prohibited_tables: Names = ()
    required_sources: Names = ()
    row_scope: tuple[Text, ...] = ()
    caveats: tuple[Text, ...] = ()
    assumptions: tuple[Text, ...] = ()
    tags: Names = ()
    owner: str = ""
    note: str = ""

    @model_validator(mode="after")
    def something_is_checked(self) -> _Case:
        """The case itself.  Raises: ValueError when an answer could not be found wrong."""
        if self.decision is Decision.ANSWER and not self.references and self.intent is None:
            raise ValueError("an expected answer needs references or an intent, or nothing would be checked")
        if self.options and self.decision is not Decision.CLARIFY:
            raise ValueError("options belong to cases whose decision is clarify")
        return self


class _Suite(_Strict):
    name: Name
    workspace: Name
    requester: Name = "analyst"
    today: date | None = None
    owner: str = ""
    description: str = ""


class _File(_Strict):
    suite: _Suite
    cases: Annotated[tuple[_Case, ...], Field(min_length=1)]


def load_suite(path: Path) -> Suite:
    """The suite in a YAML file.  Raises: CaseError with every complaint."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise CaseError([f"{path.name}:1: The file cannot be read; check that it exists and may be opened."]) from error
    return parse_suite(raw, file=path.name)


def parse_suite(raw: bytes, *, file: str) -> Suite:
    """The suite in YAML text.  Raises: CaseError with every complaint."""
    document = parse_document(raw, file)
    if not isinstance(document, Document):
        raise CaseError([f"{file}:{i.source.line if i.source else 1}: {i.message}" for i in document])
    try:
        read = _File.model_validate(document.value)
    except ValidationError as error:
        raise CaseError([_complaint(document, problem["loc"], problem["msg"]) for problem in error.errors()]) from error
    twice = [name for name, count in Counter(c.id for c in read.cases).items() if count > 1]
    if twice:
        raise CaseError([_repeated(document, read, name) for name in twice])
    return Suite(
        name=read.suite.name,
        workspace=read.suite.workspace,
        owner=read.suite.owner,
        description=read.suite.description,
        cases=tuple(_typed(case, read.suite) for case in read.cases),
    )


def _complaint(document: Document, loc: tuple[int | str, ...], message: str) -> str:
    where = ".".join(str(part) for part in loc) or "the file"
    return f"{document.file}:{document.line(loc)}: {where}: {message.removeprefix('Value error, ')}."


def _repeated(document: Document, read: _File, name: str) -> str:
    last = max(i for i, case in enumerate(read.cases) if case.id == name)
    return f'{document.file}:{document.line(("cases", last))}: the case id "{name}" stands here twice.'


def _typed(case: _Case, suite: _Suite) -> GoldenCase:
    same = {
        name: getattr(case, name)
        for name in (
            "id", "question", "turns", "decision", "accept", "options", "required_tables", "preferred_tables",
            "prohibited_tables", "required_sources", "row_scope", "caveats", "assumptions", "tags", "note",
        )
    }  # fmt: skip
    return GoldenCase(
        **same,
        requester=case.requester or suite.requester,
        today=case.today or suite.today,
        intent=case.intent.typed() if case.intent else None,
        references=tuple(Reference(sql=sql, dialect=case.dialect) for sql in case.references),
        comparison=ComparisonRule(**case.comparison.model_dump()),
        metric_versions=tuple(sorted(case.metric_versions.items())),
        owner=case.owner or suite.owner,
    )

"""A folder of databases with questions: `db/NAME.sql`, `db/NAME.json` with texts about columns, `questions.json`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from dataagent.intent.types import Decision
from evals.cases import CaseError
from evals.golds import at_noon, golds_of
from evals.types import ComparisonRule, GoldenCase, Reference

QUESTIONS = "questions.json"
UNANSWERABLE = "idk"
ORDERED = "order_by"
DIALECT = "postgres"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseFiles:
    """One database of the folder: its statements and, where they are given, texts about its columns."""

    name: str
    statements: Path
    descriptions: Path | None


class _Question(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    id: Annotated[str, Field(min_length=1, max_length=200)]
    db: Annotated[str, Field(min_length=1, max_length=200)]
    question: Annotated[str, Field(min_length=1, max_length=4_000)]
    kind: str = ""
    category: str = ""
    gold_sql: str = ""

    @property
    def answerable(self) -> bool:
        """Whether the data can answer it."""
        return self.kind != UNANSWERABLE


_FILE = TypeAdapter(list[_Question])


def databases_in(folder: Path) -> tuple[DatabaseFiles, ...]:
    """The folder's databases by name; the questions are looked for and not read.

    Raises: CaseError that says what is missing.
    """
    place = folder / "db"
    if not place.is_dir():
        raise CaseError([f"{folder} has no folder db with the databases (db/NAME.sql and db/NAME.json)."])
    found = tuple(
        DatabaseFiles(name=path.stem, statements=path, descriptions=_beside(path))
        for path in sorted(place.glob("*.sql"))
    )
    if not found:
        raise CaseError([f"{place} holds no database (NAME.sql)."])
    if not (folder / QUESTIONS).is_file():
        raise CaseError([f"{folder} has no {QUESTIONS}."])
    return found


def cases_in(folder: Path, names: tuple[str, ...], today: date) -> tuple[GoldenCase, ...]:
    """The questions about these databases as cases of one day, in the order of the file.

    An unanswerable one is right where nothing is answered.  Raises: CaseError with one complaint per fault.
    """
    path = folder / QUESTIONS
    try:
        questions = _FILE.validate_python(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise CaseError([f"{path} cannot be read as text."]) from error
    except json.JSONDecodeError as error:
        raise CaseError([f"{path} is not JSON (line {error.lineno})."]) from error
    except ValidationError as error:
        raise CaseError([_complaint(path, p["loc"], p["msg"]) for p in error.errors()]) from error
    complaints = [f"{q.id}: there is no database db/{q.db}.sql." for q in questions if q.db not in names]
    complaints += [f"{q.id}: it has no gold_sql." for q in questions if q.answerable and not golds_of(q.gold_sql)]
    if complaints:
        raise CaseError(complaints)
    return tuple(_case(q, today) for q in questions)


def _beside(path: Path) -> Path | None:
    texts = path.with_suffix(".json")
    return texts if texts.is_file() else None


def _complaint(path: Path, loc: tuple[int | str, ...], message: str) -> str:
    where = ".".join(str(part + 1) if n == 0 and isinstance(part, int) else str(part) for n, part in enumerate(loc))
    return f"{path}, question {where}: {message}."


def _case(question: _Question, today: date) -> GoldenCase:
    kind = "answerable" if question.answerable else "unanswerable"
    golds = golds_of(question.gold_sql) if question.answerable else ()
    return GoldenCase(
        id=question.id,
        question=question.question,
        requester="everything",
        today=today,
        decision=Decision.ANSWER if question.answerable else Decision.ABSTAIN,
        accept=() if question.answerable else (Decision.CLARIFY, Decision.DENY),
        references=tuple(Reference(sql=at_noon(sql, today), dialect=DIALECT) for sql in golds),
        comparison=ComparisonRule(ordered=None if question.category == ORDERED else False),
        tags=(kind, f"{question.db} {kind}"),
    )


def database_of(case: GoldenCase) -> str:
    """The database that a case asks about."""
    return case.tags[1].rpartition(" ")[0]

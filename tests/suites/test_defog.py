"""The seven public databases with their questions: nothing is silently wrong, nothing unanswerable is answered."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings

from evals.databases import cases_in, database_of, databases_in
from evals.golds import at_noon
from evals.service.drafted import TODAY, FrozenCatalog, run_databases
from evals.service.scratch import SERVER, answers, scratch_database
from evals.types import EvalOutcome, ReferenceFault

pytestmark = [pytest.mark.service, pytest.mark.suite]
FOLDER = Path(settings.SUITES) / "defog"


@pytest.fixture(autouse=True)
def present() -> None:
    if not FOLDER.is_dir():
        pytest.skip("the public suites are absent: set DATAAGENT_SUITES")
    if not answers(SERVER):
        pytest.skip("no PostgreSQL answers on 127.0.0.1:5432")


def test_nothing_is_silently_wrong_and_the_drafts_stay_as_they_were_frozen() -> None:
    parts = list(run_databases(FOLDER, SERVER))
    frozen = [p for p in parts if isinstance(p, FrozenCatalog)]
    asked = [p for p in parts if not isinstance(p, FrozenCatalog)]
    assert parts[: len(frozen)] == frozen, "every draft is frozen before the first question"
    assert len({f.digest for f in frozen}) == len(frozen) == 7
    counts = Counter((c.tags[0], c.outcome) for c in asked)
    print(counts)
    assert [c.question for c in asked if c.outcome in {EvalOutcome.WRONG, EvalOutcome.FAILED}] == []
    assert counts["unanswerable", EvalOutcome.RIGHT] == 60


def test_every_gold_query_runs_under_the_pinned_clock() -> None:
    files = databases_in(FOLDER)
    cases = cases_in(FOLDER, tuple(f.name for f in files), TODAY)
    faults = []
    for file in files:
        statements = at_noon(file.statements.read_text(encoding="utf-8"), TODAY)
        with scratch_database(SERVER, file.name, statements) as made:
            for case in (c for c in cases if database_of(c) == file.name):
                found = [made.rows(r.sql) for r in case.references]
                if case.references and all(isinstance(f, ReferenceFault) for f in found):
                    faults.append((case.id, found[0]))
    assert faults == []

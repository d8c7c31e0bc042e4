"""Public questions about an insurance company, on its data and on a scaled twin where wrong joins show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings

from dataagent.policy import service as policy
from dataagent.warehouse.pool import close_all
from evals import service
from evals.service import registry
from evals.types import EvalOutcome, EvalRunState

pytestmark = [
    pytest.mark.suite,
    pytest.mark.skipif(
        not (django_settings.SUITES / "acme_twin").is_dir(), reason="../shared/suites/acme_twin is absent"
    ),
    pytest.mark.django_db(transaction=True),
]


@pytest.mark.parametrize("name", ["acme", "acme_twin"])
def test_no_answer_is_wrong_and_every_question_is_answered(name: str, settings: Any, tmp_path: Path) -> None:
    settings.HOME = tmp_path
    found = registry.source(name)
    registry.prepare(found, lambda _: None)
    evaluator = policy.principal("evaluator", name)
    run_id, suite = service.begin(evaluator, registry.read(found))
    try:
        results = list(service.work(evaluator, run_id, suite))
    finally:
        close_all()
    assert [(r.case_id, r.detail, r.sql) for r in results if r.outcome is EvalOutcome.WRONG] == []
    assert [(r.question, r.outcome, r.detail) for r in results if r.outcome is not EvalOutcome.RIGHT] == []
    view = service.eval_run(evaluator, run_id)
    assert (view.state, view.done) == (EvalRunState.FINISHED, len(suite.cases))
    assert all(r.receipt_digest for r in view.results)

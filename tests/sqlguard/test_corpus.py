"""The shared corpus: verdicts, results on the permitted world, and nothing seen that must not be."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

CORPUS = Path(settings.SUITES).parent / "guard"


@pytest.mark.suite
@pytest.mark.skipif(not (CORPUS / "cases.jsonl").exists(), reason="the shared guard corpus is not here")
def test_no_case_of_the_corpus_is_judged_wrongly() -> None:
    out = StringIO()
    files = {"schema": CORPUS / "schema.sql", "policy": CORPUS / "policy.json"}
    call_command("guard", CORPUS / "cases.jsonl", json=True, stdout=out, **files)
    summary = json.loads(out.getvalue().splitlines()[-1])["summary"]
    assert (summary["false_allows"], summary["leaks"], summary["wrong_results"]) == (0, 0, 0)
    assert summary["false_blocks"] <= summary["benign"] // 100
    assert summary["executed"] > 0

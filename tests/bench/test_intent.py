"""The bench of understanding: the large company's words can be asked about and completed."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from dataagent.management import bench_intent
from dataagent.management.large_vocabulary import Spoken, members, vocabulary

TINY = Spoken(facts=20, subjects=8, of_subject=3, members=2_000)


def test_both_companies_are_measured_with_what_came_of_the_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_intent, "_LARGE", TINY)
    monkeypatch.setattr(bench_intent, "_QUESTIONS", 28)
    out = StringIO()
    call_command("bench", "intent", json=True, stdout=out)
    found = {r["name"]: r for r in json.loads(out.getvalue())["results"]}
    kinds = [f"{place}: {what}" for place in ("demo", "large") for what in ("understand", "complete")]
    assert set(found) == {f"{kind}, {when}" for kind in kinds for when in ("first", "again")} | {
        "large: build the words"
    }
    large = found["large: understand, first"]["outcomes"]
    assert large["answer"] > large["abstain"] > 0
    assert sum(large.values()) == 28
    assert Path(settings.BASE_DIR, "fixtures", "cases", "demo.yaml").is_file()


def test_the_large_company_has_as_much_as_it_says() -> None:
    snapshot = vocabulary(TINY)
    assert len(snapshot.metrics) == TINY.metrics
    assert sum(len(m.dimensions) for m in snapshot.models) == TINY.dimensions
    assert sum(len(list(held)) for held in members(TINY).values()) == TINY.members

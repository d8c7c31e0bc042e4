"""Eval runs: who may start them, what is kept, and that workspaces do not mix."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from catalog import service as catalog
from dataagent.accounts import service as accounts
from dataagent.errors import ShownError
from dataagent.intent.types import Decision
from dataagent.policy import service as policy
from dataagent.policy.principal import Principal
from evals import service, store
from evals.models import EvalRun
from evals.run import EvalPorts
from evals.service import registry
from evals.states import NEXT, shown_state
from evals.types import CaseResult, EvalOutcome, EvalRunState, GoldenCase, Reference, Reply, ResultRows

ROWS = ResultRows(columns=("n",), rows=((2,),))
POLICY = """version: "1"
roles:
  evaluator: {capabilities: [run_evals], metrics: {allow: "*"}, tables: {main.t: {columns: "*"}}}
  analyst: {capabilities: [ask], metrics: {allow: "*"}, tables: {main.t: {columns: "*"}}}
"""
CATALOG = """catalog: {name: tiny, dialect: duckdb}
semantic_models:
  - name: t
    table: main.t
    entities: [{name: t, type: primary, expr: id}]
    measures: [{name: t_rows, agg: count, expr: "1"}]
metrics:
  - {name: things, type: simple, measure: t_rows}
"""
CASES = """suite: {name: SUITE, workspace: SUITE, description: Small.}
cases:
  - {id: one, question: how many things, references: [SELECT 2], tags: [count]}
  - {id: two, question: how many things by magic, decision: abstain}
"""


def workspace(slug: str, folder: Path) -> Principal:
    place = accounts.create_workspace(slug, name=slug)
    for user in ("evaluator", "analyst"):
        account = accounts.user(user) or accounts.create_user(user)
        accounts.set_member(place.id, account.id, roles=[user])
    (folder / "policy.yaml").write_text(POLICY, encoding="utf-8")
    (folder / "catalog").mkdir(exist_ok=True)
    (folder / "catalog" / "tiny.yaml").write_text(CATALOG, encoding="utf-8")
    policy.load_policy(place.id, folder / "policy.yaml")
    catalog.publish_folder(place.id, folder / "catalog")
    (folder / f"{slug}.yaml").write_text(CASES.replace("SUITE", slug), encoding="utf-8")
    return policy.principal("evaluator", slug)


@pytest.fixture
def cast(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Principal, Principal]:
    monkeypatch.setattr(registry, "own_files", lambda: tuple(sorted(tmp_path.glob("[do]*.yaml"))))
    return workspace("demo", tmp_path), workspace("other", tmp_path)


def ports(_: Principal) -> EvalPorts:
    def ask(case: GoldenCase) -> Reply:
        return Reply(decision=Decision.ANSWER if case.id == "one" else Decision.CLARIFY, result=ROWS, sql="SELECT 2")

    return EvalPorts(ask=ask, run_reference=lambda _, __: ROWS)


def begun(principal: Principal) -> tuple[str, Iterator[CaseResult]]:
    suite = registry.read(registry.source(principal.workspace))
    run_id, suite = service.begin(principal, suite)
    return run_id, service.work(principal, run_id, suite, ports)


def test_an_evaluator_sees_the_suites_of_the_workspace_only(cast: tuple[Principal, Principal]) -> None:
    demo, other = cast
    assert [(s.name, s.cases, s.available) for s in service.suites(demo)] == [("demo", 2, True)]
    assert [s.name for s in service.suites(other)] == ["other"]


def test_an_analyst_may_not_see_start_or_read_them(cast: tuple[Principal, Principal]) -> None:
    analyst = policy.principal("analyst", "demo")
    for act in (service.suites, service.eval_runs, lambda p: service.start(p, "demo")):
        with pytest.raises(ShownError) as caught:
            act(analyst)
        assert caught.value.code == "not_permitted"


def test_a_finished_run_keeps_every_graded_case(cast: tuple[Principal, Principal]) -> None:
    demo, _ = cast
    run_id, work = begun(demo)
    assert [r.outcome for r in work] == [EvalOutcome.RIGHT, EvalOutcome.ASKED]
    view = service.eval_run(demo, run_id)
    assert (view.state, view.done, view.total, view.started_by) == (EvalRunState.FINISHED, 2, 2, "evaluator")
    assert (view.results[0].case_id, view.results[0].sql) == ("one", "SELECT 2")
    assert view.report.total.count(EvalOutcome.ASKED) == 1
    assert [v.id for v in service.eval_runs(demo)] == [run_id]


def test_progress_shows_while_the_run_works(cast: tuple[Principal, Principal]) -> None:
    demo, _ = cast
    run_id, work = begun(demo)
    next(work)
    view = service.eval_run(demo, run_id)
    assert (view.state, view.done, view.total) == (EvalRunState.RUNNING, 1, 2)


def test_another_workspaces_run_looks_like_a_missing_one(cast: tuple[Principal, Principal]) -> None:
    demo, other = cast
    run_id, work = begun(demo)
    list(work)
    words = set()
    for strange in (run_id, "6a2e5c0e-0000-4000-8000-000000000000", "no-id"):
        with pytest.raises(ShownError) as caught:
            service.eval_run(other, strange)
        words.add((caught.value.code, caught.value.message))
    assert words == {("not_found", "There is no such eval run.")}
    assert service.eval_runs(other) == ()
    assert store.results(other.workspace_id, run_id) == ()


def test_a_suite_of_another_workspace_looks_like_a_missing_one(cast: tuple[Principal, Principal]) -> None:
    _, other = cast
    with pytest.raises(ShownError) as caught:
        service.start(other, "demo")
    assert caught.value.code == "not_found"
    assert EvalRun.rows.of(other.workspace_id).count() == 0


def test_an_error_ends_the_run_with_its_reason(cast: tuple[Principal, Principal]) -> None:
    demo, _ = cast

    def broken(_: Principal) -> EvalPorts:
        raise ShownError("unavailable", "The warehouse is away.")

    suite = registry.read(registry.source("demo"))
    run_id, suite = service.begin(demo, suite)
    with pytest.raises(ShownError):
        list(service.work(demo, run_id, suite, broken))
    view = service.eval_run(demo, run_id)
    assert (view.state, view.reason) == (EvalRunState.FAILED, "The warehouse is away.")


def test_a_run_is_worked_on_once(cast: tuple[Principal, Principal]) -> None:
    demo, _ = cast
    run_id, work = begun(demo)
    list(work)
    suite = registry.read(registry.source("demo"))
    assert list(service.work(demo, run_id, suite, ports)) == []


def test_a_silent_run_is_shown_as_interrupted_and_a_finished_one_is_not() -> None:
    now = datetime(2025, 6, 18, tzinfo=UTC)
    long_ago = now - timedelta(minutes=6)
    assert shown_state(EvalRunState.RUNNING, long_ago, now) is EvalRunState.INTERRUPTED
    assert shown_state(EvalRunState.RUNNING, now, now) is EvalRunState.RUNNING
    assert shown_state(EvalRunState.FINISHED, long_ago, now) is EvalRunState.FINISHED


def test_ended_states_have_no_exit_and_every_stored_one_is_reachable() -> None:
    assert {old for old, _ in NEXT} == {EvalRunState.QUEUED, EvalRunState.RUNNING}
    assert set(NEXT.values()) | {EvalRunState.QUEUED, EvalRunState.INTERRUPTED} == set(EvalRunState)


def test_a_public_suite_whose_files_are_absent_says_so(settings: Any, tmp_path: Path) -> None:
    settings.SUITES = tmp_path / "nowhere"
    info = registry.info(registry.source("acme"))
    assert (info.available, info.reason) == (False, "Its data are not on this machine.")


def test_an_unknown_suite_names_those_that_exist() -> None:
    with pytest.raises(ShownError) as caught:
        registry.source("acmee")
    assert "acme_twin" in caught.value.action


def test_references_are_named_in_a_case(cast: tuple[Principal, Principal]) -> None:
    case = registry.read(registry.source("demo")).cases[0]
    assert case.references == (Reference(sql="SELECT 2"),)

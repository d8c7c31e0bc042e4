"""Starts eval runs, works through them, and shows them: each step checks the evaluator's capability."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from django.db import connection

from catalog import service as catalog
from dataagent.errors import ShownError
from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability, Principal
from evals import store
from evals.report import report
from evals.run import EvalPorts, run_cases
from evals.service import registry
from evals.service.product import ask_product
from evals.service.references import reference_runner
from evals.states import shown_state
from evals.store import StoredRun
from evals.types import CaseResult, EvalRunView, Suite, SuiteInfo

_LOG = logging.getLogger(__name__)
PortsMaker = Callable[[Principal], EvalPorts]


def suites(principal: Principal) -> tuple[SuiteInfo, ...]:
    """The suites of the principal's workspace.  Raises: ShownError(not_permitted)."""
    permit(principal, Capability.RUN_EVALS)
    return tuple(registry.info(s) for s in registry.sources() if s.workspace == principal.workspace)


def start(principal: Principal, suite: str) -> str:
    """The id of a new eval run that now works in the background.

    Raises: ShownError(not_permitted), or (not_found) for a suite of another workspace.
    """
    run_id, cases = begin(principal, _suite(principal, suite))
    threading.Thread(target=_work_alone, args=(principal, run_id, cases), daemon=True).start()
    return run_id


def begin(principal: Principal, suite: Suite) -> tuple[str, Suite]:
    """The id of a new, queued eval run of these cases, and the cases.

    Raises: ShownError(not_permitted), or (unavailable) where the workspace has no catalog yet.
    """
    permit(principal, Capability.RUN_EVALS)
    if principal.user_id is None:
        raise ShownError("not_signed_in", "Please sign in first.")
    run_id = store.add_run(
        principal.workspace_id,
        suite=suite.name,
        suite_digest=hashlib.sha256(repr(suite).encode()).hexdigest(),
        catalog_digest=_catalog_digest(principal),
        policy_version=principal.policy_version,
        started_by=principal.user_id,
        total=len(suite.cases),
    )
    return run_id, suite


def work(principal: Principal, run_id: str, suite: Suite, ports_of: PortsMaker | None = None) -> Iterator[CaseResult]:
    """Each graded case as soon as it is done and stored; the run ends finished, or failed with a reason."""
    place = principal.workspace_id
    if not store.move(place, run_id, "begin", at=_now()):
        return
    try:
        ports = (ports_of or product_ports)(principal)
        for number, result in enumerate(run_cases(suite.cases, ports), start=1):
            store.add_result(place, run_id, number, result, at=_now())
            yield result
    except GeneratorExit:
        store.move(place, run_id, "fail", at=_now(), reason="It was stopped.")
        raise
    except ShownError as error:
        store.move(place, run_id, "fail", at=_now(), reason=error.message)
        raise
    except Exception:
        store.move(place, run_id, "fail", at=_now(), reason="It broke off with an internal error.")
        raise
    store.move(place, run_id, "finish", at=_now())


def product_ports(principal: Principal) -> EvalPorts:
    """The real product and the real reference queries."""
    return EvalPorts(ask=ask_product(principal.workspace), run_reference=reference_runner(principal))


def eval_run(principal: Principal, run_id: str) -> EvalRunView:
    """The eval run with its results so far.  Raises: ShownError(not_found), also for another workspace's."""
    permit(principal, Capability.RUN_EVALS)
    found = store.run(principal.workspace_id, run_id)
    if found is None:
        raise ShownError("not_found", "There is no such eval run.")
    return _view(found, store.results(principal.workspace_id, run_id))


def eval_runs(principal: Principal, limit: int = 50) -> tuple[EvalRunView, ...]:
    """The newest eval runs of the workspace, with their results."""
    permit(principal, Capability.RUN_EVALS)
    place = principal.workspace_id
    return tuple(_view(found, store.results(place, found.id)) for found in store.runs(place, limit))


def _suite(principal: Principal, name: str) -> Suite:
    permit(principal, Capability.RUN_EVALS)
    mine = {s.name: s for s in registry.sources() if s.workspace == principal.workspace}
    found = mine.get(name)
    if found is None:
        # Only the workspace's own names are told: a foreign suite looks like an absent one.
        told = f"Choose one of: {', '.join(mine)}." if mine else "This workspace has no suites."
        raise ShownError("not_found", f'There is no suite "{name}".', action=told)
    return registry.read(found)


def _catalog_digest(principal: Principal) -> str:
    try:
        return catalog.current_snapshot(principal.workspace_id).digest
    except catalog.NoCatalog as error:
        raise ShownError("unavailable", "This workspace has no catalog yet.") from error


def _work_alone(principal: Principal, run_id: str, suite: Suite) -> None:
    """The background's thread: its errors end in the run's reason and the log."""
    try:
        for _ in work(principal, run_id, suite):
            pass
    except Exception:
        _LOG.exception("An eval run broke off.")
    finally:
        connection.close()


def _view(found: StoredRun, results: tuple[CaseResult, ...]) -> EvalRunView:
    return EvalRunView(
        id=found.id,
        suite=found.suite,
        state=shown_state(found.state, found.last_sign, _now()),
        reason=found.reason,
        started_by=found.started_by,
        created_at=found.created_at,
        finished_at=found.finished_at,
        total=found.total,
        done=found.done,
        results=results,
        report=report(results),
    )


def _now() -> datetime:
    return datetime.now(UTC)

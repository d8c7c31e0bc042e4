"""Replays a run of one's own: under the authority that one has now, and leaving nothing behind."""

from __future__ import annotations

import uuid
from dataclasses import replace

from dataagent.errors import ShownError
from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import manifest as manifests
from dataagent.runs import store
from dataagent.runs.draft import data_now, draft, grounds_now
from dataagent.runs.manifest import Draft, Manifest
from dataagent.runs.ports import Ports
from dataagent.runs.replay import Replay, ReplayLevel, Unrecorded, answers, grounds, more_grounds
from dataagent.runs.service.machine import MACHINE
from dataagent.runs.service.reading import not_found, own_run
from dataagent.runs.service.working import Machine
from dataagent.runs.types import Ask, RunFacts
from dataagent.warehouse.port import WarehouseFault


def replay(principal: Principal, run_id: str, level: ReplayLevel, machine: Machine = MACHINE) -> Replay:
    """What has changed since the run, and from the behavioural level on how it would be answered now.

    Exact where its grounds are the same; where they are not, they are named and nothing is asked again.  Its queries
    count in the budgets like all others.

    Raises: ShownError(not_permitted, not_found, unavailable).
    """
    permit(principal, Capability.ASK)
    facts = own_run(principal, run_id)
    link = store.manifest(facts.workspace_id, facts.id)
    if link is None:
        raise not_found("finished run")
    then = manifests.read(link.content)
    fresh = replace(facts, query_id=uuid.uuid4().hex)
    try:
        ports = machine.ports(fresh)
        changed = grounds(then, grounds_now(then, ports))
        if level is ReplayLevel.DIAGNOSTIC:
            return Replay(run_id=facts.id, level=level, grounds=changed)
        if level is ReplayLevel.EXACT and changed:
            why = "What it rested on has changed; an exact replay is not possible."
            return Replay(run_id=facts.id, level=level, grounds=changed, refused=why)
        return _again(then, fresh, level, machine, ports)
    except WarehouseFault as fault:
        raise ShownError("unavailable", str(fault)) from fault


def _again(then: Manifest, facts: RunFacts, level: ReplayLevel, machine: Machine, ports: Ports) -> Replay:
    """The run asked again, and what differs."""
    ask = Ask(question=facts.question, today=facts.today, session_id=facts.session_id, choice=facts.choice)
    outcome = machine.answer(ask, ports, Unrecorded())
    now: Draft = draft(outcome, ports, salt=then.claims_salt)
    with_data = now if now.data else now.model_copy(update={"data": data_now(then, ports)})
    changed = (*grounds(then, with_data), *more_grounds(then, now))
    return Replay(
        run_id=facts.id,
        level=level,
        grounds=changed,
        answers=answers(then, now, outcome.state.value, outcome.reason),
    )

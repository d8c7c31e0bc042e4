"""When workers took a run up, for those who measure."""

from __future__ import annotations

from dataagent.policy.principal import Principal
from dataagent.runs import store
from dataagent.runs.service.reading import own_run


def waited_ms(principal: Principal, run_id: str) -> float:
    """Milliseconds from the run's acceptance to its first claim; 0 where no worker has it yet."""
    facts = own_run(principal, run_id)
    first = next(iter(store.attempts(facts.workspace_id, facts.id)), None)
    return (first.claimed_at - facts.created_at).total_seconds() * 1000 if first else 0.0


def worker_of(principal: Principal, run_id: str) -> int:
    """The process that works on the run, by its number on its own machine; 0 where none does."""
    owner = own_run(principal, run_id).lease_owner
    number = owner.partition(":")[2].partition("/")[0]
    return int(number) if number.isdecimal() else 0


def second_claim(principal: Principal, run_id: str) -> float | None:
    """When a second worker took the run up, in seconds since 1970; None where the first one ended it."""
    facts = own_run(principal, run_id)
    claims = store.attempts(facts.workspace_id, facts.id)
    return claims[1].claimed_at.timestamp() if len(claims) > 1 else None

"""Take an answer's result away: for its asker alone, as at viewing, and told in the run's events."""

from __future__ import annotations

from dataclasses import dataclass

from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import store
from dataagent.runs.csvfile import csv_text
from dataagent.runs.service.reading import not_found, own_run, run


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultFile:
    """A file to hand out: its name and text."""

    name: str
    text: str


def result_csv(principal: Principal, run_id: str) -> ResultFile:
    """The result of the principal's own answered run.

    Raises: ShownError(not_permitted) without the capability; ShownError(not_found) for an absent,
    foreign or hidden run, one of somebody else and one without a result, alike.
    """
    permit(principal, Capability.EXPORT)
    facts = own_run(principal, run_id)
    answer = run(principal, run_id).answer
    if answer is None or not answer.columns:
        raise not_found("result")
    store.tell_export(facts, rows=len(answer.rows), by=principal.user)
    return ResultFile(name=f"result-{facts.id[:8]}.csv", text=csv_text(answer))

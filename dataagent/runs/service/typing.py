"""Completing a question while it is typed, with words that the principal may use."""

from __future__ import annotations

from dataagent.errors import ShownError
from dataagent.intent.completion import Completion, completions
from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability, Principal
from dataagent.runs.service.asking import today_of
from dataagent.runs.service.sight import sight
from dataagent.runs.service.words import term_index
from dataagent.warehouse.port import WarehouseFault

MAX_CHARACTERS = 1000


def complete(principal: Principal, text: str) -> tuple[Completion, ...]:
    """Ways to go on from the end of the text, best first; none where there is no catalog or no data yet.

    Raises: ShownError(not_permitted).
    """
    permit(principal, Capability.ASK)
    try:
        snapshot, scope = sight(principal)
        index = term_index(principal.workspace, snapshot, scope)
    except (ShownError, WarehouseFault):
        return ()
    return completions(text[:MAX_CHARACTERS], snapshot=snapshot, index=index, today=today_of(principal))

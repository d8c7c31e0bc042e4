"""Who am I, and what can I see."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from catalog.access import TableAccess
from dataagent.accounts import service as accounts
from dataagent.api import serializers
from dataagent.api.door import answers, door, principal_of
from dataagent.errors import ShownError
from dataagent.policy.decide import decide
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import service


@extend_schema(operation_id="me", responses=answers(serializers.Me))
@door("GET", Capability.SIGN_IN)
def me(request: Request) -> Response:
    """The caller, their roles and workspaces, and what policy lets them see."""
    who = principal_of(request)
    mine = accounts.memberships(who.user_id) if who.user_id is not None else ()
    body = {
        "user": who.user,
        "workspace": who.workspace,
        "roles": who.roles,
        "capabilities": sorted(who.capabilities),
        "policy_version": who.policy_version,
        "workspaces": [
            {"slug": m.workspace.slug, "name": m.workspace.name, "current": m.workspace.slug == who.workspace}
            for m in mine
        ],
        "sees": _sees(who),
    }
    return Response(body)


def _sees(who: Principal) -> dict[str, Any] | None:
    """What the caller may look up; None for those who may not, and where there is nothing yet."""
    if not decide(who, Capability.READ_CATALOG).allowed():
        return None
    try:
        snapshot, scope = service.sight(who)
    except ShownError:
        return None
    metrics = sorted(m.name for m in snapshot.metrics if scope.may_use_metric(m.name))
    return {"metrics": metrics, "tables": [_table(t) for t in scope.tables]}


def _table(access: TableAccess) -> dict[str, Any]:
    return {
        "table": access.table,
        "columns": sorted(access.columns),
        "masked": sorted(m.column for m in access.masks),
        "row_scope": ", ".join(access.limits()),
    }

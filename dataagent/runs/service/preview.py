"""As whom: what a named person of one's workspace may see and why, for its admins.  Itself in the audit."""

from __future__ import annotations

from catalog import service as catalog
from dataagent.accounts import service as accounts
from dataagent.policy import service as policy
from dataagent.policy.audit import AuditEvent, AuditKind
from dataagent.policy.doors import permit
from dataagent.policy.explain import Preview, explain
from dataagent.policy.principal import Capability, Principal
from dataagent.runs.service.reading import not_found
from dataagent.sqlguard.schema import TableSchema
from dataagent.warehouse.pool import warehouse_for
from dataagent.warehouse.port import WarehouseFault


def people(principal: Principal) -> tuple[str, ...]:
    """The names of the workspace's members, in order.  Raises: ShownError(not_permitted)."""
    permit(principal, Capability.ADMINISTER)
    return tuple(sorted(m.account.username for m in accounts.members(principal.workspace_id)))


def preview(principal: Principal, user: str) -> Preview:
    """What that person would see now: names and rules, never a row.

    Raises: ShownError(not_permitted); ShownError(not_found), alike for somebody unknown and of another workspace.
    """
    permit(principal, Capability.ADMINISTER)
    if not accounts.can_be_name(user):
        raise not_found("user in this workspace")
    person = policy.principal(user, principal.workspace)
    schema, metrics = _world(person)
    scope = policy.scope(person, schema, metrics)
    document = policy.document(person.workspace_id)
    policy.record_once(
        AuditEvent(
            workspace_id=principal.workspace_id,
            kind=AuditKind.ACCESS_PREVIEWED,
            by=principal.user,
            subject=person.user,
            details=(("policy", person.policy_version),),
        )
    )
    return Preview(
        person=person, scope=scope, reasons=explain(document, person, schema, metrics) if document is not None else ()
    )


def _world(person: Principal) -> tuple[tuple[TableSchema, ...], tuple[str, ...]]:
    """The workspace's tables and metrics; none of those that are not there yet."""
    try:
        schema = tuple(warehouse_for(person.workspace).schema())
    except WarehouseFault:
        schema = ()
    if not catalog.current_digest(person.workspace_id):
        return schema, ()
    return schema, tuple(m.name for m in catalog.current_snapshot(person.workspace_id).metrics)

"""Read the audit, and prove that nothing was changed afterwards."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dataagent.api import serializers
from dataagent.api.door import answers, door, principal_of, whole_number
from dataagent.policy import service as policy
from dataagent.policy.audit import AuditEntry
from dataagent.policy.principal import Capability
from dataagent.runs import service


@extend_schema(
    operation_id="audit_entries",
    request=None,
    parameters=[OpenApiParameter("before", int, description="Entries with a smaller sequence number only.")],
    responses=answers(serializers.AuditLog),
)
@door("GET", Capability.VERIFY_AUDIT, takes=("before",))
def entries(request: Request) -> Response:
    """The last 200 entries of the workspace's audit, newest first."""
    before = whole_number(request.query_params.get("before"), name="before", default=0) or None
    found = policy.audit_log(principal_of(request), before=before)
    return Response({"entries": [_entry(entry) for entry in found]})


@extend_schema(operation_id="audit_verify", request=None, responses=answers(serializers.ChainVerdict))
@door("POST", Capability.VERIFY_AUDIT)
def verify(request: Request) -> Response:
    """Verify the workspace's chain of manifests and receipts; a broken chain is an answer, not an error."""
    return Response(asdict(service.verify_chain(principal_of(request))))


def _entry(entry: AuditEntry) -> dict[str, Any]:
    return {
        "sequence": entry.sequence,
        "kind": entry.kind,
        "at": entry.at,
        "by": entry.by,
        "subject": entry.subject,
        "details": dict(entry.facts()),
        "digest": entry.digest,
        "erased": entry.erased_at is not None,
    }

"""Prove that nothing was changed afterwards."""

from __future__ import annotations

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dataagent.api import serializers
from dataagent.api.door import answers, door, principal_of
from dataagent.policy.principal import Capability
from dataagent.runs import service


@extend_schema(operation_id="audit_verify", request=None, responses=answers(serializers.ChainVerdict))
@door("POST", Capability.VERIFY_AUDIT)
def verify(request: Request) -> Response:
    """Verify the workspace's chain of manifests and receipts; a broken chain is an answer, not an error."""
    return Response(asdict(service.verify_chain(principal_of(request))))

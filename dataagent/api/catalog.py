"""Look things up: the catalog's words and the context cards."""

from __future__ import annotations

from dataclasses import asdict

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dataagent.api import serializers
from dataagent.api.door import door
from dataagent.api.runs import principal_of
from dataagent.policy.principal import Capability
from dataagent.runs import service


@extend_schema(parameters=[OpenApiParameter("q", str)], responses=serializers.Found(many=True))
@door("GET", Capability.READ_CATALOG)
def search(request: Request) -> Response:
    """Metrics, dimensions and entities that the caller may use."""
    return Response([asdict(f) for f in service.search(principal_of(request), request.query_params.get("q", ""))])


@extend_schema(operation_id="cards_list", responses=serializers.Card(many=True))
@door("GET", Capability.READ_CARDS)
def cards(request: Request) -> Response:
    """The context cards that the caller may read."""
    return Response([asdict(c) for c in service.cards(principal_of(request))])


@extend_schema(operation_id="cards_read", responses={200: serializers.Card, 404: serializers.Problem})
@door("GET", Capability.READ_CARDS)
def card(request: Request, table: str) -> Response:
    """One table's card with its facts and where they come from."""
    return Response(asdict(service.card(principal_of(request), table)))

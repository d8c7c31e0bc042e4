"""Look things up in the catalog: search, a metric's contract, a dimension's."""

from __future__ import annotations

from dataclasses import asdict

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dataagent.api import catalog_serializers as serializers
from dataagent.api.door import answers, door, principal_of, whole_number
from dataagent.policy.principal import Capability
from dataagent.runs import service

WORDS = OpenApiParameter("q", str, description="Words that must all fit; empty lists everything.")
LIMIT = OpenApiParameter("limit", OpenApiTypes.INT, description="At most so many; 50 where it is absent.")

BY = OpenApiParameter("by", str, many=True, description="A dimension, with :grain for a time; may be repeated.")
WHERE = OpenApiParameter("where", str, many=True, description='A condition: "region in (EMEA, APAC)"; may be repeated.')
FROM = OpenApiParameter("from", str, description="The first day, as 2025-06-30.")
TO = OpenApiParameter("to", str, description="The last day, as 2025-06-30.")
COMPARE = OpenApiParameter("compare", str, description="previous or year_ago: beside an earlier period.")
TOP = OpenApiParameter("top", OpenApiTypes.INT, description="Only so many rows, by the metric.")
PARTS = [BY, WHERE, FROM, TO, COMPARE, TOP]


@extend_schema(
    operation_id="catalog_search", parameters=[WORDS, LIMIT], responses=answers(serializers.Found(many=True), 422, 503)
)
@door("GET", Capability.READ_CATALOG, takes=("q", "limit"))
def search(request: Request) -> Response:
    """Metrics, dimensions and entities that the caller may use."""
    limit = whole_number(request.query_params.get("limit"), name="limit", default=50)
    found = service.search(principal_of(request), request.query_params.get("q", ""), limit)
    return Response([asdict(f) for f in found])


@extend_schema(operation_id="metrics_read", responses=answers(serializers.Metric, 404, 503))
@door("GET", Capability.READ_CATALOG)
def metric(request: Request, name: str) -> Response:
    """A metric's contract; parts that the caller may not see are left out."""
    return Response(asdict(service.metric(principal_of(request), name)))


@extend_schema(
    operation_id="metrics_explain", parameters=PARTS, responses=answers(serializers.Explanation, 404, 422, 503)
)
@door("GET", Capability.READ_CATALOG, takes=tuple(p.name for p in PARTS))
def explanation(request: Request, name: str) -> Response:
    """How a metric is computed: in words, over which joins, and as SQL, which is not run."""
    asked = request.query_params
    parts = service.Parts(
        by=tuple(asked.getlist("by")),
        where=tuple(asked.getlist("where")),
        start=asked.get("from", ""),
        end=asked.get("to", ""),
        compare=asked.get("compare", ""),
        top=whole_number(asked.get("top"), name="top", default=0),
    )
    found = service.explanation(principal_of(request), name, parts)
    query = found.query
    return Response(
        {
            "calculation": found.calculation,
            "counted": [asdict(c) for c in found.counted],
            "sql": query.sql if query else "",
            "parameters": {p.name: p.value for p in query.parameters} if query else {},
            "notes": query.notes if query else (),
        }
    )


@extend_schema(operation_id="dimensions_read", responses=answers(serializers.Dimension, 404, 503))
@door("GET", Capability.READ_CATALOG)
def dimension(request: Request, name: str) -> Response:
    """A dimension, its members where they may be listed, and the metrics that it divides."""
    return Response(asdict(service.dimension(principal_of(request), name)))

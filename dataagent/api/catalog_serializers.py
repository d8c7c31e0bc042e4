"""What the catalog's routes answer."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class Found(serializers.Serializer[Any]):
    """Something of the catalog that the caller may use."""

    kind = serializers.CharField()
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    description = serializers.CharField()


class MetricInput(serializers.Serializer[Any]):
    """A metric that another is made of; `role` is numerator, denominator or input."""

    role = serializers.CharField()
    metric = serializers.CharField()


class Condition(serializers.Serializer[Any]):
    """A condition of a metric's definition."""

    field = serializers.CharField()
    op = serializers.CharField()
    values = serializers.ListField()


class Edge(serializers.Serializer[Any]):
    """`target` is made from `source`; both are metrics or tables."""

    source = serializers.CharField()  # type: ignore[assignment]
    target = serializers.CharField()


class Metric(serializers.Serializer[Any]):
    """A metric's contract.  Empty text: it has no such part, or the caller may not see it."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    description = serializers.CharField()
    type = serializers.CharField()
    version = serializers.IntegerField()
    owner = serializers.CharField()
    format = serializers.CharField()
    unit = serializers.CharField()
    polarity = serializers.CharField()
    measure = serializers.CharField()
    expr = serializers.CharField()
    window = serializers.CharField()
    time_dimension = serializers.CharField()
    source = serializers.CharField(help_text="file:line where it is written")  # type: ignore[assignment]
    inputs = MetricInput(many=True)
    filters = Condition(many=True)
    caveats = serializers.ListField(child=serializers.CharField())
    synonyms = serializers.ListField(child=serializers.CharField())
    dimensions = serializers.ListField(child=serializers.CharField())
    tables = serializers.ListField(child=serializers.CharField())
    lineage = Edge(many=True)


class Counted(serializers.Serializer[Any]):
    """One table that a metric counts: what a row is, its time, and the joins to each name asked for."""

    model = serializers.CharField()
    table = serializers.CharField()
    grain = serializers.CharField()
    time = serializers.CharField()
    paths = serializers.ListField(child=serializers.CharField())


class Explanation(serializers.Serializer[Any]):
    """How a metric is computed.  `sql` is empty where it reads what the caller may not."""

    calculation = serializers.ListField(child=serializers.CharField())
    counted = Counted(many=True)
    sql = serializers.CharField()
    parameters = serializers.DictField()
    notes = serializers.ListField(child=serializers.CharField())


class Dimension(serializers.Serializer[Any]):
    """A dimension; `values` are empty where they may not be listed."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    description = serializers.CharField()
    type = serializers.CharField()
    expr = serializers.CharField()
    table = serializers.CharField()
    owner = serializers.CharField()
    values = serializers.ListField(child=serializers.CharField())
    synonyms = serializers.ListField(child=serializers.CharField())
    metrics = serializers.ListField(child=serializers.CharField())

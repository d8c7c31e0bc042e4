"""Requests that are checked, and answers as OpenAPI describes them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class SignIn(serializers.Serializer[Any]):
    """Who wants a token, for which workspace."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    workspace = serializers.CharField(max_length=60, default="demo")


class Token(serializers.Serializer[Any]):
    """A new token; it is shown this once."""

    token = serializers.CharField()
    workspace = serializers.CharField()
    expires_at = serializers.DateTimeField()


class Question(serializers.Serializer[Any]):
    """A question.  `session_id` goes on with a conversation; `today` sets the question's clock."""

    question = serializers.CharField(max_length=4_000, trim_whitespace=True)
    session_id = serializers.CharField(max_length=36, required=False)
    today = serializers.DateField(required=False)


class Choice(serializers.Serializer[Any]):
    """The number of the chosen option, as listed (1 is the first)."""

    option = serializers.IntegerField(min_value=1, max_value=100)


class Column(serializers.Serializer[Any]):
    """A result column; `type` is boolean, integer, decimal, date, datetime or text."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    role = serializers.CharField()
    type = serializers.CharField()
    format = serializers.CharField()
    unit = serializers.CharField()
    granularity = serializers.CharField(allow_null=True)


class Offered(serializers.Serializer[Any]):
    """One reading of an ambiguous question."""

    number = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]
    question = serializers.CharField()
    detail = serializers.CharField()


class Run(serializers.Serializer[Any]):
    """A run with its answer.  Numbers in `rows` carry every digit of the warehouse."""

    run_id = serializers.UUIDField()
    session_id = serializers.UUIDField()
    workspace = serializers.CharField()
    asker = serializers.CharField()
    question = serializers.CharField()
    today = serializers.DateField()
    state = serializers.CharField()
    reason = serializers.CharField()
    ended = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    decision = serializers.CharField(help_text="answer, define, clarify, abstain, deny, failure, or empty while open")
    headline = serializers.CharField(required=False)
    subline = serializers.CharField(required=False)
    restatement = serializers.CharField(required=False)
    columns = Column(many=True, required=False)
    rows = serializers.ListField(child=serializers.ListField(), required=False)
    truncated = serializers.BooleanField(required=False)
    chart = serializers.DictField(required=False, allow_null=True)
    defaults = serializers.ListField(child=serializers.DictField(), required=False)
    assumptions = serializers.ListField(child=serializers.CharField(), required=False)
    caveats = serializers.ListField(child=serializers.CharField(), required=False)
    certificate = serializers.ListField(child=serializers.DictField(), required=False)
    row_scope = serializers.ListField(child=serializers.CharField(), required=False)
    checks = serializers.ListField(child=serializers.DictField(), required=False)
    sources = serializers.ListField(child=serializers.DictField(), required=False)
    sql = serializers.CharField(required=False)
    proposed_sql = serializers.CharField(required=False)
    prompt = serializers.CharField(required=False)
    options = Offered(many=True, required=False)
    limitation = serializers.DictField(required=False, allow_null=True)
    next_questions = serializers.ListField(child=serializers.CharField(), required=False)
    receipt_digest = serializers.CharField()
    timings_ms = serializers.DictField(child=serializers.FloatField())


class Event(serializers.Serializer[Any]):
    """Something that happened in a run, numbered without gaps."""

    number = serializers.IntegerField()
    kind = serializers.CharField()
    text = serializers.CharField()
    at = serializers.DateTimeField()
    data = serializers.DictField()  # type: ignore[assignment]


class Envelope(serializers.Serializer[Any]):
    """A signed receipt: a DSSE envelope.  Keep the body byte for byte."""

    payloadType = serializers.CharField()  # noqa: N815 (the name that DSSE gives it)
    payload = serializers.CharField()
    signatures = serializers.ListField(child=serializers.DictField())


class Found(serializers.Serializer[Any]):
    """Something of the catalog that the caller may use."""

    kind = serializers.CharField()
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    description = serializers.CharField()


class Card(serializers.Serializer[Any]):
    """A table's context card."""

    table = serializers.CharField()
    version = serializers.IntegerField()
    purpose = serializers.CharField()
    grain = serializers.CharField()
    status = serializers.CharField()
    owner = serializers.CharField()
    caveats = serializers.ListField(child=serializers.CharField())


class Problem(serializers.Serializer[Any]):
    """Why a request was not served (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    action = serializers.CharField(required=False)

"""Requests for access, as OpenAPI describes them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from dataagent.api.serializers import Given, Words
from dataagent.policy.access import MOST_DAYS, RequestState, Verdict
from dataagent.policy.explain import Thing


class AccessRequest(serializers.Serializer[Any]):
    """Who asks for what and why, and what was decided; `role` is lent until `expires_at` while granted."""

    id = serializers.IntegerField()
    user_id = serializers.IntegerField()
    user = serializers.CharField()
    note = serializers.CharField()
    run = serializers.CharField()
    state = serializers.ChoiceField(choices=[s.value for s in RequestState])
    asked_at = serializers.DateTimeField()
    role = serializers.CharField()
    in_place = serializers.BooleanField()
    expires_at = serializers.DateTimeField(allow_null=True)
    decided_by = serializers.CharField()
    reason = serializers.CharField()


class PersonTable(serializers.Serializer[Any]):
    """A table that may be read: its open columns, those that masks replace, and which rows."""

    name = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    masked = serializers.ListField(child=serializers.CharField())
    limits = serializers.ListField(child=serializers.CharField())


class AccessReason(serializers.Serializer[Any]):
    """Whether one thing is open to the person, and because of what."""

    thing = serializers.ChoiceField(choices=[t.value for t in Thing])
    name = serializers.CharField()
    seen = serializers.BooleanField()
    because = serializers.CharField()


class PersonAccess(serializers.Serializer[Any]):
    """A person's access as of now."""

    user = serializers.CharField()
    roles = serializers.ListField(child=serializers.CharField())
    policy = serializers.CharField()
    tables = PersonTable(many=True)
    reasons = AccessReason(many=True)


class Asked(Given):
    """What is needed and why; `run` is the question that met a limit."""

    note = Words(max_length=500)
    run = Words(max_length=36, required=False, allow_blank=True, default="")


class Decided(Given):
    """A decision; `role`, `days` and `in_place` count for a grant only."""

    verdict = serializers.ChoiceField(choices=[v.value for v in Verdict])
    role = Words(max_length=60, required=False, allow_blank=True, default="")
    days = serializers.IntegerField(required=False, min_value=0, max_value=MOST_DAYS, default=0)
    in_place = serializers.BooleanField(required=False, default=False)
    reason = Words(max_length=500)

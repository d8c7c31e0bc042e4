"""Requests for access, as OpenAPI describes them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from dataagent.api.serializers import Given, Words
from dataagent.policy.access import MOST_DAYS, RequestState, Verdict


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

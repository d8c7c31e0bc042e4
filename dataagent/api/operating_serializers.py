"""What is operated, as OpenAPI describes it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from dataagent.api.serializers import Given, Words
from dataagent.runs.service.operating import MOST_AT_ONCE
from dataagent.runs.troubles import ActionOutcome, RunAction, TroubleKind
from dataagent.runs.types import RunState


class Trouble(serializers.Serializer[Any]):
    """A run that may need somebody, for how long, and what can be done."""

    kind = serializers.ChoiceField(choices=[k.value for k in TroubleKind])
    run_id = serializers.CharField()
    asker = serializers.CharField()
    state = serializers.ChoiceField(choices=[s.value for s in RunState])
    reason = serializers.CharField()
    age_s = serializers.FloatField()
    actions = serializers.ListField(child=serializers.ChoiceField(choices=[a.value for a in RunAction]))
    what_to_do = serializers.CharField()


class Troubles(serializers.Serializer[Any]):
    """Some of them, how many there are of each kind, and whether there are more behind these."""

    counts = serializers.DictField(child=serializers.IntegerField())
    runs = Trouble(many=True)
    more = serializers.BooleanField()


class Acted(Given):
    """What to do about which runs."""

    action = serializers.ChoiceField(choices=[a.value for a in RunAction])
    runs = serializers.ListField(child=Words(max_length=36), min_length=1, max_length=MOST_AT_ONCE)


class ActionDone(serializers.Serializer[Any]):
    """What came of it for one run."""

    run_id = serializers.CharField()
    outcome = serializers.ChoiceField(choices=[o.value for o in ActionOutcome])

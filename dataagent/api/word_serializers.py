"""Words that questions left open and what owners teach about them, as OpenAPI describes them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from catalog.wordchanges import MAX_LETTERS, ChangeKind, TargetKind
from dataagent.api.serializers import Given, Words


class Change(serializers.Serializer[Any]):
    """One word and what it shall stand for.

    `target` is a catalog name, for a member that of its dimension; `entity` says for which metrics a default
    dimension holds.
    """

    kind = serializers.ChoiceField(choices=[k.value for k in ChangeKind])
    word = serializers.CharField()
    target_kind = serializers.ChoiceField(choices=[k.value for k in TargetKind])
    target = serializers.CharField()
    member = serializers.CharField()
    entity = serializers.CharField()


class Proposed(Given):
    """What somebody would have a word mean."""

    kind = serializers.ChoiceField(choices=[k.value for k in ChangeKind])
    word = Words(max_length=MAX_LETTERS)
    target_kind = serializers.ChoiceField(choices=[k.value for k in TargetKind])
    target = Words(max_length=200)
    member = Words(max_length=200, required=False, allow_blank=True, default="")
    entity = Words(max_length=200, required=False, allow_blank=True, default="")


class Meaning(serializers.Serializer[Any]):
    """A meaning that people were offered, how often they took it, and the change that would settle it."""

    name = serializers.CharField()
    taken = serializers.IntegerField()
    change = Change()


class OpenWord(serializers.Serializer[Any]):
    """A word that questions left open; `openness` is unbound or asked."""

    word = serializers.CharField()
    openness = serializers.CharField()
    questions = serializers.IntegerField()
    people = serializers.IntegerField()
    last_at = serializers.DateTimeField()
    meanings = Meaning(many=True)


class WordProposalHead(serializers.Serializer[Any]):
    """A proposed change; `sentence` says it in words."""

    id = serializers.IntegerField()
    change = Change()
    sentence = serializers.CharField()
    author = serializers.CharField()
    created_at = serializers.DateTimeField()
    state = serializers.CharField(help_text="open, published, rejected or withdrawn")
    reviewer = serializers.CharField()
    reviewed_at = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField()
    unfit = serializers.CharField(help_text="Why the catalog as it is now written cannot take it, or empty.")


class Effect(serializers.Serializer[Any]):
    """A question that left the word open, read before and after; it is empty where only its asker may read it."""

    question = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()
    restatement = serializers.CharField()


class WordProposal(WordProposalHead):
    """A proposed change with what it would do to the latest questions that left the word open."""

    effects = Effect(many=True)

"""Answers about evals as OpenAPI describes them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class EvalSuite(serializers.Serializer[Any]):
    """A suite of golden cases; one that cannot run here says why."""

    name = serializers.CharField()
    description = serializers.CharField()
    cases = serializers.IntegerField()
    available = serializers.BooleanField()
    reason = serializers.CharField()


class EvalStarted(serializers.Serializer[Any]):
    """The new eval run."""

    id = serializers.UUIDField()


class EvalShare(serializers.Serializer[Any]):
    """A share with its 95 % Wilson interval; all three between 0 and 1."""

    share = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class EvalSummary(serializers.Serializer[Any]):
    """How the cases of a slice ended; `wrong` are silently wrong ones."""

    name = serializers.CharField()
    cases = serializers.IntegerField()
    counts = serializers.DictField(child=serializers.IntegerField())
    right = EvalShare()
    wrong = EvalShare()


class EvalRunHead(serializers.Serializer[Any]):
    """An eval run in a list."""

    id = serializers.UUIDField()
    suite = serializers.CharField()
    state = serializers.CharField(help_text="queued, running, finished, failed or interrupted")
    reason = serializers.CharField()
    started_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    total = serializers.IntegerField()
    done = serializers.IntegerField()
    summary = EvalSummary()


class EvalMatrixRow(serializers.Serializer[Any]):
    """One case: each stage of a question's path is passed, failed or not_reached."""

    case_id = serializers.CharField()
    question = serializers.CharField()
    outcome = serializers.CharField()
    stages = serializers.DictField(child=serializers.CharField())


class EvalRun(EvalRunHead):
    """An eval run with the cases that are done."""

    slices = EvalSummary(many=True)
    matrix = EvalMatrixRow(many=True)


class EvalCase(serializers.Serializer[Any]):
    """One graded case; `stage` is null when it is right.  `run_id` is the run that answered it."""

    case_id = serializers.CharField()
    question = serializers.CharField()
    outcome = serializers.CharField()
    stage = serializers.CharField(allow_null=True)
    detail = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    sql = serializers.CharField()
    run_id = serializers.CharField()
    receipt_digest = serializers.CharField()
    elapsed_ms = serializers.FloatField()

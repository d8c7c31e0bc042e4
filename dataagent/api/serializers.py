"""Requests that are checked, and answers as OpenAPI describes them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from dataagent.runs.types import Meanwhile


class Words(serializers.CharField):
    """Text; a number or a yes or no is none."""

    def to_internal_value(self, data: Any) -> str:
        """The text.  Raises: ValidationError."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Given(serializers.Serializer[Any]):
    """What a request carries.  A field that is not known is refused: a misspelt one would be dropped without a word."""

    def to_internal_value(self, data: Any) -> Any:
        """The fields.  Raises: ValidationError."""
        unknown = sorted(str(name)[:40] for name in data if name not in self.fields) if isinstance(data, dict) else []
        if unknown:
            raise serializers.ValidationError({name: ["There is no such field here."] for name in unknown})
        return super().to_internal_value(data)


class SignIn(Given):
    """Who wants a token, for which workspace."""

    username = Words(max_length=150)
    password = Words(max_length=200, required=False, allow_blank=True, default="")
    workspace = Words(max_length=60, default="demo")


class Token(serializers.Serializer[Any]):
    """A new token; it is shown this once."""

    token = serializers.CharField()
    workspace = serializers.CharField()
    expires_at = serializers.DateTimeField()


class Question(Given):
    """A question.  `session_id` goes on with a conversation; `today` sets the question's clock.

    `meanwhile` says, from now on, what becomes of messages while the conversation works on another one.
    """

    question = Words(max_length=4_000, trim_whitespace=True)
    session_id = Words(max_length=36, required=False)
    today = serializers.DateField(required=False)
    meanwhile = serializers.ChoiceField(choices=[m.value for m in Meanwhile], required=False)


class Choice(Given):
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
    of = serializers.CharField(help_text="the column that this one follows from; empty for a column of its own")
    derived = serializers.CharField(help_text="how it follows: previous, percent_change, points, share, rank and so on")


class Offered(serializers.Serializer[Any]):
    """One reading of an ambiguous question."""

    number = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]
    question = serializers.CharField()
    detail = serializers.CharField()


class WordChoice(serializers.Serializer[Any]):
    """Another meaning of question[start:end]; `question` asks with it."""

    start = serializers.IntegerField()
    end = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]
    question = serializers.CharField()


class Inherited(serializers.Serializer[Any]):
    """A part of the plan that an earlier question said; `question` asks without it, "" where that is not possible."""

    label = serializers.CharField()  # type: ignore[assignment]
    turn = serializers.CharField()
    run_id = serializers.CharField()
    question = serializers.CharField()


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
    total_row = serializers.ListField(required=False, help_text="the recomputed whole in the order of the columns")
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
    choices = WordChoice(many=True, required=False)
    inherited = Inherited(many=True, required=False)
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


class Typed(Given):
    """The beginning of a question."""

    text = Words(max_length=1000, trim_whitespace=False, allow_blank=True)


class Completion(serializers.Serializer[Any]):
    """One way to go on; `detail` says whose member or whose other word it is."""

    question = serializers.CharField()
    words = serializers.CharField()
    kind = serializers.CharField()
    detail = serializers.CharField()


class Fact(serializers.Serializer[Any]):
    """One statement of a card and where it comes from."""

    slot = serializers.CharField()
    text = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    authority = serializers.CharField()
    pointer = serializers.CharField()
    observed_at = serializers.DateTimeField()
    confidence = serializers.FloatField()


class Conflict(serializers.Serializer[Any]):
    """Two facts of one slot that disagree; the slot follows `kept`."""

    slot = serializers.CharField()
    outcome = serializers.CharField()
    reason = serializers.CharField()
    kept = Fact()
    other = Fact()


class Card(serializers.Serializer[Any]):
    """A table's context card at one version."""

    table = serializers.CharField()
    version = serializers.IntegerField()
    purpose = serializers.CharField()
    grain = serializers.CharField()
    keys = serializers.ListField(child=serializers.CharField())
    population = serializers.CharField()
    filters_upstream = serializers.CharField()
    deduplication = serializers.CharField()
    freshness = serializers.CharField()
    upstreams = serializers.ListField(child=serializers.CharField())
    downstreams = serializers.ListField(child=serializers.CharField())
    safe_joins = serializers.ListField(child=serializers.CharField())
    similar_tables = serializers.ListField(child=serializers.CharField())
    status = serializers.CharField()
    owner = serializers.CharField()
    caveats = serializers.ListField(child=serializers.CharField())
    columns = serializers.ListField(child=serializers.CharField())
    facts = Fact(many=True)
    conflicts = Conflict(many=True)
    digest = serializers.CharField()


class CardVersion(serializers.Serializer[Any]):
    """One line of a card's history."""

    version = serializers.IntegerField()
    by = serializers.CharField()
    at = serializers.DateTimeField()
    note = serializers.CharField()
    digest = serializers.CharField()
    current = serializers.BooleanField()


class CardWithHistory(Card):
    """A card, its versions newest first, and the slots for which the caller may propose a text."""

    versions = CardVersion(many=True)
    editable = serializers.ListField(child=serializers.CharField())


class Edit(Given):
    """A new text for one slot of a card; a list slot has one item a line."""

    slot = Words(max_length=40)
    text = Words(max_length=4_000, allow_blank=True, trim_whitespace=False)


class ReviewReason(Given):
    """Why a proposal is rejected."""

    reason = Words(max_length=300, allow_blank=True, default="")


class ProposalHead(serializers.Serializer[Any]):
    """A proposed edit; `published_version` is 0 until it is published."""

    id = serializers.IntegerField()
    table = serializers.CharField()
    slot = serializers.CharField()
    base_version = serializers.IntegerField()
    old_text = serializers.CharField()
    new_text = serializers.CharField()
    author = serializers.CharField()
    state = serializers.CharField(help_text="open, published or rejected")
    created_at = serializers.DateTimeField()
    reviewer = serializers.CharField()
    reason = serializers.CharField()
    published_version = serializers.IntegerField()


class Line(serializers.Serializer[Any]):
    """One line side by side; `kind` is same, changed, added or removed."""

    old = serializers.CharField()
    new = serializers.CharField()
    kind = serializers.CharField()


class Proposal(ProposalHead):
    """A proposed edit with its difference."""

    lines = Line(many=True)


class Conversation(serializers.Serializer[Any]):
    """A conversation in the caller's list."""

    session_id = serializers.UUIDField()
    title = serializers.CharField()
    created_at = serializers.DateTimeField()


class Audiences(serializers.Serializer[Any]):
    """The audiences for which the caller may take a receipt."""

    audiences = serializers.ListField(child=serializers.CharField())


class ChainVerdict(serializers.Serializer[Any]):
    """Whether the workspace's chain holds; `position` is the first bad one; `entries` are those of the audit."""

    ok = serializers.BooleanField()
    links = serializers.IntegerField()
    position = serializers.IntegerField(allow_null=True)
    code = serializers.CharField()
    message = serializers.CharField()
    entries = serializers.IntegerField()


class AuditEntry(serializers.Serializer[Any]):
    """What happened to whose authority; an erased entry has lost `by`, `subject` and `details`."""

    sequence = serializers.IntegerField()
    kind = serializers.CharField()
    at = serializers.DateTimeField()
    by = serializers.CharField()
    subject = serializers.CharField()
    details = serializers.DictField(child=serializers.CharField())
    digest = serializers.CharField()
    erased = serializers.BooleanField()


class AuditLog(serializers.Serializer[Any]):
    """The last entries of the audit, newest first."""

    entries = AuditEntry(many=True)


class Membership(serializers.Serializer[Any]):
    """A workspace of the caller's; a token opens the current one only."""

    slug = serializers.CharField()
    name = serializers.CharField()
    current = serializers.BooleanField()


class SeenTable(serializers.Serializer[Any]):
    """A granted table: its columns, those shown masked, and which rows (empty: all)."""

    table = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    masked = serializers.ListField(child=serializers.CharField())
    row_scope = serializers.CharField()


class Sees(serializers.Serializer[Any]):
    """What policy lets the caller see."""

    metrics = serializers.ListField(child=serializers.CharField())
    tables = SeenTable(many=True)


class Me(serializers.Serializer[Any]):
    """The caller; `sees` is null without the catalog's capability, and where there is no catalog yet."""

    user = serializers.CharField()
    workspace = serializers.CharField()
    roles = serializers.ListField(child=serializers.CharField())
    capabilities = serializers.ListField(child=serializers.CharField())
    policy_version = serializers.CharField()
    workspaces = Membership(many=True)
    sees = Sees(allow_null=True)


class Revoked(serializers.Serializer[Any]):
    """Whether the token was live and is ended now."""

    revoked = serializers.BooleanField()


class Problem(serializers.Serializer[Any]):
    """Why a request was not served (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    action = serializers.CharField(required=False)
    fields = serializers.DictField(required=False)  # type: ignore[assignment]

"""Members read from the warehouse, in versions, and the lease under which they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, Q
from django.db.models.functions import Now
from django.utils import timezone

from dataagent.runs.memberlists import MemberListFacts, UpkeepFacts
from dataagent.runs.models import MemberChunk, MemberList, MemberUpkeep, Run
from dataagent.runs.record import Standing


def upkeep(workspace_id: int) -> UpkeepFacts | None:
    """How the reading of a workspace's members goes; None where it was never begun."""
    row = MemberUpkeep.rows.of(workspace_id).first()
    if row is None:
        return None
    going = row.lease_until is not None and row.lease_until > timezone.now()
    return UpkeepFacts(
        going=going,
        due_at=row.due_at,
        catalog=row.catalog,
        failures=row.failures,
        fault=row.fault,
        doing=row.doing if going else "",
        done_members=row.done_members,
        finished_at=row.finished_at,
    )


def ask_upkeep(workspace_id: int) -> None:
    """Has the workspace's members read as soon as may be."""
    row, made = MemberUpkeep.rows.get_or_create(workspace_id=workspace_id, defaults={"due_at": timezone.now()})
    if not made:
        MemberUpkeep.rows.of(workspace_id).filter(pk=row.pk, due_at__gt=Now()).update(due_at=Now())


def claim_upkeep(workspace_id: int, owner: str, *, catalog: str, lease_s: float, anyway: bool) -> bool:
    """Whether the reading now belongs to `owner`: it is due or of another catalog (or `anyway`), and nobody's."""
    MemberUpkeep.rows.get_or_create(workspace_id=workspace_id, defaults={"due_at": timezone.now()})
    free = MemberUpkeep.rows.of(workspace_id).filter(Q(lease_until=None) | Q(lease_until__lt=Now()))
    due = free if anyway else free.filter(Q(due_at__lte=Now()) | (~Q(catalog=catalog) & Q(failures=0)))
    held = {"lease_owner": owner, "lease_until": Now() + timedelta(seconds=lease_s), "cancel_requested": False}
    return bool(due.update(**held, doing="", done_members=0))


def tell_upkeep(workspace_id: int, owner: str, *, doing: str, done_members: int, lease_s: float) -> Standing:
    """Tells how far the reading is and prolongs its lease; says whether it is still held, and whether cancelled."""
    mine = MemberUpkeep.rows.of(workspace_id).filter(lease_owner=owner)
    until = Now() + timedelta(seconds=lease_s)
    held = mine.update(lease_until=until, doing=doing[:200], done_members=done_members)
    return Standing(held=bool(held), cancelled=bool(held) and mine.filter(cancel_requested=True).exists())


def end_upkeep(workspace_id: int, owner: str, *, catalog: str, fault: str, failures: int, rest_s: float) -> None:
    """Ends the reading, well or with a fault, and says in how many seconds it is due again."""
    ended = {"lease_owner": "", "lease_until": None, "due_at": Now() + timedelta(seconds=rest_s), "doing": ""}
    well = {} if fault else {"finished_at": Now(), "catalog": catalog}
    mine = MemberUpkeep.rows.of(workspace_id).filter(lease_owner=owner)
    mine.update(**ended, **well, fault=fault, failures=failures)


def cancel_upkeep(workspace_id: int) -> bool:
    """Whether a reading goes on that will now end."""
    going = MemberUpkeep.rows.of(workspace_id).filter(lease_until__gt=Now())
    return bool(going.update(cancel_requested=True))


def last_asked(workspace_id: int) -> dict[int, datetime]:
    """When each person asked for the last time, by the login's id."""
    rows = Run.rows.of(workspace_id).values("asker_id").annotate(last=Max("created_at"))
    return {row["asker_id"]: row["last"] for row in rows}


def member_list(workspace_id: int, sight: str) -> MemberListFacts | None:
    """The last finished version of a sight's members, or None."""
    row = MemberList.rows.of(workspace_id).filter(sight=sight, finished=True).order_by("-id").first()
    return None if row is None else _facts(row)


def member_lists(workspace_id: int) -> tuple[MemberListFacts, ...]:
    """All finished versions of a workspace, in the order in which they were begun."""
    rows = MemberList.rows.of(workspace_id).filter(finished=True).order_by("id")
    return tuple(map(_facts, rows))


def save_member_list(
    workspace_id: int, facts: MemberListFacts, catalog: str, chunks: Iterable[bytes]
) -> MemberListFacts:
    """The new version of a sight's members, whole; the older ones are gone only then.  The id given is ignored.

    Each chunk is committed by itself.  Whatever `chunks` raises leaves the older version in use.
    """
    row = MemberList.rows.create(
        workspace_id=workspace_id,
        sight=facts.sight,
        catalog=catalog,
        digest=facts.digest,
        data_version=facts.data_version,
        size_bytes=facts.size_bytes,
        members=facts.members,
        left_out=list(facts.left_out),
        read_at=facts.read_at,
    )
    for number, content in enumerate(chunks):
        MemberChunk.rows.create(workspace_id=workspace_id, member_list=row, number=number, content=content)
    with transaction.atomic():
        mine = MemberList.rows.of(workspace_id).filter(sight=facts.sight)
        mine.filter(pk=row.pk).update(finished=True)
        mine.exclude(pk=row.pk).delete()
    return _facts(row)


def touch_member_list(workspace_id: int, list_id: int, *, data_version: str, read_at: datetime) -> None:
    """Notes that the same members were there when they were read again."""
    MemberList.rows.of(workspace_id).filter(pk=list_id).update(data_version=data_version, read_at=read_at)


def forget_member_lists(workspace_id: int, *, kept: frozenset[str]) -> None:
    """Deletes the members of sights that nobody has any more, and versions that were never finished."""
    mine = MemberList.rows.of(workspace_id)
    mine.filter(~Q(sight__in=kept) | Q(finished=False)).delete()


def member_chunks(workspace_id: int, list_id: int) -> Iterator[bytes]:
    """The bytes of a version, in order, one chunk in memory at a time."""
    rows = MemberChunk.rows.of(workspace_id).filter(member_list_id=list_id).order_by("number")
    for number in tuple(rows.values_list("number", flat=True)):
        content = rows.filter(number=number).values_list("content", flat=True).first()
        yield bytes(content) if content is not None else b""


def _facts(row: MemberList) -> MemberListFacts:
    return MemberListFacts(
        id=row.pk,
        sight=row.sight,
        digest=row.digest,
        data_version=row.data_version,
        size_bytes=row.size_bytes,
        members=row.members,
        left_out=tuple(row.left_out),
        read_at=row.read_at,
    )

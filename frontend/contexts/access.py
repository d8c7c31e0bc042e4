"""What one may see and why, requests for access, and what admins decide on, as the pages show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from catalog.access import AccessScope, TableAccess
from dataagent.policy.access import AccessRequest, RequestState
from dataagent.policy.explain import Preview, Thing, Why
from dataagent.policy.principal import Principal


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """A table that may be read: how many columns, which are replaced by masks, and which rows."""

    table: str
    columns: str
    masked: str
    rows: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLine:
    """A request in words; `id` is its number, `waiting` and `granted` say what can be decided."""

    id: int
    user: str
    when: str
    note: str
    run: str
    outcome: str
    tone: str
    waiting: bool
    granted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessPage:
    """What one may do and see here and why, one's own requests, and the form of a new one."""

    roles: str
    capabilities: str
    policy: str
    tables: tuple[TableLine, ...]
    requests: tuple[RequestLine, ...]
    run: str
    note: str
    error: str
    decides: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingPage:
    """The requests that an admin may decide on, and the roles that can be lent."""

    requests: tuple[RequestLine, ...]
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyLine:
    """One thing that somebody has or has not, and because of what."""

    name: str
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewPage:
    """Whom an admin may look as, and what the chosen one may do and see and why; `user` is empty before the choice."""

    people: tuple[str, ...]
    user: str
    roles: str
    attributes: str
    policy: str
    tables: tuple[TableLine, ...]
    capabilities: tuple[WhyLine, ...]
    metrics: tuple[WhyLine, ...]
    table_reasons: tuple[WhyLine, ...]
    kept: tuple[WhyLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A request as it was typed, and what is wrong with it."""

    run: str = ""
    note: str = ""
    error: str = ""


def access_page(
    principal: Principal,
    scope: AccessScope | None,
    requests: Sequence[AccessRequest],
    draft: Draft,
    *,
    now: datetime,
    decides: bool,
) -> AccessPage:
    """The page of one's own access."""
    return AccessPage(
        roles=", ".join(principal.roles) or "none",
        capabilities=", ".join(sorted(c.value.replace("_", " ") for c in principal.capabilities)) or "none",
        policy=principal.policy_version or "none",
        tables=tuple(map(_table, scope.tables)) if scope is not None else (),
        requests=tuple(_request(r, now) for r in requests),
        run=draft.run,
        note=draft.note,
        error=draft.error,
        decides=decides,
    )


def waiting_page(requests: Sequence[AccessRequest], roles: Sequence[str], *, now: datetime) -> WaitingPage:
    """The page of an admin's decisions."""
    return WaitingPage(requests=tuple(_request(r, now) for r in requests), roles=tuple(roles))


def preview_page(people: Sequence[str], found: Preview | None) -> PreviewPage:
    """The page of another one's access; without anybody chosen, the choice alone."""
    person, reasons = (found.person, found.reasons) if found else (None, ())
    return PreviewPage(
        people=tuple(people),
        user=person.user if person else "",
        roles=(", ".join(person.roles) if person else "") or "none",
        attributes=", ".join(f"{name} = {value}" for name, value in person.attributes) if person else "",
        policy=(person.policy_version if person else "") or "none",
        tables=tuple(map(_table, found.scope.tables)) if found else (),
        capabilities=_lines(reasons, Thing.CAPABILITY),
        metrics=_lines(reasons, Thing.METRIC),
        table_reasons=_lines(reasons, Thing.TABLE),
        kept=tuple(WhyLine(name=f"{w.thing} {w.name}", because=w.because) for w in reasons if not w.seen),
    )


def _lines(reasons: Sequence[Why], thing: Thing) -> tuple[WhyLine, ...]:
    return tuple(WhyLine(name=w.name, because=w.because) for w in reasons if w.seen and w.thing is thing)


def _table(access: TableAccess) -> TableLine:
    return TableLine(
        table=access.table,
        columns=", ".join(sorted(access.columns)),
        masked=", ".join(sorted(m.column for m in access.masks)),
        rows=", ".join(access.limits()) or "all",
    )


def _request(found: AccessRequest, now: datetime) -> RequestLine:
    live = found.live(now)
    return RequestLine(
        id=found.id,
        user=found.user,
        when=f"{found.asked_at:%Y-%m-%d %H:%M} UTC",
        note=found.note,
        run=found.run,
        outcome=_outcome(found, live=live),
        tone="ok" if live else "",
        waiting=found.state is RequestState.WAITING,
        granted=live,
    )


def _outcome(found: AccessRequest, *, live: bool) -> str:
    if found.state is RequestState.WAITING:
        return "waits for an admin"
    if found.state is RequestState.DECLINED:
        return f"declined by {found.decided_by}: {found.reason}"
    until = f"{found.expires_at:%Y-%m-%d %H:%M} UTC" if found.expires_at else ""
    instead = " in place of the own roles" if found.in_place else ""
    if live:
        return f"role {found.role}{instead} until {until}, by {found.decided_by}: {found.reason}"
    if found.state is RequestState.ENDED:
        return f"role {found.role} ended by {found.decided_by}: {found.reason}"
    return f"role {found.role} ended on {until}"

"""The sign-in page: the demo's cast with what each role can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dataagent.accounts.types import Member

ROLE_SENTENCES = {
    "analyst": "Asks about everything in the business except margins and personal data.",
    "finance": "Asks about everything an analyst may, and about margins and costs.",
    "emea_manager": "Asks about sales in EMEA and sees no other region.",
    "support_agent": "Asks about support tickets only.",
    "owner": "Asks like an analyst, and edits and publishes the context cards.",
    "auditor": "Reads every run and receipt and verifies the chain; asks nothing.",
    "evaluator": "Asks like an analyst and runs the golden suites.",
    "admin": "May do everything, personal data included.",
    "other_team": "Works in the second workspace; nothing of the demo store exists for it.",
    "nobody": "Has no role: everything is refused.",
}
NO_ROLE = ROLE_SENTENCES["nobody"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CastMember:
    """One of the cast: the login and one sentence."""

    username: str
    name: str
    workspace: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInPage:
    """The sign-in page.  `cast` is empty outside the demo; `error` says why a sign-in failed."""

    cast: tuple[CastMember, ...]
    next: str
    username: str = ""
    error: str = ""


def sign_in_page(members: Sequence[Member], *, next_path: str, username: str = "", error: str = "") -> SignInPage:
    """The page with each login once, the known ones in the order of the cast."""
    order = list(ROLE_SENTENCES)
    members = sorted(members, key=lambda m: _place(order, m.account.username))
    found = {member.account.username: _cast_member(member) for member in reversed(members)}
    cast = tuple(found[name] for name in dict.fromkeys(member.account.username for member in members))
    return SignInPage(cast=cast, next=next_path, username=username, error=error)


def _place(order: list[str], name: str) -> int:
    return order.index(name) if name in order else len(order)


def _cast_member(member: Member) -> CastMember:
    known = (member.account.username, *member.roles)
    return CastMember(
        username=member.account.username,
        name=member.account.name or member.account.username.replace("_", " "),
        workspace=member.workspace.name,
        sentence=next((ROLE_SENTENCES[name] for name in known if name in ROLE_SENTENCES), NO_ROLE),
    )

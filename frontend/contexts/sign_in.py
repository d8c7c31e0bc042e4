"""The sign-in page: the demo's cast with what each role can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dataagent.accounts.types import Member

ROLE_SENTENCES = {
    "analyst": "Asks questions about the whole company and reads the answers; margin is not open to this role.",
    "finance": "Asks everything an analyst can, and margin too.",
    "emea_manager": "Asks about the same figures, and sees rows of EMEA only.",
    "support_agent": "Asks about tickets and response times; sees customers with personal data masked.",
    "owner": "Curates context cards: edits them, reads the difference and publishes the next version.",
    "auditor": "Reads the runs and receipts of others and verifies the chain.",
    "evaluator": "Runs the golden suites and sees each case by stage.",
    "admin": "Looks after connections, policy and limits.",
    "other_team": "Belongs to the second workspace only; nothing of the demo company exists for it.",
    "nobody": "Can sign in and has no role: everything is refused.",
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
    """The page with each login once, in the order given."""
    found = {member.account.username: _cast_member(member) for member in reversed(members)}
    cast = tuple(found[name] for name in dict.fromkeys(member.account.username for member in members))
    return SignInPage(cast=cast, next=next_path, username=username, error=error)


def _cast_member(member: Member) -> CastMember:
    known = (member.account.username, *member.roles)
    return CastMember(
        username=member.account.username,
        name=member.account.username.replace("_", " "),
        workspace=member.workspace.name,
        sentence=next((ROLE_SENTENCES[name] for name in known if name in ROLE_SENTENCES), NO_ROLE),
    )

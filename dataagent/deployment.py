"""What makes an installation unsafe to start: one sentence per problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

MIN_SECRET_CHARACTERS = 50
MIN_SECRET_VARIETY = 10
DEFAULT_HOSTS = "localhost,127.0.0.1,[::1]"
NAMED = 5


class Mode(StrEnum):
    """How the product is installed: a demo on one's own machine, or for real."""

    DEMO = "demo"
    PRODUCTION = "production"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """The settings that decide whether it is safe to start.  `secret_key` is the given one, empty if generated."""

    mode: str
    secret_key: str
    allowed_hosts: str
    embedded: bool
    embedded_allowed: bool


def problems(deployment: Deployment) -> Iterator[tuple[str, str]]:
    """(check id, sentence) of each problem; none in demo mode.  An unknown mode is its own problem."""
    if deployment.mode not in set(Mode):
        yield "dataagent.E001", f"DATAAGENT_MODE is {deployment.mode!r}; set it to demo or production."
    if deployment.mode != Mode.PRODUCTION:
        return
    if not deployment.secret_key:
        yield "dataagent.E002", "Set SECRET_KEY: production does not use a generated one."
    elif len(deployment.secret_key) < MIN_SECRET_CHARACTERS or len(set(deployment.secret_key)) < MIN_SECRET_VARIETY:
        yield "dataagent.E003", f"SECRET_KEY is too weak: use at least {MIN_SECRET_CHARACTERS} random characters."
    if deployment.embedded and not deployment.embedded_allowed:
        yield (
            "dataagent.E004",
            "Set DATABASE_URL, or DATAAGENT_ALLOW_EMBEDDED=1 to run production on the embedded database.",
        )
    if not deployment.allowed_hosts.strip(", ") or deployment.allowed_hosts == DEFAULT_HOSTS:
        yield "dataagent.E005", "Set ALLOWED_HOSTS to the host names that people use."


def open_accounts(mode: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The problem of accounts that have no password, in production."""
    if mode == Mode.PRODUCTION and names:
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        yield (
            "dataagent.E006",
            f"These accounts have no password: {', '.join(names[:NAMED])}{more}. "
            "Set one with manage.py changepassword NAME, or use a database without the demo.",
        )

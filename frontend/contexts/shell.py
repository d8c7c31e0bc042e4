"""What stands around every page: who is signed in, where, and where one can go."""

from __future__ import annotations

from dataclasses import dataclass

from dataagent.policy.principal import Capability, Principal


@dataclass(frozen=True, slots=True, kw_only=True)
class NavItem:
    """A place to go.  `route` is the name of its address."""

    label: str
    route: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceChoice:
    """A workspace the user may switch to."""

    slug: str
    name: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """The frame of a page.  `theme` is light, dark or auto."""

    title: str
    user: str
    roles: str
    workspace: str
    workspaces: tuple[WorkspaceChoice, ...]
    nav: tuple[NavItem, ...]
    theme: str
    other_theme: str


PLACES = (
    ("Ask", "ask", Capability.ASK),
    ("Catalog", "catalog", Capability.READ_CATALOG),
    ("Cards", "cards", Capability.READ_CARDS),
    ("Words", "words", Capability.CURATE_WORDS),
    ("Evals", "evals", Capability.RUN_EVALS),
    ("Access", "access", Capability.REQUEST_ACCESS),
    ("Operate", "operate", Capability.ADMINISTER),
    ("Audit", "audit", Capability.VERIFY_AUDIT),
)
THEMES = ("auto", "light", "dark")


def shell(
    title: str,
    principal: Principal | None,
    *,
    place: str = "",
    theme: str = "auto",
    workspaces: tuple[tuple[str, str], ...] = (),
) -> Shell:
    """The frame for a principal: only places that their capabilities open; none for a stranger."""
    held = principal.capabilities if principal else frozenset()
    here = principal.workspace if principal else ""
    return Shell(
        title=title,
        user=principal.user if principal else "",
        roles=", ".join(principal.roles) if principal else "",
        workspace=here,
        workspaces=tuple(WorkspaceChoice(slug=slug, name=name, current=slug == here) for slug, name in workspaces),
        nav=tuple(
            NavItem(label=label, route=route, current=route == place) for label, route, need in PLACES if need in held
        ),
        theme=theme if theme in THEMES else "auto",
        other_theme="light" if theme == "dark" else "dark",
    )

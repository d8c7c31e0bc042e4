"""The frame of a page: the shell for the principal, and the template in it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from dataagent.accounts import service as accounts
from dataagent.policy.principal import Principal
from frontend.contexts.shell import Shell, shell

THEME_COOKIE = "theme"


def principal_of(request: HttpRequest) -> Principal:
    """The principal of the request; doors have made sure that there is one."""
    principal = getattr(request, "principal", None)
    if not isinstance(principal, Principal):
        raise TypeError("This view needs a door: @requires(...).")
    return principal


def page(
    request: HttpRequest, template: str, *, title: str, place: str = "", status: int = 200, **context: Any
) -> HttpResponse:
    """The template's response inside the frame."""
    context["shell"] = shell_of(request, title, place=place)
    return render(request, f"frontend/{template}", context, status=status)


def shell_of(request: HttpRequest, title: str, *, place: str = "") -> Shell:
    """The frame for whoever sends the request."""
    found = getattr(request, "principal", None)
    principal = found if isinstance(found, Principal) else None
    mine = accounts.memberships(principal.user_id) if principal and principal.user_id else ()
    return shell(
        title,
        principal,
        place=place,
        theme=request.COOKIES.get(THEME_COOKIE, "auto"),
        workspaces=tuple((member.workspace.slug, member.workspace.name) for member in mine),
    )

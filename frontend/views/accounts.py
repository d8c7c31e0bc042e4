"""Sign-in, sign-out, the chosen workspace and the theme."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dataagent.accounts import service as accounts
from dataagent.accounts.devices import KEPT
from dataagent.errors import ShownError, http_status
from dataagent.policy.doors import requires
from dataagent.policy.principal import Capability
from frontend.contexts.shell import THEMES
from frontend.contexts.sign_in import sign_in_page
from frontend.views.frame import THEME_COOKIE, page, shell_of

DEMO_WORKSPACES = ("demo", "other")
A_YEAR_S = 365 * 24 * 3600


@require_GET
@requires(Capability.SIGN_IN)
def home(request: HttpRequest) -> HttpResponse:
    """The way to the first place that is open to the principal."""
    places = shell_of(request, "").nav
    if not places:
        raise ShownError("not_permitted", "Your role opens no page here.", action="Ask the admin for access.")
    return redirect(places[0].route)


@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """The sign-in page, or the way in."""
    if request.method == "GET":
        return _sign_in(request)
    username = request.POST.get("username", "")
    try:
        account = accounts.sign_in(request, username, request.POST.get("password", ""))
    except ShownError as error:
        words = f"{error.message} {error.action}".strip()
        return _sign_in(request, username=username, error=words, status=http_status(error.code))
    response = HttpResponseRedirect(_next(request))
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        accounts.device_mark(account.username),
        max_age=KEPT,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
    return response


@require_POST
def sign_in_demo(request: HttpRequest) -> HttpResponse:
    """The way in for one of the demo's cast; there is none outside the demo."""
    accounts.sign_in_demo(request, request.POST.get("username", ""))
    return HttpResponseRedirect(_next(request))


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """The way out."""
    accounts.sign_out(request)
    return redirect("sign-in")


@require_POST
@requires(Capability.SIGN_IN)
def choose_workspace(request: HttpRequest) -> HttpResponse:
    """The start page in another workspace of the user's."""
    accounts.choose_workspace(request, request.POST.get("workspace", ""))
    return redirect("home")


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """The same page in the chosen theme; a cookie remembers it."""
    response = HttpResponseRedirect(_back(request))
    theme = request.POST.get("theme", "")
    if theme in THEMES:
        response.set_cookie(THEME_COOKIE, theme, max_age=A_YEAR_S, samesite="Lax", secure=request.is_secure())
    return response


def _sign_in(request: HttpRequest, *, username: str = "", error: str = "", status: int = 200) -> HttpResponse:
    cast = [m for slug in DEMO_WORKSPACES for m in accounts.demo_members(slug)] if settings.DEMO else []
    context = sign_in_page(cast, next_path=_next(request), username=username, error=error)
    return page(request, "accounts/page.html", title="Sign in", status=status, page=context)


def _next(request: HttpRequest) -> str:
    """Where to go after the sign-in: a path of this site only."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    return wanted if _is_ours(request, wanted) else settings.LOGIN_REDIRECT_URL


def _back(request: HttpRequest) -> str:
    wanted = request.headers.get("Referer", "")
    return wanted if _is_ours(request, wanted) else settings.LOGIN_REDIRECT_URL


def _is_ours(request: HttpRequest, url: str) -> bool:
    return url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())

"""Pages for what went wrong.  They show plain words and never an internal one."""

from __future__ import annotations

from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from contextcards.types import CardError
from dataagent.api.problems import problem_outside
from dataagent.errors import ShownError, http_status
from frontend.contexts.errors import (
    BROKEN,
    EXPIRED_FORM,
    NOT_ALLOWED,
    NOT_FOUND,
    TOO_LARGE,
    UNREADABLE,
    ErrorPage,
    error_page,
)
from frontend.contexts.shell import shell
from frontend.views.frame import page

CODES = {400: "invalid_input", 403: "not_permitted", 404: "not_found", 405: "invalid_input", 413: "too_large"}
"""What the API calls what went wrong before it was reached."""


def shown_error_page(request: HttpRequest, error: ShownError | CardError) -> HttpResponse:
    """The page of an error that may be shown; a stranger is led to the sign-in."""
    if error.code == "not_signed_in" and request.method == "GET":
        return HttpResponseRedirect(f"{settings.LOGIN_URL}?{urlencode({'next': request.get_full_path()})}")
    shown = error_page(error.code, error.message, error.action)
    return _error(request, shown, http_status(error.code))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """The page of an address that leads nowhere."""
    return _error(request, NOT_FOUND, 404)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page of a request that cannot be read, or is too large to be."""
    too_large = isinstance(exception, RequestDataTooBig)
    return _error(request, TOO_LARGE if too_large else UNREADABLE, 413 if too_large else 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """The page of a refused request: the same as for what is not there."""
    return _error(request, NOT_FOUND, 403)


def not_allowed(request: HttpRequest, allowed: str) -> HttpResponse:
    """The page of an address that does not take that kind of request; its header says which it takes."""
    response = _error(request, NOT_ALLOWED, 405)
    response.headers["Allow"] = allowed
    return response


def expired_form(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """The page of a form without a valid token."""
    return _error(request, EXPIRED_FORM, 403)


def broken(request: HttpRequest) -> HttpResponse:
    """The page of an internal error.  It asks nothing of the database, which may be what broke."""
    if _is_for_a_program(request):
        return problem_outside("internal_error", "Something went wrong on our side. Try again.", 500)
    return render(
        request, "frontend/errors/page.html", {"error": BROKEN, "shell": shell(BROKEN.label, None)}, status=500
    )


def _error(request: HttpRequest, shown: ErrorPage, status: int) -> HttpResponse:
    if _is_for_a_program(request):
        return problem_outside(CODES.get(status, "invalid_input"), shown.message, status)
    return page(request, "errors/page.html", title=shown.label, status=status, error=shown)


def _is_for_a_program(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")

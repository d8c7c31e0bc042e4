"""What every response carries, and how a shown error becomes a page."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.http import HttpRequest, HttpResponse

from contextcards.types import CardError
from dataagent.errors import ShownError
from dataagent.policy import service as policy
from frontend.views.errors import bad_request, not_allowed, shown_error_page

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""No inline script or style can run: text from a model or a warehouse stays text even if it were not escaped."""
Handler = Callable[[HttpRequest], HttpResponse]


HEADERS = {
    "Content-Security-Policy": POLICY,
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""No other site embeds what we send, and no copy of it stays in a shared cache or behind the back button of
somebody who has signed out.  Static files say their own time to live."""


def security_headers(get_response: Handler) -> Handler:
    """A middleware: every response says what a browser may load, run and keep."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return middleware


class BodyLimit:
    """A middleware: a form that is too large becomes a page in plain words, whatever its encoding.

    It stands before the check of form tokens, which reads the body.  The API answers in its own words.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The response of the view."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        """The page of a body over the limit; None for any other."""
        length = str(request.META.get("CONTENT_LENGTH") or "")
        limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if request.path.startswith("/api/") or not length.isdecimal() or int(length) <= limit:
            return None
        return bad_request(request, RequestDataTooBig())


class ShownErrors:
    """A middleware: errors that may be shown become pages in plain words; all others stay internal."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The response of the view; a page in plain words where the address takes no such request."""
        response = self.get_response(request)
        if response.status_code == 405 and not request.path.startswith("/api/"):
            return not_allowed(request, response.headers.get("Allow", ""))
        return response

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        """The page of a form or an address with a null character, which no database text holds; None for others."""
        if request.path.startswith("/api/"):
            return None
        given = (*request.GET.lists(), *(request.POST.lists() if request.method == "POST" else ()))
        unreadable = any("\0" in text for name, values in given for text in (name, *values))
        return bad_request(request, BadRequest()) if unreadable else None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page of a shown error; None for any other exception."""
        if isinstance(exception, ShownError):
            place = request.resolver_match
            route = f"{request.method} /{place.route if place else ''}"
            policy.record_refusal(getattr(request, "principal", None), exception, route=route)
        if isinstance(exception, ShownError | CardError):
            return shown_error_page(request, exception)
        return None

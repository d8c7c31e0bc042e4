"""Every error of the API as problem+json (RFC 9457): a code, safe words, what can be done."""

from __future__ import annotations

import logging
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from rest_framework import exceptions
from rest_framework.response import Response

from contextcards.types import CardError
from dataagent.errors import ShownError, http_status
from dataagent.policy import service as policy
from dataagent.runs.document import write

log = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"

_CODES: tuple[tuple[type[Exception], str, str], ...] = (
    (exceptions.NotAuthenticated, "not_signed_in", "Send a token: Authorization: Bearer …"),
    (exceptions.AuthenticationFailed, "not_signed_in", "This token is unknown, revoked or too old."),
    (exceptions.PermissionDenied, "not_permitted", "Your role does not include this."),
    (PermissionDenied, "not_permitted", "Your role does not include this."),
    (exceptions.ParseError, "invalid_input", "The request's body is not the JSON that is expected."),
    (exceptions.ValidationError, "invalid_input", "A field is missing or has a wrong form."),
    (exceptions.Throttled, "too_many_requests", "Too many requests. Wait a little."),
    (RequestDataTooBig, "too_large", "The request is too large. A question may have at most 4000 characters."),
    (exceptions.NotFound, "not_found", "There is no such thing."),
    (Http404, "not_found", "There is no such thing."),
)


def problem_response(error: Exception, context: dict[str, Any]) -> Response:
    """The answer to a request that could not be served.  Nothing internal is in it."""
    if isinstance(error, ShownError) and (request := context.get("request")) is not None:
        place = request.resolver_match
        route = f"{request.method} /{place.route if place else ''}"
        policy.record_refusal(getattr(request._request, "principal", None), error, route=route)
    if isinstance(error, ShownError | CardError):
        return problem(error.code, error.message, action=error.action)
    for kind, code, words in _CODES:
        if isinstance(error, kind):
            return problem(code, words, fields=_fields(error))
    if isinstance(error, exceptions.APIException):
        return problem("invalid_input", str(error.detail), status=error.status_code)
    log.exception("A request failed.", exc_info=error)
    return problem("internal_error", "Something went wrong on our side. Try again.", status=500)


def nowhere(_request: HttpRequest, rest: str) -> HttpResponse:  # noqa: ARG001 (the address's rest)
    """The answer for an address under the API that leads nowhere."""
    body = {**_body("not_found", "There is no such address.", 404), "action": "See /api/v1/schema."}
    return HttpResponse(write(body), status=404, content_type=CONTENT_TYPE)


def problem_outside(code: str, words: str, status: int) -> HttpResponse:
    """The answer to a request for the API that failed before the API was reached (an unknown host, say)."""
    return HttpResponse(write(_body(code, words, status)), status=status, content_type=CONTENT_TYPE)


def problem(code: str, words: str, *, action: str = "", status: int = 0, fields: Any = None) -> Response:
    """A problem document."""
    code_status = status or http_status(code)
    body = _body(code, words, code_status)
    if action:
        body["action"] = action
    if fields:
        body["fields"] = fields
    response = Response(body, status=code_status, content_type=CONTENT_TYPE)
    if code == "not_signed_in":
        response["WWW-Authenticate"] = "Bearer"
    return response


def _body(code: str, words: str, status: int) -> dict[str, Any]:
    return {"type": f"urn:dataagent:problem:{code}", "title": words, "status": status, "code": code}


def _fields(error: Exception) -> Any:
    """What was wrong with each field of the request."""
    return error.detail if isinstance(error, exceptions.ValidationError) else None

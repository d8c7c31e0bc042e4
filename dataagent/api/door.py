"""What every function of the API says of itself: its method, what it takes to enter, what it answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from rest_framework.decorators import api_view
from rest_framework.request import Request

from dataagent.api import serializers
from dataagent.api.problems import CONTENT_TYPE
from dataagent.errors import ShownError
from dataagent.policy.doors import requires
from dataagent.policy.principal import Capability, Principal
from dataagent.policy.service import Authority

View = Callable[..., Any]
_DIGITS = 9


def door(method: str, capability: Capability, *, takes: tuple[str, ...] = ()) -> Callable[[View], View]:
    """A decorator: the view answers `method` for those who hold the capability, and carries it.

    `takes` are the parameters behind the question mark.  Any other is refused: dropped, it would give another
    answer than the one that was asked for.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def asked(request: Request, *args: Any, **parts: Any) -> Any:
            unknown = next((name for name in request.query_params if name not in takes), None)
            if unknown is not None:
                known = f"It takes {', '.join(takes)}." if takes else "It takes none."
                raise ShownError("invalid_input", f"There is no parameter “{unknown[:40]}” here. {known}")
            return view(request, *args, **parts)

        guarded: View = api_view([method])(requires(capability)(asked))
        guarded.capability = capability  # type: ignore[attr-defined]
        return guarded

    return decorate


def answers(body: Any, *problems: int, status: int = 200, media: str = "application/json") -> dict[Any, Any]:
    """A function's answers as OpenAPI wants them: its own, and its problems; 401, 403 and 422 are among them always."""
    told: dict[Any, Any] = {(status, media): body}
    return told | {(code, CONTENT_TYPE): serializers.Problem for code in sorted({401, 403, 422, *problems})}


def principal_of(request: Request) -> Principal:
    """Who calls; the door has checked that there is somebody."""
    found: Principal = request._request.principal  # type: ignore[attr-defined]
    return found


def authority_of(request: Request) -> Authority:
    """Who calls, read anew at each call of it: for what goes on after the request."""
    found: Authority = request._request.authority  # type: ignore[attr-defined]
    return found


def whole_number(text: str | None, *, name: str, default: int) -> int:
    """The number in a query parameter or header.  Raises: ShownError(invalid_input) for anything else."""
    if not text:
        return default
    if not _is_number(text):
        raise ShownError("invalid_input", f"“{name}” is a whole number from 0.")
    return int(text)


def numbered(text: str, *, what: str) -> int:
    """The number in an address.  Raises: ShownError(not_found): what is no number names nothing."""
    if not _is_number(text):
        raise ShownError("not_found", f"There is no such {what}.")
    return int(text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _DIGITS

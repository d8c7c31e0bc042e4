"""Errors that people see: a code, safe words, and one table to HTTP and exit codes."""

from __future__ import annotations


class ShownError(Exception):
    """An error whose words may be shown.  `code` is stable, `action` says what can be done."""

    def __init__(self, code: str, message: str, *, action: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.action = action


HTTP_STATUS: dict[str, int] = {
    "not_signed_in": 401,
    "not_permitted": 403,
    "not_found": 404,
    "run_active": 409,
    "conflict": 409,
    "too_large": 413,
    "invalid_input": 422,
    "too_many_requests": 429,
    "unavailable": 503,
}
"""HTTP status by error code; codes that are absent are 400."""


def http_status(code: str) -> int:
    """The HTTP status for an error code."""
    return HTTP_STATUS.get(code, 400)

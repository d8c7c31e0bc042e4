"""Error pages in plain words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorPage:
    """What happened and what can be done."""

    label: str
    message: str
    action: str


TITLES = {
    "not_signed_in": "Sign in first",
    "not_permitted": "Not permitted",
    "not_found": "Not found",
    "run_active": "Still working",
    "conflict": "Changed meanwhile",
    "too_large": "Too large",
    "invalid_input": "This cannot be used",
    "too_many_requests": "Too many questions",
    "unavailable": "Not available now",
}

NOT_FOUND = ErrorPage(
    label="Not found",
    message="There is no such page, or it is not yours to see.",
    action="Check the address, or start from the ask page.",
)
BROKEN = ErrorPage(
    label="Something went wrong",
    message="This page could not be made. The fault is on our side and has been noted.",
    action="Try again in a moment. Nothing was changed.",
)
TOO_LARGE = ErrorPage(
    label="Too large",
    message="What was sent is larger than this page takes. A question may have at most 4000 characters.",
    action="Send less.",
)
UNREADABLE = ErrorPage(
    label="This cannot be used",
    message="What was sent could not be read.",
    action="Go back, load the page again and send it once more.",
)
NOT_ALLOWED = ErrorPage(
    label="This cannot be used",
    message="This address does not take that kind of request.",
    action="Start from the page that led here.",
)
EXPIRED_FORM = ErrorPage(
    label="This form has expired",
    message="For your safety the form was not sent: it was too old or came from another place.",
    action="Go back, load the page again and send it once more.",
)


def error_page(code: str, message: str, action: str) -> ErrorPage:
    """The page of a shown error."""
    return ErrorPage(label=TITLES.get(code, "This did not work"), message=message, action=action)

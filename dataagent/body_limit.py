"""Keeps large request bodies out of memory and off the disk: what is too much is read and thrown away."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Application = Callable[..., Awaitable[None]]
"""An ASGI application: (scope, receive, send)."""
LENGTH = b"content-length"


def limited(application: Application, max_bytes: int) -> Application:
    """The application, which sees an empty body that says how long it was where one is over the limit.

    What comes behind refuses by the length (413).  A body sent in pieces without
    a length gets one when it has grown too large.
    """

    async def wrapped(scope: Message, receive: Receive, send: Callable[[Message], Awaitable[None]]) -> None:
        if scope["type"] == "http":
            receive = _counting(scope, receive, max_bytes)
        await application(scope, receive, send)

    return wrapped


def _counting(scope: Message, receive: Receive, max_bytes: int) -> Receive:
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if message["type"] != "http.request" or seen <= max_bytes:
            return message
        while message["type"] == "http.request" and message.get("more_body"):
            message = await receive()
        if message["type"] != "http.request":
            return message
        others = [(name, value) for name, value in scope["headers"] if name != LENGTH]
        scope["headers"] = [*others, (LENGTH, str(max(seen, max_bytes + 1)).encode())]
        return {"type": "http.request", "body": b"", "more_body": False}

    return counted

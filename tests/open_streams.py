"""Streams that are open while something is taken from whoever listens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from asgiref.sync import sync_to_async
from django.test import AsyncClient

from dataagent.accounts import service as accounts
from dataagent.accounts.models import User, Workspace


def leave(name: str, workspace: str) -> None:
    accounts.remove_member(Workspace.objects.get(slug=workspace).pk, User.objects.get(username=name).pk)


def be_nothing(name: str, workspace: str) -> None:
    accounts.set_member(Workspace.objects.get(slug=workspace).pk, User.objects.get(username=name).pk, roles=())


async def after_taking(
    client: AsyncClient, path: str, headers: dict[str, str], take: Callable[[], object]
) -> tuple[float, str]:
    """How long a stream stays open after its first silent moment, and all that it says from then on."""
    response: Any = await client.get(path, headers=headers)
    pieces: AsyncIterator[bytes] = aiter(response.streaming_content)
    await anext(pieces)
    following = asyncio.ensure_future(_rest(pieces))
    await asyncio.sleep(0.3)
    begun = time.monotonic()
    await sync_to_async(take, thread_sensitive=False)()
    taken = time.monotonic() - begun
    text = await asyncio.wait_for(following, timeout=8)
    return time.monotonic() - begun - taken, text


async def _rest(pieces: AsyncIterator[bytes]) -> str:
    return b"".join([piece async for piece in pieces]).decode()

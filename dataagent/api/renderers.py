"""How answers of the API are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer

from dataagent.runs.document import write


class ExactJSONRenderer(BaseRenderer):
    """JSON in which no number has gone through a float."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,  # noqa: ARG002 (the framework's signature)
        renderer_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> bytes:
        """The body's bytes."""
        return b"" if data is None else write(data).encode("utf-8")


class EventStreamRenderer(ExactJSONRenderer):
    """Lets a client ask for `text/event-stream`; the stream writes itself, errors are JSON."""

    media_type = "text/event-stream"
    format = "stream"


class CsvRenderer(ExactJSONRenderer):
    """Lets a client ask for `text/csv`; the file writes itself, errors are JSON."""

    media_type = "text/csv"
    format = "csv"

"""Reads JSON bodies of a bounded size."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class LimitedJSONParser(JSONParser):
    """JSON up to the size that forms may have, too; the framework itself would read without end."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The body as data.  Raises: RequestDataTooBig; ParseError, also for what is nested too deep to be read."""
        limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        announced = (parser_context or {})["request"].META.get("CONTENT_LENGTH") or ""
        if announced.isdecimal() and int(announced) > limit:
            raise RequestDataTooBig
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise RequestDataTooBig
        try:
            return super().parse(io.BytesIO(body), media_type, parser_context)
        except RecursionError as error:
            raise ParseError from error

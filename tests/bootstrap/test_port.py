"""A busy port is one sentence that says what to do."""

from __future__ import annotations

import socket

import pytest

from dataagent.errors import ShownError
from dataagent.management.serving import check_port


def test_a_busy_port_is_named_with_a_way_out_and_a_free_one_is_fine() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ShownError, match=f"Port {port} is busy.*--port"):
            check_port("127.0.0.1", port)
    check_port("127.0.0.1", port)

"""The product's own machine: real world, real answers."""

from __future__ import annotations

import os
import socket

from dataagent.runs.answer import answer_question
from dataagent.runs.service.working import Machine
from dataagent.runs.service.world import authority_holds, ports_for

MACHINE = Machine(ports=ports_for, answer=answer_question, holds=authority_holds)


def worker_name(suffix: str = "") -> str:
    """This process as the owner of leases."""
    return f"{socket.gethostname()}:{os.getpid()}{suffix}"[:100]

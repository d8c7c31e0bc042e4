"""What a bench is given and what comes of it."""

from __future__ import annotations

import gc
import os
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchOptions:
    """`peer_python` has the Python peers, `node_modules` is a `node_modules` with Cube's compiler.

    `rows` are those of the large table, `members` those of all dimensions.
    """

    peer_python: Path | None = None
    node_modules: Path | None = None
    rows: int = 10_000_000
    members: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchReport:
    """One object per case, and what a reader of the figures must know."""

    results: tuple[dict[str, object], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Sorted times of one way, in milliseconds."""

    values_ms: tuple[float, ...]

    def at(self, share: float) -> float:
        """The value below which that share of the times lies."""
        return round(self.values_ms[min(len(self.values_ms) - 1, int(len(self.values_ms) * share))], 3)


def alone(name: str, ours: Timing) -> dict[str, object]:
    """One case's figures where no peer was asked."""
    return {"name": name, "ours_p50_ms": ours.at(0.5), "ours_p95_ms": ours.at(0.95), "peer": None}


def result(name: str, ours: Timing, peer: str, theirs: Timing) -> dict[str, object]:
    """One case's figures; `ratio` is our median over the peer's."""
    floor = theirs.at(0.5)
    return {
        **alone(name, ours),
        "peer": peer,
        "peer_p50_ms": floor,
        "peer_p95_ms": theirs.at(0.95),
        "ratio": round(ours.at(0.5) / floor, 3) if floor else None,
    }


def told(figures: dict[str, object]) -> str:
    """The figures as a line for people."""
    ours = f"{figures['name']}: ours {figures['ours_p50_ms']} / {figures['ours_p95_ms']} ms (p50 / p95)"
    if figures["peer"] is None:
        return ours
    theirs = f"{figures['peer']} {figures['peer_p50_ms']} / {figures['peer_p95_ms']} ms"
    computed = f", of the processor's time {figures['ratio_of_cpu']}" if "ratio_of_cpu" in figures else ""
    return f"{ours}, {theirs}, ratio {figures['ratio']}{computed}"


def machine_note() -> str:
    """What the figures were measured on, and how busy it was."""
    load = ", ".join(f"{share:.1f}" for share in os.getloadavg())
    collector = "on" if gc.isenabled() else "off"
    return f"Python {sys.version.split()[0]}, garbage collector {collector}, {os.cpu_count()} cores, load {load}."

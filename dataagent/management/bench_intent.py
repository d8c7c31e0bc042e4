"""How long a question takes to be understood, and a text to be completed, in the demo and in a very large company.

The large one has thousands of metrics, ten times as many dimensions and millions of members.
The processor time of this process is measured: of questions whose metrics were never asked for
before, and of the same ones again.
"""

from __future__ import annotations

import gc
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import yaml

from catalog.access import AccessScope
from catalog.collector import set_apart
from catalog.compiler.prepare import prepared
from catalog.importers.own import load_folder
from catalog.terms import TermIndex, build_index
from catalog.types import CatalogSnapshot
from dataagent.intent.completion import completions
from dataagent.intent.ready import make_ready
from dataagent.intent.understand import understand
from dataagent.management.bench_report import BenchOptions, BenchReport, Timing, alone, machine_note
from dataagent.management.large_vocabulary import Spoken, everyone, members, questions, vocabulary

_LARGE = Spoken()
_QUESTIONS = 560
_TODAY = date(2025, 6, 18)
_BEGINNINGS = (3, 8, 14, 21, 30)
"""After so many letters of a question its completion is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _World:
    """A catalog with the words that somebody may know who may see all of it."""

    snapshot: CatalogSnapshot
    scope: AccessScope
    index: TermIndex

    def understand(self, question: str) -> str:
        """The decision."""
        outcome = understand(question, snapshot=self.snapshot, scope=self.scope, index=self.index, today=_TODAY)
        return outcome.decision.value

    def complete(self, beginning: str) -> str:
        """How many ways to go on there are."""
        return str(len(completions(beginning, snapshot=self.snapshot, index=self.index, today=_TODAY)))


def measure(folder: Path, options: BenchOptions) -> BenchReport:
    """Understanding and completing, in the demo company and in the large one, and how long its words take to build."""
    demo = _world(prepared(load_folder(folder / "catalog")), {})
    asked = _demo_questions(folder / "cases" / "demo.yaml")
    before = _memory_mb()
    started = time.process_time()
    size = _LARGE if options.members is None else Spoken(members=options.members)
    snapshot = prepared(vocabulary(size))
    large = _world(snapshot, members(size))
    built_ms = (time.process_time() - started) * 1000
    gc.collect()
    set_apart()
    said = questions(size, _QUESTIONS)
    results = (
        *_measured("demo: understand", demo.understand, asked),
        *_measured("demo: complete", demo.complete, _beginnings(asked)),
        alone("large: build the words", Timing(values_ms=(built_ms,))),
        *_measured("large: understand", large.understand, said),
        *_measured("large: complete", large.complete, _beginnings(said)),
    )
    held = f"{size.metrics} metrics, {size.dimensions} dimensions, {size.members} members"
    memory = f"{before:.0f} MB before it was built, at most {_memory_mb():.0f} MB while it was"
    return BenchReport(results=results, notes=(f"Large: {held}; {memory}. Processor time. {machine_note()}",))


def _world(snapshot: CatalogSnapshot, shown: Mapping[str, Iterable[str]]) -> _World:
    scope = everyone(snapshot)
    make_ready(snapshot, scope)
    return _World(snapshot=snapshot, scope=scope, index=build_index(snapshot, scope, shown))


def _demo_questions(cases: Path) -> tuple[str, ...]:
    return tuple(str(c["question"]) for c in yaml.safe_load(cases.read_text(encoding="utf-8"))["cases"])


def _beginnings(asked: Sequence[str]) -> tuple[str, ...]:
    return tuple(q[:letters] for q in asked for letters in _BEGINNINGS if letters < len(q))


def _measured(name: str, work: Callable[[str], str], texts: Sequence[str]) -> Iterator[dict[str, object]]:
    """The times of two rounds, the first with the outcomes by how often each came."""
    outcomes: Counter[str] = Counter()
    for again in (False, True):
        taken = sorted(_ms(work, text, outcomes) for text in texts)
        figures = alone(f"{name}, {'again' if again else 'first'}", Timing(values_ms=tuple(taken)))
        yield figures if again else {**figures, "outcomes": dict(outcomes)}


def _ms(work: Callable[[str], str], text: str, outcomes: Counter[str]) -> float:
    started = time.process_time()
    outcome = work(text)
    taken = time.process_time() - started
    outcomes[outcome] += 1
    return taken * 1000


def _memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

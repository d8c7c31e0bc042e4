"""Whether the time of a question tells a member that is hidden from one that does not exist.

Names are made, and by chance half of them are put into rows of a warehouse that the asker may not
see.  The members are then read as the upkeep reads them for that asker, and each name is asked for
once.  A rank test says how likely such times are where hidden and absent names do not differ.
"""

from __future__ import annotations

import math
import mmap
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from catalog.access import AccessScope, RowFilter, TableAccess
from catalog.collector import set_apart
from catalog.compiler.prepare import prepared
from catalog.members import Members
from catalog.terms import TermIndex, index_of
from dataagent.intent.completion import completions
from dataagent.intent.ready import make_ready
from dataagent.intent.understand import understand
from dataagent.management.bench_members import CATALOG, MEMBERS, fill
from dataagent.management.bench_report import BenchOptions, BenchReport, Timing, machine_note, result
from dataagent.management.large_vocabulary import word
from dataagent.runs.service.memberbuild import build_members
from dataagent.warehouse.duckdb import DuckDBWarehouse

_EACH = 2_000
_TODAY = date(2025, 6, 18)
_FORMS = (
    "sign ups for {member} last month",
    "sign ups by month this year, excluding {member}",
    "sign ups of customer {member}",
    "{member}",
)
_SCOPE = AccessScope(
    workspace="bench",
    principal="asker",
    policy_version="1",
    digest="seen",
    metrics=frozenset({"sign_ups"}),
    tables=(
        TableAccess(
            table="main.customer",
            columns=frozenset({"customer", "region", "joined"}),
            row_filter=RowFilter(id="seen", predicate="region = 'seen'", label="region is seen"),
        ),
    ),
)


def measure(options: BenchOptions) -> BenchReport:
    """For each way of asking the times with a hidden member ("ours") and with one that does not exist ("peer")."""
    chance = random.Random(4)  # noqa: S311 (an order, not a secret)
    made = tuple(dict.fromkeys(_name(chance) for _ in range(2 * _EACH)))
    hidden = frozenset(chance.sample(made, k=len(made) // 2))
    count = MEMBERS if options.members is None else options.members
    with _index(count, sorted(hidden)) as index:
        unknown = tuple(n for n in made if not index.lookup(n.lower()))
        ways = (*((f"understand “{form}”", form, _asking(index)) for form in _FORMS),
                ("complete “sign ups for {member}”", "sign ups for {member}", _completing(index)))  # fmt: skip
        results = tuple(_compared(name, form, work, names=unknown, hidden=hidden) for name, form, work in ways)
    of_each = f"{len(hidden & set(unknown))} hidden names and {len(set(unknown) - hidden)} absent ones"
    note = f"{count} members that may be seen; {of_each}, each asked for once. {machine_note()}"
    return BenchReport(results=results, notes=(note,))


@contextmanager
def _index(count: int, hidden: Sequence[str]) -> Iterator[TermIndex]:
    """What the asker may name, read from a warehouse that holds the hidden members too."""
    with tempfile.TemporaryDirectory() as folder:
        file, packed = Path(folder) / "bench.duckdb", Path(folder) / "bench.members"
        fill(file, count, hidden)
        warehouse = DuckDBWarehouse(file)
        snapshot = prepared(CATALOG)
        try:
            build_members(warehouse, snapshot, _SCOPE, path=packed, tell=lambda _doing, _members: None)
        finally:
            warehouse.close()
        make_ready(snapshot, _SCOPE)
        with packed.open("rb") as opened:
            held = Members(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))
        set_apart()
        yield index_of(snapshot, _SCOPE, held)


def _asking(index: TermIndex) -> Callable[[str], str]:
    snapshot = prepared(CATALOG)

    def ask(text: str) -> str:
        return understand(text, snapshot=snapshot, scope=_SCOPE, index=index, today=_TODAY).decision.value

    return ask


def _completing(index: TermIndex) -> Callable[[str], str]:
    snapshot = prepared(CATALOG)
    return lambda text: str(len(completions(text[:-2], snapshot=snapshot, index=index, today=_TODAY)))


def _compared(
    name: str, form: str, work: Callable[[str], str], *, names: Sequence[str], hidden: frozenset[str]
) -> dict[str, object]:
    """The times of both kinds of names, in an order of chance."""
    for warm in names[:50]:
        work(form.replace("{member}", warm))
    taken: dict[bool, list[float]] = {True: [], False: []}
    outcomes: dict[bool, set[str]] = {True: set(), False: set()}
    for member in names:
        text = form.replace("{member}", member)
        begun = time.process_time_ns()
        outcome = work(text)
        taken[member in hidden].append((time.process_time_ns() - begun) / 1e6)
        outcomes[member in hidden].add(outcome)
    ours, theirs = (Timing(values_ms=tuple(sorted(taken[kind]))) for kind in (True, False))
    figures = result(name, ours, "a member that does not exist", theirs)
    likely = rank_test(ours.values_ms, theirs.values_ms)
    return {**figures, "p_value": round(likely, 3), "outcomes": [sorted(outcomes[kind]) for kind in (True, False)]}


def _name(chance: random.Random) -> str:
    return f"{word(chance.randrange(343_000)).title()} {word(chance.randrange(343_000)).title()}"


def rank_test(first: tuple[float, ...], second: tuple[float, ...]) -> float:
    """The probability of ranks at least so far apart where both come from one distribution, 0 to 1 (two-sided).

    Source: Mann and Whitney 1947, with the normal approximation and its correction for ties.
    """
    pooled = sorted((value, kind) for kind, held in enumerate((first, second)) for value in held)
    ranks, ties, at = 0.0, 0.0, 0
    while at < len(pooled):
        end = at
        while end < len(pooled) and pooled[end][0] == pooled[at][0]:
            end += 1
        ranks += (at + end + 1) / 2 * sum(1 for _, kind in pooled[at:end] if kind == 0)
        ties += (end - at) ** 3 - (end - at)
        at = end
    n, m, whole = len(first), len(second), len(pooled)
    apart = ranks - n * (n + 1) / 2 - n * m / 2
    spread = math.sqrt(n * m / 12 * (whole + 1 - ties / (whole * (whole - 1))))
    return math.erfc(abs(apart) / spread / math.sqrt(2)) if spread else 1.0

"""A distribution: first how the figures lie, then how many lie in each range; two queries of one run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from catalog.calculations import Taken
from dataagent.answering.binning import Ranges, ranges_of, summary_of
from dataagent.runs.facts import query_facts
from dataagent.runs.ports import Outcome, Ports, QueryFacts, Record
from dataagent.runs.querying import Loaded, Ready, admitted, execute
from dataagent.runs.types import StepKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The query that counts what lies in each range, and what is kept of the one that the ranges come from."""

    loaded: Loaded
    first: QueryFacts


def laid_out(loaded: Loaded, ports: Ports, record: Record) -> Spread | Outcome:
    """The ranges chosen from how the figures lie; how the question ends where they cannot be counted.

    Raises: WarehouseFault.
    """
    query = loaded.query
    table = record.step(StepKind.EXECUTE, execute, query.guarded, ports)
    first = query_facts(query.compiled, query.guarded, query.explained, table, engine=ports.warehouse.engine)
    found = summary_of(query.compiled.columns, table.rows)
    figure = next(c for c in query.compiled.columns if c.name == "largest")
    ranges = ranges_of(found, figure) if found is not None else Ranges(upto=(), words=("no figures",))
    counting = _counted_in(loaded, ranges, ports, record)
    if isinstance(counting, Outcome):
        return counting
    return Spread(loaded=replace(loaded, query=counting), first=first)


def _counted_in(loaded: Loaded, ranges: Ranges, ports: Ports, record: Record) -> Ready | Outcome:
    spec = loaded.query.spec
    if spec.over is None:
        raise ValueError("A distribution is taken over things.")
    over = replace(spec.over, taken=Taken.BINS, upto=ranges.upto, ranges=ranges.words)
    return admitted(loaded.meaning, replace(spec, over=over), ports, record)

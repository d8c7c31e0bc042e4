"""Frames in which the things measured have a subject: "how many policies have agents sold"."""

from __future__ import annotations

from dataagent.intent.chart import Rule, rules
from dataagent.intent.parts import Condition, Formula, Metrics, Part, Ref, Subjects, Summed, Things, ValueRef

Parts = tuple[Part, ...]
Refs = tuple[Ref, ...]


def subject(_det: str | None, _each: str | None, ref: Ref) -> Refs:
    """One subject."""
    return (ref,)


def subjects(first: Refs, _and: str, rest: Refs) -> Refs:
    """Subjects in a row."""
    return (*first, *rest)


def counted_by(metrics: Metrics, _aux: str, who: Refs, verb: str | None) -> Parts | None:
    """ "how many policies have agents sold", "… does each policy holder have"."""
    return (metrics, Subjects(refs=who, verb=verb or "")) if metrics.scalar else None


def related(metrics: Metrics, _rel: str | None, who: Refs, _aux: str | None, verb: str) -> Parts:
    """ "premiums that a policy holder has paid"."""
    return (metrics, Subjects(refs=who, verb=verb))


def of_each(_of: str, who: Refs, verb: tuple[str, str] | None) -> Parts:
    """ "of each policy and agent who sold it"."""
    return (Subjects(refs=who, verb=verb[0] if verb else ""),)


def clause(_who: str, verb: str, _it: str | None) -> tuple[str, str]:
    """ "who sold it"."""
    return (verb, "")


def formula(metrics: Metrics, _which: str, top: Metrics, _by: str, bottom: Metrics) -> Parts | None:
    """ "average policy size, which is the total premium divided by the number of policies"."""
    if len(metrics.refs) != 1 or len(top.refs) != 1 or len(bottom.refs) != 1:
        return None
    return (metrics, Formula(numerator=top.refs[0], denominator=bottom.refs[0]))


def summed(metrics: Metrics, _which: str, _sum: str, terms: Metrics) -> Parts | None:
    """ "total loss, which is the sum of loss payment and loss reserve"."""
    if len(metrics.refs) != 1 or len(terms.refs) < 2:
        return None
    return (Summed(ref=metrics.refs[0], terms=terms.refs),)


def listing(
    _return: str, _det: str | None, values: tuple[ValueRef, ...] | None, things: Ref, _light: str | None, fields: Refs
) -> Parts:
    """ "return all claims by claim number, open date and close date": rows with the named columns."""
    condition = (Condition(values=values),) if values else ()
    return (Things(ref=things, asked="list", fields=fields), *condition)


def fields(first: Ref) -> Refs:
    """One column."""
    return (first,)


def more_fields(first: Ref, _and: str, rest: Refs) -> Refs:
    """Columns in a row."""
    return (first, *rest)


def by_fields(_by: str, named: Refs) -> Refs:
    """The columns after "by" or "with"."""
    return named


RULES: tuple[Rule, ...] = (
    *rules("Subj", "DET? EACH? E", subject),
    *rules("Subj", "Subj AND Subj", subjects),
    *rules("Verb", "VERB", lambda v: v),
    *rules("Verb", "LIGHTVERB", lambda _v: ""),
    *rules("H", "Cnt AUX Subj Verb?", counted_by),
    *rules("H", "Mets REL? Subj AUX? Verb", related),
    *rules("WhoClause", "WHOM Verb IT?", clause),
    *rules("P", "EACHOF Subj WhoClause?", of_each),
    *rules("H", "Mets WHICHIS Mets DIVIDED Mets", formula),
    *rules("H", "Mets WHICHIS SUMMED Mets", summed),
    *rules("Flds", "D", fields),
    *rules("Flds", "D AND Flds", more_fields),
    *rules("ByFlds", "BY/WITH Flds", by_fields),
    *rules("H", "RETURN DET? VL? E LIGHT? ByFlds", listing),
)

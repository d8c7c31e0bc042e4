"""Do the keys that joins rely on hold in the data?  Where one does not, sums count rows twice."""

from __future__ import annotations

from dataagent.answering.types import Check, CheckOutcome, KeyState


def keys_tell_apart(states: tuple[KeyState, ...]) -> tuple[Check, ...]:
    """One check over all keys: FAILED where one repeats, WARNED where one could not be looked at; () without keys."""
    if not states:
        return ()
    broken = next((s for s in states if s.repeated), None)
    if broken is not None:
        detail = (
            f"{_named(broken)} is declared as a key, but values of it stand in more than one row, so figures would "
            "count rows twice. Ask the owner of the data to remove the doubled rows, or of the catalog to correct it."
        )
        return (Check(name="keys", outcome=CheckOutcome.FAILED, detail=detail),)
    unknown = next((s for s in states if s.repeated is None), None)
    if unknown is not None:
        detail = f"Whether {_named(unknown)} stands for one row each could not be checked in time; figures rely on it."
        return (Check(name="keys", outcome=CheckOutcome.WARNED, detail=detail),)
    return (Check(name="keys", outcome=CheckOutcome.PASSED, detail="The keys of all joined tables are unique."),)


def _named(state: KeyState) -> str:
    return f"{' with '.join(state.columns)} of {state.table}"

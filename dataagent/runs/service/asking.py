"""Accept a message, answer a clarification, cancel."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from catalog import service as catalog
from dataagent.accounts import service as accounts
from dataagent.answering.types import Answer
from dataagent.errors import ShownError
from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import encoding, shown, store
from dataagent.runs.service import authority, queue
from dataagent.runs.service.ending import end
from dataagent.runs.service.reading import not_found, own_run, own_session, run
from dataagent.runs.service.turns import Place, place_of, run_active
from dataagent.runs.states import TERMINAL, Move, Reason
from dataagent.runs.types import Meanwhile, NewRun, RunFacts, RunState, RunView

MAX_QUESTION_CHARACTERS = 4_000
EARLIEST, LATEST = date(1970, 1, 1), date(2200, 1, 1)


def start_run(
    principal: Principal,
    question: str,
    *,
    session_id: str | None = None,
    today: date | None = None,
    choice_of: tuple[str, int] | None = None,
    door: str = "web",
    thread: str = "",
    meanwhile: Meanwhile | None = None,
) -> RunView:
    """The queued run of a new message; with `choice_of` (run id, option index) the run that goes on.

    What a message means that comes while its conversation works on another one, the conversation's policy says:
    see `place_of`.  `meanwhile` sets that policy from this message on.

    Raises: ShownError(not_permitted, invalid_input, too_large, not_found, run_active, conflict).
    """
    permit(principal, Capability.ASK)
    if choice_of is not None:
        return _choose(principal, *choice_of)
    text = _checked(question)
    with transaction.atomic():
        session = _session(principal, session_id, text)
        if meanwhile is not None:
            store.set_meanwhile(principal.workspace_id, session, meanwhile)
        day = _day(today) or today_of(principal)
        place = place_of(principal.workspace_id, session, text, day) if session_id is not None else Place()
        if place.choice is not None:
            return _choose(principal, *place.choice)
        if place.same is not None:
            return run(principal, place.same)
        new = NewRun(
            workspace_id=principal.workspace_id,
            workspace=principal.workspace,
            session_id=session,
            asker_id=user_id(principal),
            asker=principal.user,
            roles=principal.roles,
            question=text,
            today=day,
            door=door,
            thread=thread,
        )
        return shown.view(_queued(principal, new, waits=place.waits), (), whole=True)


def _queued(principal: Principal, new: NewRun, *, waits: bool) -> RunFacts:
    try:
        started = store.enqueue(new, waits=waits)
    except store.ActiveRunError as error:
        raise run_active() from error
    authority.issue(principal, started.id)
    if not waits:
        queue.announce(started.workspace_id, started.id)
    return started


def cancel(principal: Principal, run_id: str) -> RunView:
    """The run after cancelling: ended at once where nothing works on it, else told to stop.

    Raises: ShownError(not_found) for runs of others too: only the asker cancels.
    """
    permit(principal, Capability.READ_OWN_RUNS)
    for _ in range(3):  # the run may move on between reading and writing
        facts = own_run(principal, run_id)
        if facts.state in TERMINAL or _stop(facts):
            break
    return run(principal, run_id)


def today_of(principal: Principal) -> date:
    """The clock of a question: the settings' day, the workspace's own, else the real day in its zone."""
    if settings.TODAY:
        fixed: date = settings.TODAY
        return fixed
    workspace = accounts.workspace(principal.workspace)
    if workspace and workspace.today:
        return workspace.today
    try:
        zone = ZoneInfo(catalog.current_snapshot(principal.workspace_id).calendar.timezone)
    except catalog.NoCatalog:
        zone = ZoneInfo("UTC")
    return timezone.now().astimezone(zone).date()


def user_id(principal: Principal) -> int:
    """The login behind a principal.  Raises: ShownError(not_signed_in) where there is none."""
    if principal.user_id is None:
        raise ShownError("not_signed_in", "Please sign in first.", action="Sign in and try again.")
    return principal.user_id


def _choose(principal: Principal, run_id: str, index: int) -> RunView:
    facts = own_run(principal, run_id)
    if facts.state is not RunState.WAITING_FOR_PERSON:
        raise ShownError("conflict", "This question no longer waits for a choice.", action="Reload the page.")
    answer: Answer = encoding.loads(facts.answer, Answer)
    if not 0 <= index < len(answer.options):
        raise ShownError("invalid_input", f"There is no option {index + 1}; choose 1 to {len(answer.options)}.")
    with transaction.atomic():
        if not store.requeue(facts.workspace_id, facts.id, Move.CHOOSE, old=facts.state, choice=index):
            raise ShownError("conflict", "This question was answered meanwhile.", action="Reload the page.")
        authority.issue(principal, facts.id)
        queue.announce(facts.workspace_id, facts.id)
    return run(principal, run_id)


def _checked(question: str) -> str:
    text = question.strip()
    if not text:
        raise ShownError("invalid_input", "Please type a question.")
    if len(text) > MAX_QUESTION_CHARACTERS:
        raise ShownError("too_large", f"A question may have at most {MAX_QUESTION_CHARACTERS} characters.")
    if "\x00" in text or any("\ud800" <= c <= "\udfff" for c in text):
        raise ShownError("invalid_input", "The question holds characters that are not text.")
    return text


def _day(today: date | None) -> date | None:
    """The given clock, if it lies where periods around it still have names."""
    if today is not None and not EARLIEST <= today <= LATEST:
        raise ShownError("invalid_input", f"The question's day must lie between {EARLIEST} and {LATEST}.")
    return today


def _session(principal: Principal, session_id: str | None, question: str) -> str:
    if session_id is None:
        return store.create_session(principal.workspace_id, user_id(principal), question[:80])
    found = own_session(principal, session_id)
    if found is None:
        raise not_found("conversation")
    return found.id


def _stop(facts: RunFacts) -> bool:
    if facts.state is RunState.RUNNING:
        return store.request_cancel(facts.workspace_id, facts.id)
    return end(facts, Move.CANCEL, Reason.CANCELLED_BY_PERSON)

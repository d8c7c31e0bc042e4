"""Words: what questions left open, teach one, look at what it would do, publish, reject or withdraw."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalog.wordchanges import MAX_LETTERS, ChangeKind, ProposalState, TargetKind, WordChange
from dataagent.errors import ShownError
from dataagent.policy.doors import requires
from dataagent.policy.principal import Capability
from dataagent.runs import service as runs
from frontend.contexts.words import teach_page, word_proposal_page, words_page
from frontend.views.frame import page, principal_of


@require_GET
@requires(Capability.CURATE_WORDS)
def words(request: HttpRequest) -> HttpResponse:
    """The log of open words, the open proposals and what is in force."""
    principal = principal_of(request)
    context = words_page(
        runs.word_log(principal),
        runs.word_proposals(principal, ProposalState.OPEN),
        runs.word_proposals(principal, ProposalState.PUBLISHED),
        runs.unfit_words(principal),
        runs.sight(principal)[0],
    )
    return page(request, "words/page.html", title="Words", place="words", page=context)


@require_http_methods(["GET", "POST"])
@requires(Capability.CURATE_WORDS)
def teach(request: HttpRequest) -> HttpResponse:
    """A form that finds what a word shall mean; posted with one of the things found, the way to its proposal."""
    principal = principal_of(request)
    given = request.POST if request.method == "POST" else request.GET
    word, means = given.get("word", "").strip()[:MAX_LETTERS], given.get("means", "").strip()[:200]
    error = ""
    if request.method == "POST":
        try:
            return redirect("word-proposal", runs.propose_word(principal, _change(request.POST)).id)
        except ShownError as refused:
            if refused.code != "invalid_input":
                raise
            error = refused.message
    found = runs.meant_by(principal, word, means) if word and means else ()
    context = teach_page(word, means, found, runs.sight(principal)[0], error=error)
    return page(request, "words/teach.html", title="Teach a word", place="words", page=context)


@require_GET
@requires(Capability.CURATE_WORDS)
def proposal(request: HttpRequest, proposal_id: int) -> HttpResponse:
    """A proposal with what it would do to the latest questions that left its word open."""
    principal = principal_of(request)
    found = runs.word_proposal(principal, proposal_id)
    unfit = runs.unfit_words(principal).get(found.change, "")
    context = word_proposal_page(found, runs.word_effects(principal, found), unfit, runs.sight(principal)[0])
    return page(request, "words/proposal.html", title=f"“{found.change.word}”", place="words", page=context)


@require_POST
@requires(Capability.CURATE_WORDS)
def publish(request: HttpRequest, proposal_id: int) -> HttpResponse:
    """The list after the proposal came into force."""
    made = runs.publish_word(principal_of(request), proposal_id)
    messages.success(request, f"“{made.change.word}” is in force. The next questions are read with it.")
    return redirect("words")


@require_POST
@requires(Capability.CURATE_WORDS)
def reject(request: HttpRequest, proposal_id: int) -> HttpResponse:
    """The list after the proposal was rejected."""
    runs.reject_word(principal_of(request), proposal_id, request.POST.get("reason", ""))
    messages.info(request, "The proposal is rejected; the word stays as it is.")
    return redirect("words")


@require_POST
@requires(Capability.CURATE_WORDS)
def withdraw(request: HttpRequest, proposal_id: int) -> HttpResponse:
    """The list after the change was taken out of force."""
    made = runs.withdraw_word(principal_of(request), proposal_id, request.POST.get("reason", ""))
    messages.info(request, f"“{made.change.word}” is withdrawn. The next questions are read without it.")
    return redirect("words")


def _change(given: QueryDict) -> WordChange:
    """The change of the hidden fields.  Raises: ShownError(invalid_input) where they are none."""
    text = {name: given.get(name, "")[:200] for name in ("kind", "word", "target_kind", "target", "member", "entity")}
    try:
        kind, target_kind = ChangeKind(text["kind"]), TargetKind(text["target_kind"])
    except ValueError:
        raise ShownError("invalid_input", "Choose what the word shall mean.") from None
    return WordChange(
        kind=kind,
        word=text["word"].strip(),
        target_kind=target_kind,
        target=text["target"],
        member=text["member"],
        entity=text["entity"],
    )

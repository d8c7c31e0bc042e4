"""Addresses of the pages."""

from __future__ import annotations

from django.urls import URLPattern, path

from frontend.views import access, accounts, ask, cards, catalog, evals, receipts, stream, words

urlpatterns: list[URLPattern] = [
    path("", accounts.home, name="home"),
    path("ask/", ask.ask, name="ask"),
    path("ask/complete/", ask.complete, name="complete"),
    path("sign-in/", accounts.sign_in, name="sign-in"),
    path("sign-in/demo/", accounts.sign_in_demo, name="sign-in-demo"),
    path("sign-out/", accounts.sign_out, name="sign-out"),
    path("workspace/", accounts.choose_workspace, name="workspace"),
    path("theme/", accounts.choose_theme, name="theme"),
    path("conversations/<str:session_id>/", ask.conversation, name="conversation"),
    path("runs/<str:run_id>/", ask.run, name="run"),
    path("runs/<str:run_id>/events/", stream.events, name="events"),
    path("runs/<str:run_id>/choose/", ask.choose, name="choose"),
    path("runs/<str:run_id>/cancel/", ask.cancel, name="cancel"),
    path("runs/<str:run_id>/result.csv", receipts.result_file, name="result-file"),
    path("runs/<str:run_id>/receipt/", receipts.receipt, name="receipt"),
    path("runs/<str:run_id>/receipt.json", receipts.receipt_file, name="receipt-file"),
    path("access/", access.access, name="access"),
    path("access/waiting/", access.waiting, name="access-waiting"),
    path("access/requests/<int:request_id>/decide/", access.decide, name="access-decide"),
    path("audit/", receipts.audit, name="audit"),
    path("catalog/", catalog.catalog, name="catalog"),
    path("catalog/metrics/<str:name>/", catalog.metric, name="metric"),
    path("catalog/dimensions/<str:name>/", catalog.dimension, name="dimension"),
    path("cards/", cards.card_list, name="cards"),
    path("cards/proposals/<int:proposal_id>/", cards.proposal, name="proposal"),
    path("cards/proposals/<int:proposal_id>/publish/", cards.publish, name="proposal-publish"),
    path("cards/proposals/<int:proposal_id>/reject/", cards.reject, name="proposal-reject"),
    path("cards/<str:table>/", cards.card, name="card"),
    path("cards/<str:table>/versions/<int:version>/", cards.card, name="card-version"),
    path("cards/<str:table>/edit/<str:slot>/", cards.edit, name="card-edit"),
    path("words/", words.words, name="words"),
    path("words/teach/", words.teach, name="word-teach"),
    path("words/proposals/<int:proposal_id>/", words.proposal, name="word-proposal"),
    path("words/proposals/<int:proposal_id>/publish/", words.publish, name="word-publish"),
    path("words/proposals/<int:proposal_id>/reject/", words.reject, name="word-reject"),
    path("words/proposals/<int:proposal_id>/withdraw/", words.withdraw, name="word-withdraw"),
    path("evals/", evals.evals_list, name="evals"),
    path("evals/<str:suite>/start/", evals.start, name="eval-start"),
    path("evals/runs/<str:run_id>/", evals.eval_run, name="eval-run"),
    path("evals/runs/<str:run_id>/cases/<str:case_id>/", evals.eval_case, name="eval-case"),
]

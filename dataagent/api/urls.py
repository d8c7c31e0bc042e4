"""Addresses of the API."""

from __future__ import annotations

from django.urls import URLPattern, path
from drf_spectacular.views import SpectacularAPIView

from dataagent.api import access, audit, cards, catalog, conversations, me, operating, problems, runs, tokens, words

urlpatterns: list[URLPattern] = [
    path("token", tokens.sign_in, name="api-token"),
    path("token/revoke", tokens.sign_out, name="api-token-revoke"),
    path("me", me.me, name="api-me"),
    path("runs", runs.ask, name="api-runs"),
    path("runs/<str:run_id>", runs.read, name="api-run"),
    path("runs/<str:run_id>/events", runs.events, name="api-run-events"),
    path("runs/<str:run_id>/stream", runs.stream, name="api-run-stream"),
    path("runs/<str:run_id>/cancel", runs.cancel, name="api-run-cancel"),
    path("runs/<str:run_id>/choose", runs.choose, name="api-run-choose"),
    path("runs/<str:run_id>/receipt", runs.receipt, name="api-run-receipt"),
    path("runs/<str:run_id>/result.csv", runs.result_file, name="api-run-result"),
    path("runs/<str:run_id>/audiences", runs.audiences, name="api-run-audiences"),
    path("conversations", conversations.conversations, name="api-conversations"),
    path("conversations/<str:session_id>", conversations.conversation, name="api-conversation"),
    path("complete", runs.complete, name="api-complete"),
    path("catalog/search", catalog.search, name="api-catalog-search"),
    path("catalog/metrics/<str:name>", catalog.metric, name="api-metric"),
    path("catalog/metrics/<str:name>/explanation", catalog.explanation, name="api-metric-explanation"),
    path("catalog/dimensions/<str:name>", catalog.dimension, name="api-dimension"),
    path("cards", cards.cards, name="api-cards"),
    path("cards/<str:table>", cards.card, name="api-card"),
    path("cards/<str:table>/versions/<str:version>", cards.version, name="api-card-version"),
    path("cards/<str:table>/proposals", cards.propose, name="api-card-propose"),
    path("proposals", cards.proposals, name="api-proposals"),
    path("proposals/<str:proposal_id>", cards.proposal, name="api-proposal"),
    path("proposals/<str:proposal_id>/publish", cards.publish, name="api-proposal-publish"),
    path("proposals/<str:proposal_id>/reject", cards.reject, name="api-proposal-reject"),
    path("words/open", words.open_words, name="api-words"),
    path("words/meant", words.meant, name="api-words-meant"),
    path("words/proposals", words.proposals, name="api-word-proposals"),
    path("words/propose", words.propose, name="api-word-propose"),
    path("words/proposals/<str:proposal_id>", words.proposal, name="api-word-proposal"),
    path("words/proposals/<str:proposal_id>/publish", words.publish, name="api-word-publish"),
    path("words/proposals/<str:proposal_id>/reject", words.reject, name="api-word-reject"),
    path("words/proposals/<str:proposal_id>/withdraw", words.withdraw, name="api-word-withdraw"),
    path("access/own", access.own, name="api-access-own"),
    path("access/request", access.ask, name="api-access-request"),
    path("access/as", access.preview, name="api-access-as"),
    path("access/waiting", access.waiting, name="api-access-waiting"),
    path("access/requests/<str:request_id>/decide", access.decide, name="api-access-decide"),
    path("operate/runs", operating.runs, name="api-operate-runs"),
    path("operate/act", operating.act, name="api-operate-act"),
    path("audit/entries", audit.entries, name="api-audit-entries"),
    path("audit/verify", audit.verify, name="api-audit-verify"),
    path("schema", SpectacularAPIView.as_view(), name="api-schema"),
    path("<path:rest>", problems.nowhere, name="api-nowhere"),
]

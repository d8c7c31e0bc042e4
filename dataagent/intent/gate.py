"""Wishes that are refused before anything is parsed.

The real protection is that a plan cannot express a write and that every read is
scoped; the gate only gives such wishes a plain answer of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Gated:
    """A refusal: its code and what to tell the person."""

    code: str
    message: str


_Rules = tuple[tuple[str, tuple[str, ...], str], ...]

_RULES: _Rules = (
    (
        "injection",
        (
            (
                r"""['\"]?\s*;\s*(?:--|(?:select\s+.+\s+from\s|delete\s+from\s|insert\s+into\s|drop\s+table|"""
                r"update\s+\w+\s+set\s|union\s+(?:all\s+)?select|truncate\s+table|alter\s+table|grant\s+\w+\s+on)|"
                r"(?:delete|drop|truncate|remove|erase|wipe|destroy|purge|update|overwrite|alter|insert|modify|"
                r"rename)\b)"
            ),
            r"--\s*$",
            r"/\*.*\*/",
            r"\bor\s+1\s*=\s*1\b",
        ),
        "The question carries database commands after it. Nothing of it was run. Ask the question alone.",
    ),
    (
        "injection",
        (
            (
                r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:all\s+|any\s+|the\s+|your\s+|my\s+|"
                r"previous\s+|prior\s+|these\s+)*(?:instructions?|rules?|polic(?:y|ies)|prompts?|restrictions?|"
                r"guardrails?|permissions?|filters?\s+and|security)"
            ),
            r"\byou are now\b",
            r"\bpretend (?:to be|you are|that you)\b",
            r"\bact as (?:an? )?(?:admin|root|system|developer|dba)",
            r"\b(?:admin|root|developer|debug|god|sudo) mode\b",
            r"\bsystem prompt\b",
            r"\bjailbreak\b",
            r"\bnew instructions\b",
            r"\bas (?:an? )?(?:admin|administrator|root|superuser)\b",
        ),
        "Instructions inside a question change nothing here: what you may see is decided by your role.",
    ),
    (
        "secrets",
        (
            (
                r"^(?!.*\b(?:reset|change|forgot|forgotten)\b).*\b(?:connection strings?|passwords?|credentials?|"
                r"api keys?|secret keys?|access tokens?|private keys?|service account|env(?:ironment)? variables?|"
                r"\.env|signing keys?|encryption keys?)\b"
            ),
        ),
        "Connection details and secrets are never shown.",
    ),
    (
        "pii",
        (
            r"\be-?mail addresses\b",
            r"\be-?mails? of\b",
            r"\bnames?(?:,| and|, and) (?:e-?mail|phone|address)",
            r"\b(?:phone|mobile|telephone) numbers?\b",
            r"\b(?:home|postal|street|billing|shipping) address(?:es)?\b",
            r"\bsocial security\b",
            r"\bdates? of birth\b",
            r"\bbirthdays?\b",
            r"\bcredit card numbers?\b",
            r"\bpassport\b",
            r"\bpersonal (?:data|details|information) of\b",
            r"\b(?:customers?|clients?|users?)(?:'s?)? e-?mails?\b",
        ),
        "Personal data is not listed. Counts and groups without names can be shown.",
    ),
    (
        "raw_sql",
        (
            r"\b(?:run|execute|exec)\b.{0,30}\bsql\b",
            (
                r"^\s*(?:(?:select\s+.+\s+from\s|delete\s+from\s|insert\s+into\s|drop\s+table|"
                r"update\s+\w+\s+set\s|union\s+(?:all\s+)?select|truncate\s+table|alter\s+table|grant\s+\w+\s+on))"
            ),
            (
                r"\b(?:select\s+.+\s+from\s|delete\s+from\s|insert\s+into\s|drop\s+table|update\s+\w+\s+set\s|"
                r"union\s+(?:all\s+)?select|truncate\s+table|alter\s+table|grant\s+\w+\s+on)"
            ),
        ),
        "SQL is not run from a question. Ask in words, or use the metrics that the catalog lists.",
    ),
    (
        "destructive",
        (
            (
                r"^\W*(?:please\s+|can you\s+|could you\s+)?(?:delete|drop(?![\s-]*offs?\b)|truncate|remove|erase|"
                r"wipe|destroy|"
                r"purge|update|overwrite|alter|insert|modify|rename)\b(?!.*\b(?:filter|breakdown|grouping|"
                r"limit)s?\b).*\b(?:all|every|orders?|customers?|(?:table|tables|row|rows|record|records|database|"
                r"data|schema|column|columns|index|view|views))\b"
            ),
            (
                r"\b(?:delete|drop|truncate|remove|erase|wipe|destroy|purge|update|overwrite|alter|insert|modify|"
                r"rename)\s+(?:all|every|the)\s+(?:\w+\s+){0,2}(?:table|tables|row|rows|record|records|database|"
                r"data|schema|column|columns|index|view|views)\b"
            ),
            r"^\W*(?:please\s+)?(?:set|change|cancel|refund|close|create|add)\s+(?:all|every)\b",
        ),
        "Nothing can be changed from here: questions only read.",
    ),
    (
        "policy_probe",
        (
            r"\b(?:not|n't|never)\s+(?:allowed|permitted|authori[sz]ed|supposed|entitled)\b",
            (
                r"\b(?:hidden|restricted|forbidden|secret|masked|protected)\s+(?:rows?|values?|regions?|data|"
                r"metrics?|columns?|fields?|customers?|tables?)\b"
            ),
            r"\bwithout (?:the )?(?:row )?(?:filters?|restrictions?|masking|permissions?|security)\b",
            r"\bunmask(?:ed)?\b",
            r"\bwhat am i not\b",
            r"\bbeyond my (?:access|permission)",
        ),
        "What lies outside your access is not shown, and not hinted at. Ask about what you may see.",
    ),
    (
        "admin_request",
        (
            r"\b(?:give|grant|get)\s+(?:me|us|him|her|them)\s+(?:\w+\s+)?(?:access|permissions?|rights?)\b",
            r"\bgrant access\b",
            r"\b(?:change|raise|upgrade) my (?:role|permissions?|access)\b",
            r"\bmake me (?:an? )?(?:admin|owner)\b",
        ),
        "Access is given by the owner of the data, not by a question. Ask the owner or an administrator.",
    ),
    (
        "unsupported_action",
        (
            (
                r"\b(?:email|e-mail|mail|send|slack|text|message|notify|alert|remind|ping)\s+(?:it\s+|this\s+|"
                r"that\s+|them\s+|a report\s+|the report\s+|the results?\s+)?(?:me\b|us\b|to\b|him\b|her\b|"
                r"everyone\b)"
            ),
            r"\bset up (?:an?|the|some)\b",
            r"\bschedule (?:an?|the|this|it)\b",
            r"\bsubscribe me\b",
            r"\b(?:book|buy|pay|post|publish|upload)\s+(?:a|an|this|it|the)\b",
            (
                r"(?<!per )(?<!each )(?<!every )(?<!by )(?<!of )\border\s+(?:a|an|this|it|the)\b"
                r"(?!\s+(?:\w+\s+){1,2}(?:by|from)\b)"
            ),
            r"\bsave (?:this|it) (?:to|as|in)\b",
            r"\bcreate an? (?:alert|dashboard|report|table|ticket)\b",
        ),
        "That is an action and not a question. Here only questions are answered.",
    ),
    (
        "bulk",
        (
            (
                r"^\W*(?:please\s+)?(?:show|give|list|export|dump|download|get|print|tell)\s+(?:me\s+|"
                r"us\s+)?(?:absolutely\s+)?(?:everything|all (?:the |your |our )?(?:data|tables|rows|records)|"
                r"the (?:whole|entire|full) (?:database|table|dataset|warehouse))"
            ),
            r"\bdump (?:the|all|everything)\b",
            r"\bevery (?:single )?(?:row|record)\b",
        ),
        "Everything at once is not shown. Name a metric, and by what to break it down.",
    ),
)

_STOPS: _Rules = (
    (
        "what_if",
        (
            r"\bwhat (?:would|will|could|might) happen\b",
            r"\bwhat if\b",
            (
                r"\bif we (?:had|raised?|lower(?:ed)?|increased?|decreased?|cut|doubled?|stopped|changed?|dropped|"
                r"reduced?|added?|remove[d]?|were)\b"
            ),
            r"\bsuppose\b",
            r"\bassuming\b",
            r"\bhypothetical",
        ),
        "What would happen cannot be read from data. The past can be shown.",
    ),
    (
        "advice",
        (
            r"(?<!who )(?<!whom )\bshould (?:we|i|our|they)\b",
            r"\bwhat can (?:we|i) do to\b",
            (
                r"\bhow (?:can|could|do|would) (?:we|i) (?:increase|improve|reduce|grow|boost|raise|lower|fix|"
                r"get more|cut|avoid|prevent)\b"
            ),
            r"\brecommend(?:ation|ed|s)?\b",
            r"\bsuggest (?:how|what|ways)\b",
            r"\badvi[cs]e\b",
            r"\bbest way to\b",
            r"\bis it (?:worth|a good idea)\b",
        ),
        "Advice is not given. Figures that help to decide can be shown.",
    ),
    (
        "forecast",
        (
            (
                r"\b(?:predict|predicted|prediction|predictions|forecast|forecasted|forecasts|forecasting|"
                r"projection|projections|projected|extrapolate|going to be|are we going to|on track to)\b"
            ),
            r"\bwhat will\b",
            r"\bhow (?:many|much)\b.*\bwill\b",
            r"\bwill (?:we|our|the|there|it)\b",
            r"\bexpect(?:ed)? (?:to|next|for next|in the)\b",
        ),
        "The future is not in the data, and no forecast is made.",
    ),
    (
        "unsupported",
        (
            r"\b(?:detect|find|spot|identify|show|any) (?:the |any )?(?:anomal(?:y|ies)|outliers?)\b",
            r"\banomal(?:y|ies)\b",
            r"\bcluster(?:ing)?\b",
            r"\bregress(?:ion)?\b",
            r"\bsentiment\b",
            r"\btranslate\b",
            r"\bsummari[sz]e\b",
        ),
        "That kind of analysis is not available.",
    ),
)


def _compiled(rules: _Rules) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """Each rule's alternatives as one pattern."""
    return tuple(
        (code, re.compile("|".join(f"(?:{p})" for p in patterns), re.IGNORECASE | re.DOTALL), message)
        for code, patterns, message in rules
    )


_COMPILED = _compiled(_RULES)
_STOPPED = _compiled(_STOPS)


def refused(question: str) -> Gated | None:
    """The refusal for a wish that no policy could allow, or None."""
    return _first(_COMPILED, question)


def stopped(question: str) -> Gated | None:
    """The reason why a wish is outside of what data can answer, or None."""
    return _first(_STOPPED, question)


def _first(rules: tuple[tuple[str, re.Pattern[str], str], ...], question: str) -> Gated | None:
    for code, pattern, message in rules:
        if pattern.search(question):
            return Gated(code=code, message=message)
    return None

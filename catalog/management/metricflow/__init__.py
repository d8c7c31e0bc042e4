"""Runs typed metric queries beside independent check queries, and compares what comes back."""

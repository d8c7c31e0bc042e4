"""Queries that nobody wrote, compiled by us and by MetricFlow, run on the same tables, and their rows compared."""

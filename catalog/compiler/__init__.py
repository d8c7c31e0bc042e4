"""QuerySpec → SQL tree → CompiledQuery: a step per file."""

from catalog.compiler.query import compile_query

__all__ = ["compile_query"]

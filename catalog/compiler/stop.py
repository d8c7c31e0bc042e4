"""How a step of the compiler ends early; only `compile_query` catches it and returns the issues."""

from __future__ import annotations

from catalog.issues import Issue, IssueCode


class CannotCompile(Exception):
    """Carries the reasons out of the compiler's depth."""

    def __init__(self, *issues: Issue) -> None:
        super().__init__(*(i.message for i in issues))
        self.issues = issues


def stop(code: IssueCode, message: str, *, subject: str = "", choices: tuple[str, ...] = ()) -> CannotCompile:
    """The exception for one reason."""
    return CannotCompile(Issue(code=code, message=message, subject=subject, choices=choices))

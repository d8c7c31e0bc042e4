"""Policy as a file: one YAML document per workspace, checked on the way in.

A table, column, metric or capability that no role of the principal lists does
not exist for it.  `deny_*` lists win over every grant of every role.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from catalog.access import MaskKind
from catalog.importers.yaml_bounds import check_bounds
from dataagent.policy.principal import Capability


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class MaskRule(_Strict):
    """A mask on one column.  `argument`: kept characters, bucket width or the constant."""

    column: str
    kind: MaskKind
    argument: str = ""

    @field_validator("argument", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


class FilterRule(_Strict):
    """The rows that may be seen: SQL over the table's own columns; `:name` is a principal attribute."""

    id: str
    predicate: str = Field(min_length=1)
    label: str

    def attributes(self) -> tuple[str, ...]:
        """Names of the principal attributes that the predicate needs, in order of first use."""
        return tuple(dict.fromkeys(_ATTRIBUTE.findall(_without_literals(self.predicate))))


class GroupRule(_Strict):
    """Columns whose values are seen only where `at_least` rows, or as many different `of`, share all of them."""

    columns: tuple[str, ...] = Field(min_length=1)
    at_least: int = Field(ge=2)
    of: str = ""


class TableGrant(_Strict):
    """What a role may see of one table."""

    columns: Literal["*"] | tuple[str, ...] = "*"
    except_: tuple[str, ...] = Field(default=(), alias="except")
    row_filter: FilterRule | None = None
    masks: tuple[MaskRule, ...] = ()
    minimum_group: GroupRule | None = None


class MetricGrant(_Strict):
    """The metrics a role may use; `deny` wins over every role's `allow`."""

    allow: Literal["*"] | tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


class Role(_Strict):
    """What comes with a role.  `engine_role`: the PostgreSQL role that is taken for queries of whoever holds it."""

    capabilities: tuple[Capability, ...] = ()
    deny_capabilities: tuple[Capability, ...] = ()
    metrics: MetricGrant = MetricGrant()
    tables: dict[str, TableGrant] = {}
    deny_tables: tuple[str, ...] = ()
    engine_role: str = ""


class PolicyDocument(_Strict):
    """One version of a workspace's policy."""

    version: str
    roles: dict[str, Role]

    def digest(self) -> str:
        """SHA-256 of the canonical JSON: the same policy has the same digest however it was written."""
        text = json.dumps(self.model_dump(mode="json", by_alias=True), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def label(self) -> str:
        """The version as receipts show it: what the owner called it and what it contains."""
        return f"{self.version}@{self.digest()[:12]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyIssue:
    """One fault of a policy file; `line` is 1-based, 0 where the file as a whole is meant."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


class PolicyError(Exception):
    """A policy file that cannot be used.  `issues` say where and why."""

    def __init__(self, issues: tuple[PolicyIssue, ...]) -> None:
        super().__init__("\n".join(str(i) for i in issues))
        self.issues = issues


def parse_policy(text: str, *, file: str) -> PolicyDocument:
    """The document in `text`.

    Raises: PolicyError with file and line of everything that is wrong.
    """
    try:
        check_bounds(text)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        data = yaml.safe_load(text)
    except yaml.YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 0
        raise PolicyError((PolicyIssue(file=file, line=line, message="This is not valid YAML."),)) from None
    repeated = tuple(PolicyIssue(file=file, line=n, message=f"{k} is given twice.") for k, n in _repeated(node))
    if repeated:
        raise PolicyError(repeated)
    try:
        return PolicyDocument.model_validate(data)
    except ValidationError as fault:
        raise PolicyError(tuple(_issue(file, node, error) for error in fault.errors())) from None


def _issue(file: str, node: yaml.Node | None, error: Any) -> PolicyIssue:
    place = ".".join(str(part) for part in error["loc"] if not str(part).startswith(("literal", "tuple")))
    words = f"{place}: {error['msg']}" if place else str(error["msg"])
    return PolicyIssue(file=file, line=_line_of(node, error["loc"]), message=words)


def _line_of(node: yaml.Node | None, path: tuple[int | str, ...]) -> int:
    """The line of the deepest part of `path` that exists in the file."""
    line = node.start_mark.line + 1 if node is not None else 0
    for part in path:
        step = _step(node, part)
        if step is None:
            continue
        line, node = step
    return line


def _step(node: yaml.Node | None, part: int | str) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(part):
                return key.start_mark.line + 1, value
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part].start_mark.line + 1, node.value[part]
    return None


def _repeated(node: yaml.Node | None) -> list[tuple[str, int]]:
    """Keys that occur twice in one mapping: YAML would silently keep the last."""
    found: list[tuple[str, int]] = []
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                found.append((key.value, key.start_mark.line + 1))
            seen.add(key.value)
            found += _repeated(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            found += _repeated(item)
    return found


_ATTRIBUTE = re.compile(r"(?<!:):([A-Za-z_][A-Za-z0-9_]*)")
_LITERAL = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")


def _without_literals(predicate: str) -> str:
    return _LITERAL.sub(" ", predicate)

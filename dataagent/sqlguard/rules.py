"""The guard's rules, in order, as data.  Each takes the draft and hands on the next one, or stops it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from dataagent.sqlguard import lexical, limits, nodes
from dataagent.sqlguard.columns import ColumnRules
from dataagent.sqlguard.inject import RESERVED, injection
from dataagent.sqlguard.refusals import Reason, Stop
from dataagent.sqlguard.resolve import Resolver
from dataagent.sqlguard.verify import verified
from dataagent.sqlguard.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A statement on its way through the rules: text, then tree, then text again.

    `given` and `wanted` are names of parameters: no value takes part in a decision.
    """

    sql: str
    world: World
    given: frozenset[str]
    max_rows: int
    tree: exp.Expr | None = None
    used: tuple[tuple[str, str], ...] = ()
    named: frozenset[str] = frozenset()
    starred: bool = False
    wanted: frozenset[str] = frozenset()

    def parsed(self) -> exp.Expr:
        """The tree.  Raises: Stop where there is none, so that a rule out of order fails closed."""
        if self.tree is None:
            raise Stop(Reason.SYNTAX)
        return self.tree


def lexical_gate(draft: Draft) -> Draft:
    """Sizes, characters, comments and semicolons, before any parser sees the text."""
    return replace(draft, sql=lexical.clean(draft.sql))


def parse(draft: Draft) -> Draft:
    """One statement in the target dialect."""
    try:
        trees = sqlglot.parse(draft.sql, read=draft.world.dialect)
    except (SqlglotError, ValueError, TypeError, AttributeError, IndexError, KeyError):
        raise Stop(Reason.SYNTAX) from None
    if len(trees) != 1 or trees[0] is None:
        raise Stop(Reason.MULTI_STATEMENT if len(trees) > 1 else Reason.SYNTAX)
    return replace(draft, tree=trees[0])


def statement_kind(draft: Draft) -> Draft:
    """A reading query at the root."""
    nodes.check_root(draft.parsed(), draft.world.dialect)
    return draft


def known_syntax(draft: Draft) -> Draft:
    """Only listed kinds of syntax, types and functions, not too deep."""
    nodes.check_size(draft.parsed())
    nodes.check_nodes(draft.parsed(), draft.world.dialect)
    limits.check_named_functions(draft.parsed(), draft.world.dialect)
    return draft


def bounded_growth(draft: Draft) -> Draft:
    """No rows or texts out of nothing beyond the caps."""
    limits.check_made(draft.parsed())
    return draft


def bound_parameters(draft: Draft) -> Draft:
    """Every placeholder has a value."""
    if any(name.startswith(RESERVED) for name in draft.given):
        raise Stop(Reason.PARAMETER)
    if any(p.name not in draft.given for p in draft.parsed().find_all(exp.Placeholder)):
        raise Stop(Reason.PARAMETER)
    return draft


def policy(draft: Draft) -> Draft:
    """Tables by our own scoping, each replaced by what the principal may see of it."""
    rules = ColumnRules(world=draft.world)
    resolver = Resolver(world=draft.world, columns=rules)
    holder = exp.Paren(this=draft.parsed())
    resolver.query(holder.this, None, {})
    resolver.fill(holder)
    return replace(
        draft,
        tree=holder.this.pop(),
        used=resolver.used(),
        named=frozenset(rules.named),
        starred=rules.starred,
    )


def row_bound(draft: Draft) -> Draft:
    """One row more than the cap at most, so that a cut result shows; the order stays as it was asked."""
    tree = draft.parsed()
    if not isinstance(tree, exp.Select | exp.SetOperation):
        return draft
    cap = draft.max_rows + 1
    limit = tree.args.get("limit")
    if limit is None:
        return replace(draft, tree=tree.limit(cap, copy=False))
    plain = isinstance(limit, exp.Limit) and limit.args.get("limit_options") is None
    count = limit.expression if plain else None
    if isinstance(count, exp.Literal) and not count.is_string and count.name.isdigit() and int(count.name) > cap:
        limit.set("expression", exp.Literal.number(cap))
    return draft


def regenerated(draft: Draft) -> Draft:
    """The text that will run, read again and compared with what was decided."""
    wanted = frozenset(p.name for p in draft.parsed().find_all(exp.Placeholder))
    sql = verified(draft.parsed(), draft.world, draft.used)
    injected = {p.name for key in draft.used for p in injection(draft.world, key).parameters}
    if not wanted <= draft.given | injected:
        raise Stop(Reason.PARAMETER)
    return replace(draft, sql=sql, wanted=wanted, tree=None)


RULES: tuple[tuple[str, Callable[[Draft], Draft]], ...] = (
    ("lexical_gate", lexical_gate),
    ("parse", parse),
    ("statement_kind", statement_kind),
    ("known_syntax", known_syntax),
    ("bounded_growth", bounded_growth),
    ("bound_parameters", bound_parameters),
    ("policy", policy),
    ("row_bound", row_bound),
    ("regenerated", regenerated),
)
"""In order: a rule may rely on those before it."""

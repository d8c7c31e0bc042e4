"""Which kinds of syntax may stand in a query: an allow-list, so that anything new or odd is refused."""

from __future__ import annotations

from sqlglot import exp

from dataagent.sqlguard.functions import is_allowed_class, refused_function
from dataagent.sqlguard.refusals import Reason, Stop

ROOTS = (exp.Select, exp.SetOperation, exp.Subquery, exp.Values)
DUCKDB_ROOTS = (*ROOTS, exp.Pivot)
MAX_TREE_DEPTH = 400
MAX_TABLES = 120

_STRUCTURE = {
    "Add", "Alias", "All", "Any", "AtTimeZone", "Between", "BitString", "BitwiseAnd", "BitwiseLeftShift", "BitwiseNot",
    "BitwiseOr", "BitwiseRightShift", "BitwiseXor", "Boolean", "Bracket", "CTE", "Column", "ColumnDef", "Cube", "DPipe",
    "DataType", "DataTypeParam", "Distance", "Distinct", "Div", "EQ", "Escape", "Except", "Fetch", "Filter", "From",
    "GT", "GTE", "Group", "GroupingSets", "Having", "HexString", "ILike", "Identifier", "IgnoreNulls", "In", "IntDiv",
    "Intersect", "Interval", "Is", "JSONColumnDef", "JSONKeyValue", "JSONPath", "JSONPathKey", "JSONPathRoot",
    "JSONPathSubscript", "JSONPathWildcard", "JSONSchema", "Join", "Kwarg", "LT", "LTE", "Lambda", "Lateral", "Like",
    "Limit", "LimitOptions", "Literal", "Mod", "Mul", "NEQ", "Neg", "Not", "Null", "NullSafeEQ", "NullSafeNEQ",
    "Offset", "Order", "Ordered", "Overlaps", "Paren", "Placeholder", "PropertyEQ", "Qualify", "RecursiveWithSearch",
    "RespectNulls", "Rollup", "Select", "SimilarTo", "Slice", "Star", "Sub", "Subquery", "Table", "TableAlias",
    "Tuple", "Union", "Values", "Var", "Where", "Window", "WindowSpec", "With", "WithinGroup", "IntervalSpan",
    "ArrayContainsAll", "ArrayContainedBy", "ArrayOverlaps", "Adjacent", "RawString",
}  # fmt: skip
_BY_DIALECT = {
    "duckdb": {"Columns", "Comprehension", "Dot", "Glob", "Pivot", "PivotAlias", "TableSample", "UnpivotColumns"},
    "postgres": {"TableSample"},
}
_STRUCTURES = {dialect: frozenset(_STRUCTURE | extra) for dialect, extra in _BY_DIALECT.items()}

_TYPES = {
    exp.DType[name]
    for name in (  # noqa: SIM905 (a table of words reads better)
        "ARRAY BIGINT BINARY BIT BLOB BOOLEAN BPCHAR CHAR DATE DATETIME DECIMAL DOUBLE FLOAT INET INT INT128 INTERVAL "
        "INT4RANGE INT8RANGE JSON JSONB LIST MAP NUMRANGE NVARCHAR SMALLINT STRUCT TEXT TIME TIMESTAMP TIMESTAMPLTZ "
        "TIMESTAMPNTZ TIMESTAMPTZ TIMESTAMP_MS TIMESTAMP_NS TIMESTAMP_S TIMETZ TINYINT TSRANGE TSTZRANGE DATERANGE "
        "UBIGINT UINT UINT128 USMALLINT UTINYINT UUID VARBINARY VARCHAR NAME"
    ).split()
}
_REASONS = {
    "Insert": Reason.WRITE, "Update": Reason.WRITE, "Delete": Reason.WRITE, "Merge": Reason.WRITE,
    "Into": Reason.SELECT_INTO, "Operator": Reason.OPERATOR, "Parameter": Reason.PARAMETER,
    "SessionParameter": Reason.PARAMETER, "PositionalColumn": Reason.POSITION, "ObjectIdentifier": Reason.REG_CAST,
    "PseudoType": Reason.TYPE, "Dot": Reason.COLUMN, "HistoricalData": Reason.UNSUPPORTED,
    "Version": Reason.UNSUPPORTED,
    "Describe": Reason.CATALOG, "Show": Reason.CATALOG, "Summarize": Reason.CATALOG,
}  # fmt: skip


def check_root(tree: exp.Expr, dialect: str) -> None:
    """Stops everything that is not a reading query.  "Not a Command" is never the test."""
    if not isinstance(tree, DUCKDB_ROOTS if dialect == "duckdb" else ROOTS):
        raise Stop(Reason.STATEMENT_KIND)


def check_nodes(tree: exp.Expr, dialect: str) -> None:
    """Stops any node whose kind is not on the list, types and functions included."""
    allowed = _STRUCTURES[dialect]
    for node in tree.walk():
        name = type(node).__name__
        if name in allowed:
            if name == "DataType":
                _check_type(node)
            continue
        if isinstance(node, exp.Func):
            if not is_allowed_class(node, dialect):
                raise Stop(refused_function(node))
            continue
        raise Stop(_REASONS.get(name, Reason.UNSUPPORTED))


def check_size(tree: exp.Expr) -> None:
    """Stops trees with too many table references, and those that later steps would recurse into too deeply."""
    if sum(1 for _ in tree.find_all(exp.Table)) > MAX_TABLES:
        raise Stop(Reason.PARSE_LIMIT)
    level = [tree]
    for _ in range(MAX_TREE_DEPTH):
        level = [child for node in level for child in node.iter_expressions()]
        if not level:
            return
    raise Stop(Reason.PARSE_LIMIT)


def _check_type(node: exp.Expr) -> None:
    """Stops user types (a cast to one runs its input function) and everything unknown."""
    if node.this not in _TYPES:
        raise Stop(Reason.TYPE)

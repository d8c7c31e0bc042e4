"""Queries made at random from a grammar: mostly honest, with something hidden or dangerous here and there."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

COLUMNS = {
    "people": ("id", "firm", "name", "email", "phone", "code", "city", "boss", "joined", "tags"),
    "sales": ("id", "firm", "person", "city", "state", "amount", "sold", "parts"),
    "goods": ("id", "title", "price", "kind"),
    "pay": ("person", "firm", "wage"),
    "tokens": ("id", "token"),
    "everyone": ("id", "name", "email", "code"),
    '"Odd Name"': ('"Item No"', "firm", '"from"', '"größe"'),
}
_WEIGHTS = (8, 8, 5, 1, 1, 1, 3)
_NUMBERS = {"id", "firm", "boss", "person", "amount", "price", "wage", '"Item No"', '"größe"'}
_DANGER = {
    "duckdb": (
        "getenv('HOME')", "current_setting('temp_directory')", "nextval('tally')", "(SELECT max(content) FROM"
        " read_text('{file}'))", "current_query()", "(FROM query('FROM pay SELECT max(wage)'))", "version()",
        "getvariable('x')", "write_log('x')", "list_aggregate([1], 'query')", "stats(id)", "rowid",
    ),
    "postgres": (
        "pg_read_file('{file}')", "current_setting('data_directory')", "nextval('tally')", "current_query()",
        "query_to_xml('select wage from pay', true, true, '')", "pg_sleep(0)", "set_config('a.b', 'c', false)",
        "'pay'::regclass", "lastval()", "pg_advisory_lock(1)", "version()", "xmin", "ctid", "lo_creat(-1)",
    ),
}  # fmt: skip
_DANGEROUS_SOURCES = {
    "duckdb": ("read_text('{file}')", "'{file}'", "glob('*')", "duckdb_tables()", "query_table('pay')",
               "information_schema.tables", "sqlite_master", "pragma_table_info('pay')", "read_blob('{file}')"),
    "postgres": ("pg_ls_dir('.')", "pg_class", "information_schema.tables", "pg_stats", "pg_settings",
                 "ONLY pay", "tally", "pg_catalog.pg_authid"),
}  # fmt: skip


@dataclass(slots=True)
class Grammar:
    """One source of statements for one engine."""

    dialect: str
    random: Random
    made: int = 0

    def statement(self) -> str:
        """One statement, a little under a handful of levels deep."""
        with_ = self._ctes() if self._one_in(4) else ""
        return with_ + self._set_operation(2)

    def _ctes(self) -> str:
        name = self.random.choice(["w", "goods", "pay", "people"])
        return f"WITH {name} AS ({self._select(1)[0]}) "

    def _set_operation(self, depth: int) -> str:
        query, width = self._select(depth)
        if self._one_in(6) and width == 1:
            word = self.random.choice(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])
            query = f"({query}) {word} ({self._select(depth - 1, width=1)[0]})"
        return query

    def _select(self, depth: int, width: int = 0) -> tuple[str, int]:
        sources, columns = self._sources(depth)
        if not width and self._one_in(6):
            star = self.random.choice([a for a, _ in columns]) + ".*" if self._one_in(2) else "*"
            items, width = star + self._star_suffix(star), 9
            grouped = ""
        elif self._one_in(3):
            key = self._expression(columns, depth - 1)
            aggregates = [self._aggregate(columns) for _ in range((width or self.random.randint(1, 2)) - 1)]
            items = ", ".join([key, *(f"{a} AS a{n}" for n, a in enumerate(aggregates))])
            width, grouped = 1 + len(aggregates), f" GROUP BY {self.random.choice([key, '1'])}"
            if self._one_in(3):
                grouped += f" HAVING {self._aggregate(columns)} IS NOT NULL"
        else:
            width = width or self.random.randint(1, 3)
            items = ", ".join(f"{self._expression(columns, depth - 1)} AS c{n}" for n in range(width))
            grouped = ""
        distinct = "DISTINCT " if self._one_in(8) else ""
        where = f" WHERE {self._condition(columns, depth - 1)}" if self._one_in(2) else ""
        order = f" ORDER BY {self._expression(columns, 0)}" if not grouped and not distinct and self._one_in(5) else ""
        return f"SELECT {distinct}{items} FROM {sources}{where}{grouped}{order}", width

    def _star_suffix(self, star: str) -> str:
        if self.dialect != "duckdb" or not self._one_in(4):
            return ""
        return self.random.choice([" EXCLUDE (id)", " REPLACE (1 AS id)", " EXCLUDE (code)", " REPLACE (code AS name)"])

    def _sources(self, depth: int) -> tuple[str, list[tuple[str, str]]]:
        first, columns = self._source(depth)
        if depth <= 0 or not self._one_in(3):
            return first, columns
        second, more = self._source(depth - 1)
        join = self.random.choice(["JOIN", "LEFT JOIN", "CROSS JOIN", "FULL JOIN", ", LATERAL"])
        if join == "CROSS JOIN":
            return f"{first} CROSS JOIN {second}", columns + more
        if join == ", LATERAL":
            name = self._name()
            inner = f"(SELECT {self._column(columns)} AS x{name})"
            return f"{first}, LATERAL {inner} {name}", [*columns, (name, f"x{name}")]
        on = f"{self._column(columns)} = {self._column(more)}" if self._one_in(4) else self._number_join(columns, more)
        return f"{first} {join} {second} ON {on}", columns + more

    def _number_join(self, one: list[tuple[str, str]], other: list[tuple[str, str]]) -> str:
        return f"{self._column(one, numbers=True)} = {self._column(other, numbers=True)}"

    def _source(self, depth: int) -> tuple[str, list[tuple[str, str]]]:
        name = self._name()
        if self._one_in(60):
            place = self.random.choice(_DANGEROUS_SOURCES[self.dialect])
            return f"{place} AS {name}", [(name, "id"), (name, "name")]
        if depth > 0 and self._one_in(5):
            query, width = self._select(depth - 1, width=2)
            grouped = " GROUP BY " in query
            return f"({query}) AS {name}", [(name, "a0" if grouped and width > 1 else "c0")]
        table = self.random.choices(list(COLUMNS), _WEIGHTS)[0]
        shown = self.random.choice([table, table, table, f"{self._schema()}.{table}", table.upper()])
        return f"{shown if table[0] != chr(34) else table} AS {name}", [(name, c) for c in COLUMNS[table]]

    def _schema(self) -> str:
        return "main" if self.dialect == "duckdb" else "public"

    def _column(self, columns: list[tuple[str, str]], *, numbers: bool = False) -> str:
        fitting = [c for c in columns if c[1] in _NUMBERS] if numbers else columns
        alias, name = self.random.choice(fitting or columns)
        if name == "code" and not self._one_in(4):
            name = "name"
        return name if self._one_in(8) else f"{alias}.{name}"

    def _expression(self, columns: list[tuple[str, str]], depth: int) -> str:
        column = self._column(columns)
        number = self._column(columns, numbers=True)
        if self._one_in(60):
            return self.random.choice(_DANGER[self.dialect])
        if depth >= 0 and self._one_in(12):
            sources, inner = self._sources(0)
            return f"(SELECT max({self._column(inner)}) FROM {sources} WHERE {self._condition([*inner, *columns], 0)})"
        if self._one_in(25):
            return self.random.choice(columns)[0]
        forms = (
            column, column, column, f"lower(CAST({column} AS VARCHAR))", f"coalesce(CAST({column} AS VARCHAR), 'none')",
            f"{number} + 1", f"substr(CAST({column} AS VARCHAR), 1, {self.random.randint(1, 9)})",
            f"CASE WHEN {self._simple(columns)} THEN 1 ELSE 0 END", f"length(CAST({column} AS VARCHAR))",
            f"CAST({column} AS VARCHAR) || '!'", f"nullif({number}, 2)", f"({column}) IS NULL",
            f"count(*) OVER (PARTITION BY {column})", f"max(CAST({column} AS VARCHAR)) OVER ()",
            f"rank() OVER (ORDER BY {column})", f"1 / nullif({number} - 5, 0)",
        )  # fmt: skip
        return self.random.choice(forms)

    def _aggregate(self, columns: list[tuple[str, str]]) -> str:
        column, number = self._column(columns), self._column(columns, numbers=True)
        forms = (
            "count(*)", f"count({column})", f"count(DISTINCT {column})", f"sum({number})", f"max({number})",
            f"min(CAST({column} AS VARCHAR))", f"max(CAST({column} AS VARCHAR))",
            f"count(*) FILTER (WHERE {self._simple(columns)})",
        )  # fmt: skip
        return self.random.choice(forms)

    def _simple(self, columns: list[tuple[str, str]]) -> str:
        column = self._column(columns)
        forms = (
            f"{self._column(columns, numbers=True)} > {self.random.randint(0, 5)}", f"{column} IS NOT NULL",
            f"CAST({column} AS VARCHAR) LIKE '%{self.random.choice('anobz@.')}%'",
            f"CAST({column} AS VARCHAR) < 'n'", f"1 / ({self._column(columns, numbers=True)} - 5) IS NOT NULL",
        )  # fmt: skip
        return self.random.choice(forms)

    def _condition(self, columns: list[tuple[str, str]], depth: int) -> str:
        one = self._simple(columns)
        if depth > 0 and self._one_in(4):
            sources, inner = self._sources(0)
            return f"{one} AND EXISTS (SELECT 1 FROM {sources} WHERE {self._number_join(inner, columns)})"
        return f"({one} {self.random.choice(['AND', 'OR'])} NOT ({self._simple(columns)}))" if self._one_in(4) else one

    def _name(self) -> str:
        self.made = self.made % 40 + 1
        return f"t{self.made}"

    def _one_in(self, count: int) -> bool:
        return self.random.randrange(count) == 0

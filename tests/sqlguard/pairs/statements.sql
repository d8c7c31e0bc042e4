-- Only reading queries.
-- refuse: statement_kind
DELETE FROM orders;
-- allow
SELECT 'DELETE FROM orders' AS text;

-- A write inside a CTE.
-- refuse: write_in_cte
WITH d AS (DELETE FROM orders RETURNING id) SELECT id FROM d;
-- allow
WITH d AS (SELECT id FROM orders) SELECT id FROM d;

-- A query that stores its result.
-- refuse: select_into
SELECT id INTO copy FROM orders;
-- allow
SELECT id AS into_ FROM orders;

-- SHOW inside FROM parses as a table with an alias.
-- refuse: table_not_available
SELECT * FROM (SHOW orders);
-- allow
SELECT * FROM (FROM orders);

-- Names with invisible letters.
-- refuse: lexical_forbidden
SELECT id​ FROM orders;
-- allow
SELECT 'id​' AS text FROM orders;

-- U& texts are decoded by engines only.
-- refuse: lexical_forbidden
SELECT U&'\0041' AS a;
-- allow
SELECT 'U&' AS a;

-- A number may not run into a name; digit separators are made plain.
-- refuse: sql_syntax
SELECT 1x AS a;
-- allow
SELECT 1_000 AS a;

-- Casts to other types than the listed ones run foreign code.
-- refuse: type_not_allowed
SELECT id::secret_type FROM orders;
-- allow
SELECT id::INTEGER FROM orders;

-- Prefixes in a row exhaust parsers.
-- refuse: parse_limit
SELECT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT NOT TRUE AS a;
-- allow
SELECT NOT NOT TRUE AS a;

-- Time travel is not rewritten.
-- refuse: unsupported_rewrite
SELECT id FROM orders AT (VERSION => 1);
-- allow
SELECT id FROM orders;

-- Type names that call each other double the parser's work at each level.
-- refuse: parse_limit
SELECT date(date(date(date(date(date(date(date('2024-01-01')))))))) AS a;
-- allow
SELECT date(date('2024-01-01')) AS a;

-- So do lists in lists.
-- refuse: parse_limit
SELECT [[[[[[[[[1]]]]]]]]] AS a;
-- allow
SELECT [[[1]]] AS a;

-- A table is reached only by grant, wherever its name stands.
-- refuse: table_not_available
SELECT employee FROM salaries;
-- allow
SELECT title FROM plain;

-- A set operation's second arm is a reference like any other.
-- refuse: table_not_available
SELECT title FROM plain UNION ALL SELECT employee FROM salaries;
-- allow
SELECT title FROM plain UNION ALL SELECT region FROM orders;

-- Sub-queries in any clause.
-- refuse: table_not_available
SELECT id FROM orders ORDER BY (SELECT max(salary) FROM salaries);
-- allow
SELECT id FROM orders ORDER BY (SELECT max(title) FROM plain);

-- Parenthesised joins hang on the table node.
-- refuse: table_not_available
SELECT o.id FROM (orders o CROSS JOIN salaries s);
-- allow
SELECT o.id FROM (orders o CROSS JOIN plain p);

-- A CTE that is never used still runs on some engines.
-- refuse: table_not_available
WITH a AS (SELECT salary FROM salaries) SELECT 1 AS x;
-- allow
WITH a AS (SELECT title FROM plain) SELECT 1 AS x;

-- The body of a plain CTE sees the base table of its own name.
-- refuse: table_not_available
WITH salaries AS (SELECT employee FROM salaries) SELECT employee FROM salaries;
-- allow
WITH salaries AS (SELECT 1 AS employee) SELECT employee FROM salaries;

-- Qualified names never mean a CTE.
-- refuse: table_not_available
WITH salaries AS (SELECT 1 AS x) SELECT x FROM main.salaries;
-- allow
WITH plain AS (SELECT 1 AS x) SELECT title FROM main.plain;

-- A quoted path is a table name to DuckDB.
-- refuse: table_not_available
SELECT * FROM 'secret.csv';
-- allow
SELECT 'secret.csv' AS name FROM plain;

-- DuckDB compares quoted names without case.
-- refuse: table_not_available
SELECT employee FROM "SALARIES";
-- allow
SELECT title FROM "PLAIN";

-- A letter that looks alike is another letter.
-- refuse: table_not_available
SELECT title FROM pIain;
-- allow
SELECT title FROM PLAIN;

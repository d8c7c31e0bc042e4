-- Predicates alone can tell a value.
-- refuse: column_not_available
SELECT id FROM orders WHERE ssn LIKE '1%';
-- allow
SELECT id FROM orders WHERE region LIKE 'E%';

-- An outer reference from an inner scope.
-- refuse: column_not_available
SELECT id FROM orders WHERE EXISTS (SELECT 1 FROM plain WHERE ssn = title);
-- allow
SELECT id FROM orders WHERE EXISTS (SELECT 1 FROM plain WHERE region = title);

-- Text that names columns.
-- refuse: column_not_available
SELECT COLUMNS(['ssn']) FROM orders;
-- allow
SELECT COLUMNS(['region']) FROM orders;

-- Fields of a whole row.
-- refuse: column_not_available
SELECT o['ssn'] FROM orders o;
-- allow
SELECT o['region'] FROM orders o;

-- A whole row in parentheses.
-- refuse: column_not_available
SELECT (o).ssn FROM orders o;
-- allow
SELECT (o).region FROM orders o;

-- Fields of a whole row by position.
-- refuse: positional_ref
SELECT struct_extract(o, 5) FROM orders o;
-- allow
SELECT struct_extract(o, 'region') FROM orders o;

-- Alias lists shift when hidden columns are dropped.
-- refuse: positional_ref
SELECT e FROM (SELECT * FROM orders) AS o(a, b, c, d, e);
-- allow
SELECT a FROM (SELECT * FROM plain) AS p(a, b);

-- USING names a column on both sides.
-- refuse: column_not_available
SELECT a.id FROM orders a JOIN orders b USING (ssn);
-- allow
SELECT a.id FROM orders a JOIN orders b USING (region);

-- Unpivoting reads what it lists.
-- refuse: column_not_available
UNPIVOT orders ON ssn INTO NAME k VALUE v;
-- allow
UNPIVOT orders ON region INTO NAME k VALUE v;

-- Physical row numbers show hidden rows.
-- refuse: column_not_available
SELECT rowid FROM orders;
-- allow
SELECT rowid FROM (SELECT row_number() OVER () AS rowid FROM orders) q;

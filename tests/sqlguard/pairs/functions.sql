-- Text run as SQL.
-- refuse: dynamic_sql
SELECT * FROM query('SELECT 1');
-- allow
SELECT 'SELECT 1' AS query;

-- Files, through any door.
-- refuse: file_access
SELECT * FROM read_text('a');
-- allow
SELECT * FROM range(3);

-- Method calls are calls.
-- refuse: function_not_allowed
SELECT 'HOME'.getenv();
-- allow
SELECT 'HOME'.lower();

-- A schema before a call.
-- refuse: column_not_available
SELECT main.lower('A');
-- allow
SELECT lower('A');

-- Sleep is a clock for attackers.
-- refuse: function_not_allowed
SELECT sleep_ms(10);
-- allow
SELECT now();

-- The rewritten text shows the filters.
-- refuse: function_not_allowed
SELECT current_query();
-- allow
SELECT current_date;

-- Statistics of the base column.
-- refuse: function_not_allowed
SELECT stats(region) FROM orders;
-- allow
SELECT min(region) FROM orders;

-- Repetition has a cap.
-- refuse: resource_limit
SELECT repeat('x', 1000000000);
-- allow
SELECT repeat('x', 10);

-- Series have a cap, together too.
-- refuse: resource_limit
SELECT count(*) FROM range(1000000) a, range(1000000) b;
-- allow
SELECT count(*) FROM range(1000) a, range(1000) b;

-- Functions named in text.
-- refuse: function_not_allowed
SELECT list_aggregate([1], 'getenv');
-- allow
SELECT list_aggregate([1], 'sum');

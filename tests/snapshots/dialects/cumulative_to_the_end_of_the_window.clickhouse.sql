WITH "orders_totals" AS (
  SELECT
    SUM("orders"."amount") AS "revenue_to_date"
  FROM "shop"."orders" AS "orders"
  WHERE
    "orders"."ordered_at" < {p1: Date32}
), "orders_totals_2" AS (
  SELECT
    SUM("orders"."amount") AS "revenue_7d"
  FROM "shop"."orders" AS "orders"
  WHERE
    "orders"."ordered_at" >= {p2: Date32} AND "orders"."ordered_at" < {p3: Date32}
)
SELECT
  "orders_totals"."revenue_to_date" AS "revenue_to_date",
  "orders_totals_2"."revenue_7d" AS "revenue_7d"
FROM "orders_totals"
CROSS JOIN "orders_totals_2"
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'

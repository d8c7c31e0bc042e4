WITH "orders_totals" AS (
  SELECT
    SUM("orders"."amount") AS "revenue",
    COUNT(*) AS "orders"
  FROM "shop"."orders" AS "orders"
  WHERE
    "orders"."ordered_at" >= {p1: Date32} AND "orders"."ordered_at" < {p2: Date32}
), "refunds_totals" AS (
  SELECT
    SUM("refunds"."amount") AS "refunded"
  FROM "shop"."refunds" AS "refunds"
  WHERE
    "refunds"."refunded_at" >= {p3: Date32}
    AND "refunds"."refunded_at" < {p4: Date32}
)
SELECT
  CASE
    WHEN NOT (
      "orders_totals"."revenue" IS NULL
    )
    OR NOT (
      "refunds_totals"."refunded" IS NULL
    )
    THEN COALESCE("orders_totals"."revenue", 0) - COALESCE("refunds_totals"."refunded", 0)
  END AS "net_revenue",
  COALESCE("orders_totals"."orders", 0) AS "orders"
FROM "orders_totals"
CROSS JOIN "refunds_totals"
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'

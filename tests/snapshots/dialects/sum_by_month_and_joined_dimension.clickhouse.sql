WITH "orders_totals" AS (
  SELECT
    CAST(CAST(toStartOfMonth(CAST("orders"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "metric_time__month",
    "stores"."region" AS "region",
    SUM("orders"."amount") AS "revenue"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  LEFT JOIN "shop"."customers" AS "customers"
    ON "orders"."customer_id" = "customers"."customer_id"
  WHERE
    "orders"."ordered_at" >= {p1: Date32}
    AND "orders"."ordered_at" < {p2: Date32}
    AND "customers"."tier" IN ({p3: String}, {p4: String})
  GROUP BY
    1,
    2
)
SELECT
  "orders_totals"."metric_time__month" AS "metric_time__month",
  "orders_totals"."region" AS "region",
  "orders_totals"."revenue" AS "revenue"
FROM "orders_totals"
ORDER BY
  "metric_time__month" ASC,
  "region" ASC
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'

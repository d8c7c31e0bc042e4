WITH "orders_totals" AS (
  SELECT
    CAST(addMonths(
      CAST(toStartOfQuarter(
        CAST(addMonths(
          CAST(toStartOfMonth(CAST("orders"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))),
          -1
        ) AS Nullable(DateTime64(6)))
      ) AS Nullable(DateTime64(6))),
      1
    ) AS Nullable(Date32)) AS "metric_time__quarter",
    SUM("orders"."amount") AS "revenue"
  FROM "shop"."orders" AS "orders"
  GROUP BY
    1
)
SELECT
  "orders_totals"."metric_time__quarter" AS "metric_time__quarter",
  "orders_totals"."revenue" AS "revenue"
FROM "orders_totals"
ORDER BY
  "metric_time__quarter" ASC
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'

WITH "orders_1" AS (
  SELECT
    "source"."customer_id" AS "customer",
    nullIf(COUNT(CASE WHEN (
      "source"."channel" = 'web'
    ) THEN 1 END), 0) AS "orders_1",
    SUM(
      CASE
        WHEN CAST(toStartOfDay(CAST("source"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) < CAST('2025-02-02' AS Nullable(Date32))
        THEN "source"."amount"
      END
    ) AS "amount_2"
  FROM "mf"."orders" AS "source"
  WHERE
    (
      (
        "source"."channel" = 'web'
      )
      OR CAST(toStartOfDay(CAST("source"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) < CAST('2025-02-02' AS Nullable(Date32))
    )
  GROUP BY
    1
)
SELECT
  "orders_1"."customer" AS "customer",
  "orders_1"."orders_1" AS "web_orders",
  "orders_1"."amount_2" AS "early_amount"
FROM "orders_1"
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'

WITH "balances_1_rows" AS (
  SELECT
    CAST(toStartOfMonth(CAST("source"."counted_on" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS "metric_time__month",
    "source"."customer_id" AS "customer",
    "source"."balance" AS "last_balance_1",
    "source"."counted_on" AS "moment",
    MAX("source"."counted_on") OVER (
      PARTITION BY CAST(toStartOfMonth(CAST("source"."counted_on" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6)))
    ) AS "picked"
  FROM "mf"."balances" AS "source"
), "balances_1" AS (
  SELECT
    "balances_1_rows"."metric_time__month" AS "metric_time__month",
    "balances_1_rows"."customer" AS "customer",
    SUM("balances_1_rows"."last_balance_1") AS "last_balance_1"
  FROM "balances_1_rows"
  WHERE
    "balances_1_rows"."moment" = "balances_1_rows"."picked"
  GROUP BY
    1,
    2
)
SELECT
  "balances_1"."metric_time__month" AS "metric_time__month",
  "balances_1"."customer" AS "customer",
  "balances_1"."last_balance_1" AS "last_balance"
FROM "balances_1"
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'

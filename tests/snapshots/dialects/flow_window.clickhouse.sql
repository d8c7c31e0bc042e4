WITH "orders_1" AS (
  SELECT
    CAST(toStartOfDay(CAST("spine"."period" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS "metric_time__day",
    SUM("source"."amount") AS "amount_1"
  FROM "mf"."orders" AS "source"
  INNER JOIN (
    SELECT
      CAST("source"."day" AS Nullable(DateTime64(6))) AS "period"
    FROM "mf"."days" AS "source"
  ) AS "spine"
    ON CAST(toStartOfDay(CAST("source"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) <= "spine"."period"
    AND CAST(toStartOfDay(CAST("source"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) > addDays(CAST("spine"."period" AS Nullable(DateTime64(6))), -2)
  GROUP BY
    1
)
SELECT
  "orders_1"."metric_time__day" AS "metric_time__day",
  "orders_1"."amount_1" AS "revenue_two_days"
FROM "orders_1"
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'

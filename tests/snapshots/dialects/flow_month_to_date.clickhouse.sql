WITH "orders_1_by_day" AS (
  SELECT
    "spine"."period" AS "period",
    CAST(toMonday(CAST("spine"."period" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS "metric_time__week",
    SUM("source"."amount") AS "amount_1"
  FROM "mf"."orders" AS "source"
  INNER JOIN (
    SELECT
      CAST("source"."day" AS Nullable(DateTime64(6))) AS "period"
    FROM "mf"."days" AS "source"
  ) AS "spine"
    ON CAST(toStartOfDay(CAST("source"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) <= "spine"."period"
    AND CAST(toStartOfDay(CAST("source"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) >= CAST(toStartOfMonth(CAST("spine"."period" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6)))
  GROUP BY
    1,
    2
), "orders_1" AS (
  SELECT DISTINCT
    "orders_1_by_day"."metric_time__week" AS "metric_time__week",
    FIRST_VALUE("orders_1_by_day"."amount_1") OVER (
      PARTITION BY "orders_1_by_day"."metric_time__week"
      ORDER BY "orders_1_by_day"."period"
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS "amount_1"
  FROM "orders_1_by_day"
)
SELECT
  "orders_1"."metric_time__week" AS "metric_time__week",
  "orders_1"."amount_1" AS "revenue_month_to_date"
FROM "orders_1"
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'

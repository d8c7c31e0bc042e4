WITH "orders_1" AS (
  SELECT
    CAST(toStartOfDay(CAST("source"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS "metric_time__day",
    SUM("source"."amount") AS "amount_1"
  FROM "mf"."orders" AS "source"
  GROUP BY
    1
), "orders_2" AS (
  SELECT
    CAST(toStartOfDay(CAST("spine"."period" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS "metric_time__day",
    SUM("source"."amount") AS "amount_2"
  FROM "mf"."orders" AS "source"
  INNER JOIN (
    SELECT
      CAST("source"."day" AS Nullable(DateTime64(6))) AS "period"
    FROM "mf"."days" AS "source"
  ) AS "spine"
    ON addDays(CAST("spine"."period" AS Nullable(DateTime64(6))), -1) = CAST(toStartOfDay(CAST("source"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6)))
  GROUP BY
    1
), "all_sides" AS (
  SELECT
    COALESCE("orders_1"."metric_time__day", "orders_2"."metric_time__day") AS "metric_time__day",
    MAX("orders_1"."amount_1") AS "amount_1",
    MAX("orders_2"."amount_2") AS "amount_2"
  FROM "orders_1"
  FULL JOIN "orders_2"
    ON "orders_1"."metric_time__day" = "orders_2"."metric_time__day"
  GROUP BY
    1
)
SELECT
  "all_sides"."metric_time__day" AS "metric_time__day",
  "all_sides"."amount_1" - "all_sides"."amount_2" AS "revenue_change"
FROM "all_sides"
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'

WITH "orders_totals_days" AS (
  SELECT DISTINCT
    CAST(CAST(toStartOfDay(CAST("orders"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "day"
  FROM "shop"."orders" AS "orders"
  WHERE
    NOT (
      "orders"."ordered_at" IS NULL
    )
), "orders_totals_periods" AS (
  SELECT DISTINCT
    CAST(CAST(toStartOfMonth(CAST("orders_totals_days"."day" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "metric_time__month",
    CAST(LEAST(
      CAST(addMonths(
        CAST(CAST(CAST(toStartOfMonth(CAST("orders_totals_days"."day" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS Nullable(DateTime64(6))),
        1
      ) AS Nullable(DateTime64(6))),
      CAST(addDays(
        CAST((
          SELECT
            MAX("orders_totals_days"."day")
          FROM "orders_totals_days"
        ) AS Nullable(DateTime64(6))),
        1
      ) AS Nullable(DateTime64(6)))
    ) AS Nullable(Date32)) AS "until"
  FROM "orders_totals_days"
), "orders_totals_rows" AS (
  SELECT
    CAST(CAST(toStartOfDay(CAST("orders"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "day",
    SUM("orders"."amount") AS "revenue_to_date"
  FROM "shop"."orders" AS "orders"
  GROUP BY
    1
), "orders_totals" AS (
  SELECT
    "orders_totals_periods"."metric_time__month" AS "metric_time__month",
    SUM("orders_totals_rows"."revenue_to_date") AS "revenue_to_date"
  FROM "orders_totals_periods"
  LEFT JOIN (
    SELECT
      "orders_totals_periods"."until" AS "met_1",
      "orders_totals_rows"."revenue_to_date" AS "revenue_to_date"
    FROM (
      SELECT DISTINCT
        "orders_totals_periods"."until" AS "until"
      FROM "orders_totals_periods"
    ) AS "orders_totals_periods"
    CROSS JOIN "orders_totals_rows"
    WHERE
      "orders_totals_rows"."day" < "orders_totals_periods"."until"
  ) AS "orders_totals_rows"
    ON "orders_totals_periods"."until" IS NOT DISTINCT FROM "orders_totals_rows"."met_1"
  GROUP BY
    1
)
SELECT
  "orders_totals"."metric_time__month" AS "metric_time__month",
  "orders_totals"."revenue_to_date" AS "revenue_to_date"
FROM "orders_totals"
ORDER BY
  "metric_time__month" ASC
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'

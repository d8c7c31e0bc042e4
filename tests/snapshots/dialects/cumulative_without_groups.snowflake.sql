WITH "orders_totals_days" AS (
  SELECT DISTINCT
    CAST(DATE_TRUNC('DAY', CAST("orders"."ORDERED_AT" AS TIMESTAMPNTZ)) AS DATE) AS "day"
  FROM "SHOP"."ORDERS" AS "orders"
  WHERE
    NOT "orders"."ORDERED_AT" IS NULL
), "orders_totals_periods" AS (
  SELECT DISTINCT
    CAST(DATE_TRUNC('MONTH', CAST("orders_totals_days"."day" AS TIMESTAMPNTZ)) AS DATE) AS "metric_time__month",
    CAST(LEAST(
      CAST(DATEADD(
        MONTH,
        1,
        CAST(CAST(DATE_TRUNC('MONTH', CAST("orders_totals_days"."day" AS TIMESTAMPNTZ)) AS DATE) AS TIMESTAMPNTZ)
      ) AS TIMESTAMPNTZ),
      CAST(DATEADD(
        DAY,
        1,
        CAST((
          SELECT
            MAX("orders_totals_days"."day")
          FROM "orders_totals_days"
        ) AS TIMESTAMPNTZ)
      ) AS TIMESTAMPNTZ)
    ) AS DATE) AS "until"
  FROM "orders_totals_days"
), "orders_totals_rows" AS (
  SELECT
    CAST(DATE_TRUNC('DAY', CAST("orders"."ORDERED_AT" AS TIMESTAMPNTZ)) AS DATE) AS "day",
    SUM("orders"."AMOUNT") AS "revenue_to_date"
  FROM "SHOP"."ORDERS" AS "orders"
  GROUP BY
    1
), "orders_totals" AS (
  SELECT
    "orders_totals_periods"."metric_time__month" AS "metric_time__month",
    SUM("orders_totals_rows"."revenue_to_date") AS "revenue_to_date"
  FROM "orders_totals_periods"
  LEFT JOIN "orders_totals_rows"
    ON "orders_totals_rows"."day" < "orders_totals_periods"."until"
  GROUP BY
    1
)
SELECT
  "orders_totals"."metric_time__month" AS "metric_time__month",
  "orders_totals"."revenue_to_date" AS "revenue_to_date"
FROM "orders_totals"
ORDER BY
  "metric_time__month" ASC

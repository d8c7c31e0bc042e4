WITH "orders_totals" AS (
  SELECT
    CAST(DATE_TRUNC('QUARTER', DATE_TRUNC('MONTH', "orders"."ordered_at") - INTERVAL '1' MONTH) + INTERVAL '1' MONTH AS DATE) AS "metric_time__quarter",
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

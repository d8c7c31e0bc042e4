WITH "orders_totals" AS (
  SELECT
    CAST(DATE_TRUNC('MONTH', "orders"."ordered_at") AS DATE) AS "metric_time__month",
    COUNT(*) AS "orders"
  FROM "shop"."orders" AS "orders"
  WHERE
    "orders"."ordered_at" >= $p1 AND "orders"."ordered_at" < $p2
  GROUP BY
    1
), "each_one" AS (
  SELECT
    "orders_totals"."metric_time__month" AS "metric_time__month",
    "orders_totals"."orders" AS "orders"
  FROM "orders_totals"
)
SELECT
  CASE
    WHEN ABS(CAST(SUM("each_one"."orders") AS DOUBLE) / NULLIF(3, 0)) < 1000000000000000
    THEN CAST(CAST(CAST(SUM("each_one"."orders") AS DOUBLE) / NULLIF(3, 0) AS DECIMAL(38, 12)) AS DOUBLE)
  END AS "average_orders_per_month",
  COUNT("each_one"."orders") AS "months_counted"
FROM "each_one"

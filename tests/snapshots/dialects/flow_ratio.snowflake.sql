WITH "orders_1" AS (
  SELECT
    DATE_TRUNC('MONTH', CAST("source"."ORDERED_AT" AS TIMESTAMPNTZ)) AS "metric_time__month",
    SUM("source"."AMOUNT") AS "amount_1",
    COUNT(*) AS "orders_2"
  FROM "MF"."ORDERS" AS "source"
  GROUP BY
    1
)
SELECT
  "orders_1"."metric_time__month" AS "metric_time__month",
  CAST("orders_1"."amount_1" AS DOUBLE) / NULLIF("orders_1"."orders_2", 0) AS "average_order"
FROM "orders_1"

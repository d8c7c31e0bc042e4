WITH "orders_1" AS (
  SELECT
    DATE_TRUNC('QUARTER', CAST("source"."ORDERED_AT" AS TIMESTAMPNTZ)) AS "metric_time__quarter",
    DAYOFWEEKISO(CAST("source"."ORDERED_AT" AS TIMESTAMPNTZ)) AS "metric_time__extract_dow",
    SUM("source"."AMOUNT") AS "amount_1"
  FROM "MF"."ORDERS" AS "source"
  GROUP BY
    1,
    2
)
SELECT
  "orders_1"."metric_time__quarter" AS "metric_time__quarter",
  "orders_1"."metric_time__extract_dow" AS "metric_time__extract_dow",
  "orders_1"."amount_1" AS "revenue"
FROM "orders_1"

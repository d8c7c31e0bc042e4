WITH "orders_1" AS (
  SELECT
    DATEADD(
      DAY,
      (
        1 - DAYOFWEEKISO(CAST("source"."ORDERED_AT" AS TIMESTAMPNTZ))
      ),
      DATE_TRUNC('DAY', CAST("source"."ORDERED_AT" AS TIMESTAMPNTZ))
    ) AS "metric_time__week",
    SUM("source"."AMOUNT") AS "amount_1"
  FROM "MF"."ORDERS" AS "source"
  GROUP BY
    1
)
SELECT
  "orders_1"."metric_time__week" AS "metric_time__week",
  "orders_1"."amount_1" AS "revenue"
FROM "orders_1"

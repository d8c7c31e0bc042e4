WITH "orders_totals" AS (
  SELECT
    CAST(DATEADD(
      MONTH,
      1,
      CAST(DATE_TRUNC(
        'QUARTER',
        CAST(DATEADD(
          MONTH,
          -1,
          CAST(DATE_TRUNC('MONTH', CAST("orders"."ORDERED_AT" AS TIMESTAMPNTZ)) AS TIMESTAMPNTZ)
        ) AS TIMESTAMPNTZ)
      ) AS TIMESTAMPNTZ)
    ) AS DATE) AS "metric_time__quarter",
    SUM("orders"."AMOUNT") AS "revenue"
  FROM "SHOP"."ORDERS" AS "orders"
  GROUP BY
    1
)
SELECT
  "orders_totals"."metric_time__quarter" AS "metric_time__quarter",
  "orders_totals"."revenue" AS "revenue"
FROM "orders_totals"
ORDER BY
  "metric_time__quarter" ASC

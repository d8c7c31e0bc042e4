WITH "orders_totals" AS (
  SELECT
    CAST(DATE_ADD(
      'month',
      1,
      CAST(DATE_TRUNC(
        'quarter',
        CAST(DATE_ADD(
          'month',
          -1,
          CAST(DATE_TRUNC('month', CAST("orders"."ordered_at" AS TIMESTAMP(6))) AS TIMESTAMP(6))
        ) AS TIMESTAMP(6))
      ) AS TIMESTAMP(6))
    ) AS DATE) AS "metric_time__quarter",
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

WITH "orders_totals" AS (
  SELECT
    CAST(DATE_ADD(
      'day',
      -1,
      CAST(DATE_TRUNC(
        'week',
        CAST(DATE_ADD('day', 1, CAST("orders"."ordered_at" AS TIMESTAMP(6))) AS TIMESTAMP(6))
      ) AS TIMESTAMP(6))
    ) AS DATE) AS "metric_time__week",
    SUM("orders"."amount") AS "revenue"
  FROM "shop"."orders" AS "orders"
  GROUP BY
    1
)
SELECT
  "orders_totals"."metric_time__week" AS "metric_time__week",
  "orders_totals"."revenue" AS "revenue"
FROM "orders_totals"
ORDER BY
  "metric_time__week" ASC

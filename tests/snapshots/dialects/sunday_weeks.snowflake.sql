WITH "orders_totals" AS (
  SELECT
    CAST(DATEADD(
      DAY,
      -1,
      CAST(DATEADD(
        DAY,
        (
          1 - DAYOFWEEKISO(
            CAST(DATEADD(DAY, 1, CAST("orders"."ORDERED_AT" AS TIMESTAMPNTZ)) AS TIMESTAMPNTZ)
          )
        ),
        DATE_TRUNC(
          'DAY',
          CAST(DATEADD(DAY, 1, CAST("orders"."ORDERED_AT" AS TIMESTAMPNTZ)) AS TIMESTAMPNTZ)
        )
      ) AS TIMESTAMPNTZ)
    ) AS DATE) AS "metric_time__week",
    SUM("orders"."AMOUNT") AS "revenue"
  FROM "SHOP"."ORDERS" AS "orders"
  GROUP BY
    1
)
SELECT
  "orders_totals"."metric_time__week" AS "metric_time__week",
  "orders_totals"."revenue" AS "revenue"
FROM "orders_totals"
ORDER BY
  "metric_time__week" ASC

WITH "orders_1" AS (
  SELECT
    DATE_TRUNC('DAY', CAST("spine"."period" AS TIMESTAMPNTZ)) AS "metric_time__day",
    SUM("source"."AMOUNT") AS "amount_1"
  FROM "MF"."ORDERS" AS "source"
  INNER JOIN (
    SELECT
      CAST("source"."DAY" AS TIMESTAMPNTZ) AS "period"
    FROM "MF"."DAYS" AS "source"
  ) AS "spine"
    ON DATE_TRUNC('DAY', CAST("source"."ORDERED_AT" AS TIMESTAMPNTZ)) <= "spine"."period"
    AND DATE_TRUNC('DAY', CAST("source"."ORDERED_AT" AS TIMESTAMPNTZ)) > DATEADD(DAY, -2, CAST("spine"."period" AS TIMESTAMPNTZ))
  GROUP BY
    1
)
SELECT
  "orders_1"."metric_time__day" AS "metric_time__day",
  "orders_1"."amount_1" AS "revenue_two_days"
FROM "orders_1"

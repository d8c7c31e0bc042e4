WITH "orders_1" AS (
  SELECT
    DATE_TRUNC('day', CAST("spine"."period" AS TIMESTAMP)) AS "metric_time__day",
    SUM("source"."amount") AS "amount_1"
  FROM "mf"."orders" AS "source"
  INNER JOIN (
    SELECT
      CAST("source"."day" AS TIMESTAMP) AS "period"
    FROM "mf"."days" AS "source"
  ) AS "spine"
    ON DATE_TRUNC('day', CAST("source"."ordered_at" AS TIMESTAMP)) <= "spine"."period"
    AND DATE_TRUNC('day', CAST("source"."ordered_at" AS TIMESTAMP)) > DATEADD(DAY, -2, CAST("spine"."period" AS TIMESTAMP))
  GROUP BY
    1
)
SELECT
  "orders_1"."metric_time__day" AS "metric_time__day",
  "orders_1"."amount_1" AS "revenue_two_days"
FROM "orders_1"

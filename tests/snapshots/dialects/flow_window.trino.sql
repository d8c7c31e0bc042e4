WITH "orders_1" AS (
  SELECT
    DATE_TRUNC('day', CAST("spine"."period" AS TIMESTAMP(6))) AS "metric_time__day",
    SUM("source"."amount") AS "amount_1"
  FROM "mf"."orders" AS "source"
  INNER JOIN (
    SELECT
      CAST("source"."day" AS TIMESTAMP(6)) AS "period"
    FROM "mf"."days" AS "source"
  ) AS "spine"
    ON DATE_TRUNC('day', CAST("source"."ordered_at" AS TIMESTAMP(6))) <= "spine"."period"
    AND DATE_TRUNC('day', CAST("source"."ordered_at" AS TIMESTAMP(6))) > DATE_ADD('day', -2, CAST("spine"."period" AS TIMESTAMP(6)))
  GROUP BY
    1
)
SELECT
  "orders_1"."metric_time__day" AS "metric_time__day",
  "orders_1"."amount_1" AS "revenue_two_days"
FROM "orders_1"

WITH "orders_1_by_day" AS (
  SELECT
    "spine"."period" AS "period",
    DATE_TRUNC('week', CAST("spine"."period" AS TIMESTAMP)) AS "metric_time__week",
    SUM("source"."amount") AS "amount_1"
  FROM "mf"."orders" AS "source"
  INNER JOIN (
    SELECT
      CAST("source"."day" AS TIMESTAMP) AS "period"
    FROM "mf"."days" AS "source"
  ) AS "spine"
    ON DATE_TRUNC('day', CAST("source"."ordered_at" AS TIMESTAMP)) <= "spine"."period"
    AND DATE_TRUNC('day', CAST("source"."ordered_at" AS TIMESTAMP)) >= DATE_TRUNC('month', CAST("spine"."period" AS TIMESTAMP))
  GROUP BY
    1,
    2
), "orders_1" AS (
  SELECT DISTINCT
    "orders_1_by_day"."metric_time__week" AS "metric_time__week",
    FIRST_VALUE("orders_1_by_day"."amount_1") OVER (
      PARTITION BY "orders_1_by_day"."metric_time__week"
      ORDER BY "orders_1_by_day"."period"
      ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS "amount_1"
  FROM "orders_1_by_day"
)
SELECT
  "orders_1"."metric_time__week" AS "metric_time__week",
  "orders_1"."amount_1" AS "revenue_month_to_date"
FROM "orders_1"

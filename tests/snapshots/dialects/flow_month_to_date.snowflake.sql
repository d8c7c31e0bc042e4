WITH "orders_1_by_day" AS (
  SELECT
    "spine"."period" AS "period",
    DATEADD(
      DAY,
      (
        1 - DAYOFWEEKISO(CAST("spine"."period" AS TIMESTAMPNTZ))
      ),
      DATE_TRUNC('DAY', CAST("spine"."period" AS TIMESTAMPNTZ))
    ) AS "metric_time__week",
    SUM("source"."AMOUNT") AS "amount_1"
  FROM "MF"."ORDERS" AS "source"
  INNER JOIN (
    SELECT
      CAST("source"."DAY" AS TIMESTAMPNTZ) AS "period"
    FROM "MF"."DAYS" AS "source"
  ) AS "spine"
    ON DATE_TRUNC('DAY', CAST("source"."ORDERED_AT" AS TIMESTAMPNTZ)) <= "spine"."period"
    AND DATE_TRUNC('DAY', CAST("source"."ORDERED_AT" AS TIMESTAMPNTZ)) >= DATE_TRUNC('MONTH', CAST("spine"."period" AS TIMESTAMPNTZ))
  GROUP BY
    1,
    2
), "orders_1" AS (
  SELECT DISTINCT
    "orders_1_by_day"."metric_time__week" AS "metric_time__week",
    FIRST_VALUE("orders_1_by_day"."amount_1") OVER (
      PARTITION BY "orders_1_by_day"."metric_time__week"
      ORDER BY "orders_1_by_day"."period"
    ) AS "amount_1"
  FROM "orders_1_by_day"
)
SELECT
  "orders_1"."metric_time__week" AS "metric_time__week",
  "orders_1"."amount_1" AS "revenue_month_to_date"
FROM "orders_1"

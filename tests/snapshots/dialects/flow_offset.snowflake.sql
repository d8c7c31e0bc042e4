WITH "orders_1" AS (
  SELECT
    DATE_TRUNC('DAY', CAST("source"."ORDERED_AT" AS TIMESTAMPNTZ)) AS "metric_time__day",
    SUM("source"."AMOUNT") AS "amount_1"
  FROM "MF"."ORDERS" AS "source"
  GROUP BY
    1
), "orders_2" AS (
  SELECT
    DATE_TRUNC('DAY', CAST("spine"."period" AS TIMESTAMPNTZ)) AS "metric_time__day",
    SUM("source"."AMOUNT") AS "amount_2"
  FROM "MF"."ORDERS" AS "source"
  INNER JOIN (
    SELECT
      CAST("source"."DAY" AS TIMESTAMPNTZ) AS "period"
    FROM "MF"."DAYS" AS "source"
  ) AS "spine"
    ON DATEADD(DAY, -1, CAST("spine"."period" AS TIMESTAMPNTZ)) = DATE_TRUNC('DAY', CAST("source"."ORDERED_AT" AS TIMESTAMPNTZ))
  GROUP BY
    1
), "all_sides" AS (
  SELECT
    COALESCE("orders_1"."metric_time__day", "orders_2"."metric_time__day") AS "metric_time__day",
    MAX("orders_1"."amount_1") AS "amount_1",
    MAX("orders_2"."amount_2") AS "amount_2"
  FROM "orders_1"
  FULL JOIN "orders_2"
    ON "orders_1"."metric_time__day" = "orders_2"."metric_time__day"
  GROUP BY
    1
)
SELECT
  "all_sides"."metric_time__day" AS "metric_time__day",
  "all_sides"."amount_1" - "all_sides"."amount_2" AS "revenue_change"
FROM "all_sides"

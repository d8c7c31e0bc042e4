WITH "orders_1" AS (
  SELECT
    DATE_TRUNC('DAY', CAST("spine"."period" AS TIMESTAMPNTZ)) AS "metric_time__day",
    SUM("source"."AMOUNT") AS "amount_1"
  FROM "MF"."ORDERS" AS "source"
  INNER JOIN (
    SELECT
      "days"."day" AS "looked_up",
      LEAST(
        DATEADD(DAY, (
          "days"."place" - 1
        ), CAST("ends"."first_after" AS TIMESTAMPNTZ)),
        "ends"."last_after"
      ) AS "period"
    FROM (
      SELECT
        CAST("source"."DAY" AS TIMESTAMPNTZ) AS "day",
        "source"."SPRINT_NO" AS "custom",
        MIN(CAST("source"."DAY" AS TIMESTAMPNTZ)) OVER (PARTITION BY "source"."SPRINT_NO") AS "first_day",
        MAX(CAST("source"."DAY" AS TIMESTAMPNTZ)) OVER (PARTITION BY "source"."SPRINT_NO") AS "last_day",
        ROW_NUMBER() OVER (PARTITION BY "source"."SPRINT_NO" ORDER BY CAST("source"."DAY" AS TIMESTAMPNTZ)) AS "place"
      FROM "MF"."DAYS" AS "source"
    ) AS "days"
    INNER JOIN (
      SELECT
        "ends"."custom" AS "custom",
        LEAD("ends"."first_day", 1) OVER (ORDER BY "ends"."custom") AS "first_after",
        LEAD("ends"."last_day", 1) OVER (ORDER BY "ends"."custom") AS "last_after"
      FROM (
        SELECT DISTINCT
          "days"."custom" AS "custom",
          "days"."first_day" AS "first_day",
          "days"."last_day" AS "last_day"
        FROM (
          SELECT
            CAST("source"."DAY" AS TIMESTAMPNTZ) AS "day",
            "source"."SPRINT_NO" AS "custom",
            MIN(CAST("source"."DAY" AS TIMESTAMPNTZ)) OVER (PARTITION BY "source"."SPRINT_NO") AS "first_day",
            MAX(CAST("source"."DAY" AS TIMESTAMPNTZ)) OVER (PARTITION BY "source"."SPRINT_NO") AS "last_day",
            ROW_NUMBER() OVER (PARTITION BY "source"."SPRINT_NO" ORDER BY CAST("source"."DAY" AS TIMESTAMPNTZ)) AS "place"
          FROM "MF"."DAYS" AS "source"
        ) AS "days"
      ) AS "ends"
    ) AS "ends"
      ON "days"."custom" = "ends"."custom"
  ) AS "spine"
    ON "spine"."looked_up" = DATE_TRUNC('DAY', CAST("source"."ORDERED_AT" AS TIMESTAMPNTZ))
  GROUP BY
    1
)
SELECT
  "orders_1"."metric_time__day" AS "metric_time__day",
  "orders_1"."amount_1" AS "revenue_last_sprint"
FROM "orders_1"

WITH "visits_1_base" AS (
  SELECT
    "source"."customer_id" AS "entity_key",
    DATE_TRUNC('DAY', CAST("source"."visited_at" AS TIMESTAMP)) AS "happened_at",
    DATE_TRUNC('DAY', CAST("source"."visited_at" AS TIMESTAMP)) AS "metric_time__day"
  FROM "mf"."visits" AS "source"
), "visits_1_later" AS (
  SELECT
    "source"."customer_id" AS "entity_key",
    DATE_TRUNC('DAY', CAST("source"."ordered_at" AS TIMESTAMP)) AS "happened_at",
    1 AS "converted",
    ROW_NUMBER() OVER () AS "row_id"
  FROM "mf"."orders" AS "source"
), "visits_1_pairs" AS (
  SELECT
    "visits_1_base"."metric_time__day" AS "metric_time__day",
    "visits_1_later"."converted" AS "converted",
    ROW_NUMBER() OVER (
      PARTITION BY "visits_1_later"."row_id"
      ORDER BY "visits_1_base"."happened_at" DESC NULLS LAST, "visits_1_base"."metric_time__day"
    ) AS "place"
  FROM "visits_1_base"
  INNER JOIN "visits_1_later"
    ON "visits_1_base"."entity_key" = "visits_1_later"."entity_key"
    AND "visits_1_base"."happened_at" <= "visits_1_later"."happened_at"
    AND "visits_1_base"."happened_at" > "visits_1_later"."happened_at" - INTERVAL '3 DAY'
), "visits_1" AS (
  SELECT
    "visits_1_pairs"."metric_time__day" AS "metric_time__day",
    COUNT("visits_1_pairs"."converted") AS "visits_1"
  FROM "visits_1_pairs"
  WHERE
    "visits_1_pairs"."place" = 1
  GROUP BY
    1
), "visits_2" AS (
  SELECT
    DATE_TRUNC('DAY', CAST("source"."visited_at" AS TIMESTAMP)) AS "metric_time__day",
    COUNT(*) AS "visits_2"
  FROM "mf"."visits" AS "source"
  GROUP BY
    1
), "all_sides" AS (
  SELECT
    COALESCE("visits_1"."metric_time__day", "visits_2"."metric_time__day") AS "metric_time__day",
    MAX("visits_1"."visits_1") AS "visits_1",
    MAX("visits_2"."visits_2") AS "visits_2"
  FROM "visits_1"
  FULL JOIN "visits_2"
    ON "visits_1"."metric_time__day" = "visits_2"."metric_time__day"
  GROUP BY
    1
)
SELECT
  "all_sides"."metric_time__day" AS "metric_time__day",
  CAST("all_sides"."visits_1" AS DOUBLE PRECISION) / NULLIF("all_sides"."visits_2", 0) AS "visit_to_order"
FROM "all_sides"

WITH "orders_1" AS (
  SELECT
    CAST(toStartOfDay(CAST("spine"."period" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS "metric_time__day",
    SUM("source"."amount") AS "amount_1"
  FROM "mf"."orders" AS "source"
  INNER JOIN (
    SELECT
      "days"."day" AS "looked_up",
      LEAST(
        addDays(CAST("ends"."first_after" AS Nullable(DateTime64(6))), (
          "days"."place" - 1
        )),
        "ends"."last_after"
      ) AS "period"
    FROM (
      SELECT
        CAST("source"."day" AS Nullable(DateTime64(6))) AS "day",
        "source"."sprint_no" AS "custom",
        MIN(CAST("source"."day" AS Nullable(DateTime64(6)))) OVER (PARTITION BY "source"."sprint_no") AS "first_day",
        MAX(CAST("source"."day" AS Nullable(DateTime64(6)))) OVER (PARTITION BY "source"."sprint_no") AS "last_day",
        ROW_NUMBER() OVER (
          PARTITION BY "source"."sprint_no"
          ORDER BY CAST("source"."day" AS Nullable(DateTime64(6)))
        ) AS "place"
      FROM "mf"."days" AS "source"
    ) AS "days"
    INNER JOIN (
      SELECT
        "ends"."custom" AS "custom",
        lead("ends"."first_day", 1) OVER (ORDER BY "ends"."custom") AS "first_after",
        lead("ends"."last_day", 1) OVER (ORDER BY "ends"."custom") AS "last_after"
      FROM (
        SELECT DISTINCT
          "days"."custom" AS "custom",
          "days"."first_day" AS "first_day",
          "days"."last_day" AS "last_day"
        FROM (
          SELECT
            CAST("source"."day" AS Nullable(DateTime64(6))) AS "day",
            "source"."sprint_no" AS "custom",
            MIN(CAST("source"."day" AS Nullable(DateTime64(6)))) OVER (PARTITION BY "source"."sprint_no") AS "first_day",
            MAX(CAST("source"."day" AS Nullable(DateTime64(6)))) OVER (PARTITION BY "source"."sprint_no") AS "last_day",
            ROW_NUMBER() OVER (
              PARTITION BY "source"."sprint_no"
              ORDER BY CAST("source"."day" AS Nullable(DateTime64(6)))
            ) AS "place"
          FROM "mf"."days" AS "source"
        ) AS "days"
      ) AS "ends"
    ) AS "ends"
      ON "days"."custom" = "ends"."custom"
  ) AS "spine"
    ON "spine"."looked_up" = CAST(toStartOfDay(CAST("source"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6)))
  GROUP BY
    1
)
SELECT
  "orders_1"."metric_time__day" AS "metric_time__day",
  "orders_1"."amount_1" AS "revenue_last_sprint"
FROM "orders_1"
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'

WITH "orders_totals_days" AS (
  SELECT DISTINCT
    CAST(CAST(toStartOfDay(CAST("orders"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "day"
  FROM "shop"."orders" AS "orders"
  WHERE
    NOT (
      "orders"."ordered_at" IS NULL
    )
), "orders_totals_periods" AS (
  SELECT DISTINCT
    CAST(CAST(toStartOfMonth(CAST("orders_totals_days"."day" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "metric_time__month",
    CAST(LEAST(
      CAST(addMonths(
        CAST(CAST(CAST(toStartOfMonth(CAST("orders_totals_days"."day" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS Nullable(DateTime64(6))),
        1
      ) AS Nullable(DateTime64(6))),
      CAST(addDays(
        CAST((
          SELECT
            MAX("orders_totals_days"."day")
          FROM "orders_totals_days"
        ) AS Nullable(DateTime64(6))),
        1
      ) AS Nullable(DateTime64(6))),
      CAST(CAST({p1: Date32} AS Nullable(Date32)) AS Nullable(DateTime64(6)))
    ) AS Nullable(Date32)) AS "until"
  FROM "orders_totals_days"
  WHERE
    "orders_totals_days"."day" >= {p2: Date32}
    AND "orders_totals_days"."day" < {p3: Date32}
), "orders_totals_rows" AS (
  SELECT
    CAST(CAST(toStartOfDay(CAST("orders"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "day",
    "stores"."region" AS "region",
    SUM("orders"."amount") AS "revenue_to_date"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  GROUP BY
    1,
    2
), "orders_totals" AS (
  SELECT
    "orders_totals_periods"."metric_time__month" AS "metric_time__month",
    "orders_totals_rows"."region" AS "region",
    SUM("orders_totals_rows"."revenue_to_date") AS "revenue_to_date"
  FROM "orders_totals_periods"
  JOIN "orders_totals_rows"
    ON "orders_totals_rows"."day" < "orders_totals_periods"."until"
  GROUP BY
    1,
    2
), "orders_totals_2_days" AS (
  SELECT DISTINCT
    CAST(CAST(toStartOfDay(CAST("orders"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "day"
  FROM "shop"."orders" AS "orders"
  WHERE
    NOT (
      "orders"."ordered_at" IS NULL
    )
), "orders_totals_2_periods" AS (
  SELECT DISTINCT
    CAST(CAST(toStartOfMonth(CAST("orders_totals_2_days"."day" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "metric_time__month",
    CAST(LEAST(
      CAST(addMonths(
        CAST(CAST(CAST(toStartOfMonth(CAST("orders_totals_2_days"."day" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS Nullable(DateTime64(6))),
        1
      ) AS Nullable(DateTime64(6))),
      CAST(addDays(
        CAST((
          SELECT
            MAX("orders_totals_2_days"."day")
          FROM "orders_totals_2_days"
        ) AS Nullable(DateTime64(6))),
        1
      ) AS Nullable(DateTime64(6))),
      CAST(CAST({p4: Date32} AS Nullable(Date32)) AS Nullable(DateTime64(6)))
    ) AS Nullable(Date32)) AS "until",
    CAST(CAST(CAST(toStartOfMonth(
      CAST(addDays(
        CAST(LEAST(
          CAST(addMonths(
            CAST(CAST(CAST(toStartOfMonth(CAST("orders_totals_2_days"."day" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS Nullable(DateTime64(6))),
            1
          ) AS Nullable(DateTime64(6))),
          CAST(addDays(
            CAST((
              SELECT
                MAX("orders_totals_2_days"."day")
              FROM "orders_totals_2_days"
            ) AS Nullable(DateTime64(6))),
            1
          ) AS Nullable(DateTime64(6))),
          CAST(CAST({p4: Date32} AS Nullable(Date32)) AS Nullable(DateTime64(6)))
        ) AS Nullable(DateTime64(6))),
        -1
      ) AS Nullable(DateTime64(6)))
    ) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS Nullable(Date32)) AS "since"
  FROM "orders_totals_2_days"
  WHERE
    "orders_totals_2_days"."day" >= {p5: Date32}
    AND "orders_totals_2_days"."day" < {p6: Date32}
), "orders_totals_2_rows" AS (
  SELECT
    CAST(CAST(toStartOfDay(CAST("orders"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "day",
    "stores"."region" AS "region",
    SUM("orders"."amount") AS "revenue_mtd"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  GROUP BY
    1,
    2
), "orders_totals_2" AS (
  SELECT
    "orders_totals_2_periods"."metric_time__month" AS "metric_time__month",
    "orders_totals_2_rows"."region" AS "region",
    SUM("orders_totals_2_rows"."revenue_mtd") AS "revenue_mtd"
  FROM "orders_totals_2_periods"
  JOIN "orders_totals_2_rows"
    ON "orders_totals_2_rows"."day" < "orders_totals_2_periods"."until"
    AND "orders_totals_2_rows"."day" >= "orders_totals_2_periods"."since"
  GROUP BY
    1,
    2
), "all_groups" AS (
  SELECT
    "orders_totals"."metric_time__month",
    "orders_totals"."region"
  FROM "orders_totals"
  UNION DISTINCT
  SELECT
    "orders_totals_2"."metric_time__month",
    "orders_totals_2"."region"
  FROM "orders_totals_2"
)
SELECT
  "all_groups"."metric_time__month" AS "metric_time__month",
  "all_groups"."region" AS "region",
  "orders_totals"."revenue_to_date" AS "revenue_to_date",
  "orders_totals_2"."revenue_mtd" AS "revenue_mtd"
FROM "all_groups"
LEFT JOIN "orders_totals"
  ON "all_groups"."metric_time__month" IS NOT DISTINCT FROM "orders_totals"."metric_time__month"
  AND "all_groups"."region" IS NOT DISTINCT FROM "orders_totals"."region"
LEFT JOIN "orders_totals_2"
  ON "all_groups"."metric_time__month" IS NOT DISTINCT FROM "orders_totals_2"."metric_time__month"
  AND "all_groups"."region" IS NOT DISTINCT FROM "orders_totals_2"."region"
ORDER BY
  "metric_time__month" ASC,
  "region" ASC
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'

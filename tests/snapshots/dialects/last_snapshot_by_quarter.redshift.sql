WITH "seats_totals_rows" AS (
  SELECT
    CAST(DATE_TRUNC('quarter', CAST("seats"."counted_on" AS TIMESTAMP)) AS DATE) AS "metric_time__quarter",
    "customers"."tier" AS "tier",
    "seats"."seats" AS "seats",
    "customers"."tier" = %(p1)s OR "customers"."tier" IS NULL AS "condition_1",
    "seats"."counted_on" AS "snapshot_time",
    MAX("seats"."counted_on") OVER (
      PARTITION BY CAST(DATE_TRUNC('quarter', CAST("seats"."counted_on" AS TIMESTAMP)) AS DATE)
    ) AS "picked_time"
  FROM "shop"."seats" AS "seats"
  LEFT JOIN "shop"."customers" AS "customers"
    ON "seats"."customer_id" = "customers"."customer_id"
), "seats_totals" AS (
  SELECT
    "seats_totals_rows"."metric_time__quarter" AS "metric_time__quarter",
    "seats_totals_rows"."tier" AS "tier",
    SUM("seats_totals_rows"."seats") AS "seats"
  FROM "seats_totals_rows"
  WHERE
    "seats_totals_rows"."snapshot_time" = "seats_totals_rows"."picked_time"
    AND "seats_totals_rows"."condition_1"
  GROUP BY
    1,
    2
)
SELECT
  "seats_totals"."metric_time__quarter" AS "metric_time__quarter",
  "seats_totals"."tier" AS "tier",
  "seats_totals"."seats" AS "seats"
FROM "seats_totals"
ORDER BY
  "metric_time__quarter" ASC,
  "tier" ASC

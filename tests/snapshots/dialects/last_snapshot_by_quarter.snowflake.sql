WITH "seats_totals_rows" AS (
  SELECT
    CAST(DATE_TRUNC('QUARTER', CAST("seats"."COUNTED_ON" AS TIMESTAMPNTZ)) AS DATE) AS "metric_time__quarter",
    "customers"."TIER" AS "tier",
    "seats"."SEATS" AS "seats",
    "customers"."TIER" = :p1 OR "customers"."TIER" IS NULL AS "condition_1",
    "seats"."COUNTED_ON" AS "snapshot_time",
    MAX("seats"."COUNTED_ON") OVER (
      PARTITION BY CAST(DATE_TRUNC('QUARTER', CAST("seats"."COUNTED_ON" AS TIMESTAMPNTZ)) AS DATE)
    ) AS "picked_time"
  FROM "SHOP"."SEATS" AS "seats"
  LEFT JOIN "SHOP"."CUSTOMERS" AS "customers"
    ON "seats"."CUSTOMER_ID" = "customers"."CUSTOMER_ID"
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

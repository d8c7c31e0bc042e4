WITH "seats_totals_times" AS (
  SELECT DISTINCT
    "seats"."COUNTED_ON" AS "moment"
  FROM "SHOP"."SEATS" AS "seats"
), "seats_totals_moments" AS (
  SELECT
    MAX("seats_totals_times"."moment") AS "moment"
  FROM "seats_totals_times"
  GROUP BY
    CAST(DATE_TRUNC('QUARTER', CAST("seats_totals_times"."moment" AS TIMESTAMPNTZ)) AS DATE)
), "seats_totals" AS (
  SELECT
    CAST(DATE_TRUNC('QUARTER', CAST("seats"."COUNTED_ON" AS TIMESTAMPNTZ)) AS DATE) AS "metric_time__quarter",
    "customers"."TIER" AS "tier",
    SUM("seats"."SEATS") AS "seats"
  FROM "SHOP"."SEATS" AS "seats"
  LEFT JOIN "SHOP"."CUSTOMERS" AS "customers"
    ON "seats"."CUSTOMER_ID" = "customers"."CUSTOMER_ID"
  WHERE
    (
      "customers"."TIER" = :p1 OR "customers"."TIER" IS NULL
    )
    AND "seats"."COUNTED_ON" IN (
      SELECT
        "seats_totals_moments"."moment"
      FROM "seats_totals_moments"
    )
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

WITH "seats_totals_rows" AS (
  SELECT
    "seats"."COUNTED_ON" AS "counted_on",
    "seats"."SEATS" AS "seats",
    "seats"."CUSTOMER_ID" AS "customer_id",
    MIN("seats"."COUNTED_ON") OVER (
      PARTITION BY CAST(DATE_TRUNC('QUARTER', CAST("seats"."COUNTED_ON" AS TIMESTAMPNTZ)) AS DATE), "seats"."CUSTOMER_ID"
    ) AS "picked"
  FROM "SHOP"."SEATS" AS "seats"
  WHERE
    "seats"."COUNTED_ON" >= :p1 AND "seats"."COUNTED_ON" < :p2
), "seats_totals" AS (
  SELECT
    CAST(DATE_TRUNC('QUARTER', CAST("seats"."counted_on" AS TIMESTAMPNTZ)) AS DATE) AS "metric_time__quarter",
    "customers"."TIER" AS "tier",
    SUM("seats"."seats") AS "seats"
  FROM "seats_totals_rows" AS "seats"
  LEFT JOIN "SHOP"."CUSTOMERS" AS "customers"
    ON "seats"."customer_id" = "customers"."CUSTOMER_ID"
  WHERE
    "seats"."counted_on" = "seats"."picked"
    AND (
      "customers"."TIER" = :p3 OR "customers"."TIER" IS NULL
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

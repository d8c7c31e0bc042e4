WITH "seats_totals_rows" AS (
  SELECT
    "seats"."counted_on" AS "counted_on",
    "seats"."seats" AS "seats",
    "seats"."customer_id" AS "customer_id",
    MIN("seats"."counted_on") OVER (
      PARTITION BY CAST(DATE_TRUNC('quarter', CAST("seats"."counted_on" AS TIMESTAMP)) AS DATE), "seats"."customer_id"
    ) AS "picked"
  FROM "shop"."seats" AS "seats"
  WHERE
    "seats"."counted_on" >= %(p1)s AND "seats"."counted_on" < %(p2)s
), "seats_totals" AS (
  SELECT
    CAST(DATE_TRUNC('quarter', CAST("seats"."counted_on" AS TIMESTAMP)) AS DATE) AS "metric_time__quarter",
    "customers"."tier" AS "tier",
    SUM("seats"."seats") AS "seats"
  FROM "seats_totals_rows" AS "seats"
  LEFT JOIN "shop"."customers" AS "customers"
    ON "seats"."customer_id" = "customers"."customer_id"
  WHERE
    "seats"."counted_on" = "seats"."picked"
    AND (
      "customers"."tier" = %(p3)s OR "customers"."tier" IS NULL
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

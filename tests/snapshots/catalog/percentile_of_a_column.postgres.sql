WITH "orders_totals" AS (
  SELECT
    "stores"."region" AS "region",
    PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY
      CAST(FLOOR(CAST("orders"."amount" AS DOUBLE PRECISION) / 50) AS DOUBLE PRECISION)) AS "orders_amount_band_p90"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  GROUP BY
    1
)
SELECT
  "orders_totals"."region" AS "region",
  "orders_totals"."orders_amount_band_p90" AS "orders_amount_band_p90"
FROM "orders_totals"
ORDER BY
  "region" ASC

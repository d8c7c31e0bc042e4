WITH "orders_totals" AS (
  SELECT
    "stores"."region" AS "region",
    QUANTILE_CONT(CAST(FLOOR("orders"."amount" / 50) AS DOUBLE), 0.9
    ORDER BY
      CAST(FLOOR("orders"."amount" / 50) AS DOUBLE)) AS "orders_amount_band_p90"
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

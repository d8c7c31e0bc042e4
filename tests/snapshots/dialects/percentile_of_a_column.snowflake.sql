WITH "orders_totals" AS (
  SELECT
    "stores"."REGION" AS "region",
    PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY
      CAST(FLOOR(CAST("orders"."AMOUNT" AS DOUBLE) / 50) AS DOUBLE)) AS "orders_amount_band_p90"
  FROM "SHOP"."ORDERS" AS "orders"
  LEFT JOIN "SHOP"."STORES" AS "stores"
    ON "orders"."STORE_ID" = "stores"."STORE_ID"
  GROUP BY
    1
)
SELECT
  "orders_totals"."region" AS "region",
  "orders_totals"."orders_amount_band_p90" AS "orders_amount_band_p90"
FROM "orders_totals"
ORDER BY
  "region" ASC

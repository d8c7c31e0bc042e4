WITH "orders_totals_rows" AS (
  SELECT DISTINCT
    "orders"."ORDER_ID" AS "row_key",
    "products"."CATEGORY" AS "category",
    1 AS "orders",
    "orders"."AMOUNT" AS "average_order"
  FROM "SHOP"."ORDERS" AS "orders"
  LEFT JOIN "SHOP"."ITEMS" AS "items"
    ON "orders"."ORDER_ID" = "items"."ORDER_ID"
  LEFT JOIN "SHOP"."PRODUCTS" AS "products"
    ON "items"."PRODUCT_ID" = "products"."PRODUCT_ID"
), "orders_totals" AS (
  SELECT
    "orders_totals_rows"."category" AS "category",
    COUNT(*) AS "orders",
    AVG(CAST("orders_totals_rows"."average_order" AS DOUBLE)) AS "average_order"
  FROM "orders_totals_rows"
  GROUP BY
    1
)
SELECT
  "orders_totals"."category" AS "category",
  "orders_totals"."orders" AS "orders",
  "orders_totals"."average_order" AS "average_order"
FROM "orders_totals"
ORDER BY
  "category" ASC

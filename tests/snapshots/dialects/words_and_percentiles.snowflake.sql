WITH "order_totals" AS (
  SELECT
    "order"."GROUP" AS "group",
    "order"."USER" AS "user",
    SUM("order"."total sales (€)") AS "sales",
    PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY
      CAST("order"."AMOUNT" AS DOUBLE)) AS "middle",
    PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY
      "order"."AMOUNT") AS "first_quarter"
  FROM "SHOP"."ORDER" AS "order"
  GROUP BY
    1,
    2
)
SELECT
  "order_totals"."group" AS "group",
  "order_totals"."user" AS "user",
  "order_totals"."sales" AS "sales",
  "order_totals"."middle" AS "middle",
  "order_totals"."first_quarter" AS "first_quarter"
FROM "order_totals"
ORDER BY
  "group" ASC,
  "user" ASC

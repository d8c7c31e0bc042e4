WITH "order_totals" AS (
  SELECT
    "order"."group" AS "group",
    "order"."user" AS "user",
    SUM("order"."total sales (€)") AS "sales",
    PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY
      CAST("order"."amount" AS DOUBLE PRECISION)) AS "middle",
    PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY
      "order"."amount") AS "first_quarter"
  FROM "shop"."order" AS "order"
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

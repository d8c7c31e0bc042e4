SELECT
  "source"."tier" AS "customer__tier"
FROM "mf"."customer_history" AS "source"
GROUP BY
  1

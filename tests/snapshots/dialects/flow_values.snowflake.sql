SELECT
  "source"."TIER" AS "customer__tier"
FROM "MF"."CUSTOMER_HISTORY" AS "source"
GROUP BY
  1

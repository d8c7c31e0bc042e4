WITH "orders_totals" AS (
  SELECT
    "stores"."REGION" AS "region",
    "orders"."STATUS" AS "status",
    SUM("orders"."AMOUNT") AS "revenue",
    COUNT(DISTINCT "orders"."CUSTOMER_ID") AS "buyers"
  FROM "SHOP"."ORDERS" AS "orders"
  LEFT JOIN "SHOP"."STORES" AS "stores"
    ON "orders"."STORE_ID" = "stores"."STORE_ID"
  GROUP BY
    1,
    2
), "asked" AS (
  SELECT
    "orders_totals"."region" AS "region",
    "orders_totals"."status" AS "status",
    "orders_totals"."revenue" AS "revenue",
    "orders_totals"."buyers" AS "buyers"
  FROM "orders_totals"
), "reach" AS (
  SELECT
    MIN("orders"."ORDERED_AT") AS "first_moment",
    MAX("orders"."ORDERED_AT") AS "last_moment"
  FROM "SHOP"."ORDERS" AS "orders"
), "whole_buyers_orders_totals" AS (
  SELECT
    COUNT(DISTINCT "orders"."CUSTOMER_ID") AS "buyers"
  FROM "SHOP"."ORDERS" AS "orders"
), "whole_buyers" AS (
  SELECT
    "whole_buyers_orders_totals"."buyers" AS "buyers"
  FROM "whole_buyers_orders_totals"
), "lined_up" AS (
  SELECT
    "stacked"."region" AS "region",
    "stacked"."status" AS "status",
    MAX(CASE WHEN "stacked"."source" = 1 THEN "stacked"."revenue" END) AS "revenue",
    MAX(CASE WHEN "stacked"."source" = 1 THEN "stacked"."buyers" END) AS "buyers",
    MAX(CASE WHEN "stacked"."source" = 2 THEN "stacked"."buyers" END) AS "buyers__whole",
    MAX(CASE WHEN "stacked"."source" = 1 THEN 1 END) AS "in_asked",
    MAX(CASE WHEN "stacked"."source" = 2 THEN 1 END) AS "in_whole",
    MAX(CASE WHEN "stacked"."source" IN (1) THEN 1 END) AS "kept"
  FROM (
    SELECT
      1 AS "source",
      "asked"."region" AS "region",
      "asked"."status" AS "status",
      "asked"."revenue" AS "revenue",
      "asked"."buyers" AS "buyers"
    FROM "asked"
    UNION ALL
    SELECT
      2 AS "source",
      NULL AS "region",
      NULL AS "status",
      NULL AS "revenue",
      "whole_buyers"."buyers" AS "buyers"
    FROM "whole_buyers"
  ) AS "stacked"
  GROUP BY
    1,
    2
), "filled" AS (
  SELECT
    "lined_up"."region",
    "lined_up"."status",
    CASE
      WHEN "lined_up"."in_asked" IS NULL AND TRUE
      THEN 0
      ELSE "lined_up"."revenue"
    END AS "revenue",
    CASE WHEN "lined_up"."in_asked" IS NULL AND TRUE THEN 0 ELSE "lined_up"."buyers" END AS "buyers",
    MAX("lined_up"."buyers__whole") OVER () AS "buyers__whole",
    "lined_up"."kept"
  FROM "lined_up"
), "calculated" AS (
  SELECT
    "filled"."region",
    "filled"."status",
    "filled"."revenue" AS "revenue",
    CASE
      WHEN MIN("filled"."revenue") OVER (PARTITION BY "filled"."status") >= 0
      THEN CASE
        WHEN ABS(
          CAST("filled"."revenue" AS DOUBLE) / NULLIF(SUM("filled"."revenue") OVER (PARTITION BY "filled"."status"), 0)
        ) < 1000000000000000
        THEN CAST(CAST(CAST("filled"."revenue" AS DOUBLE) / NULLIF(SUM("filled"."revenue") OVER (PARTITION BY "filled"."status"), 0) AS DECIMAL(38, 12)) AS DOUBLE)
      END
    END AS "revenue__share",
    "filled"."buyers" AS "buyers",
    CASE
      WHEN MIN("filled"."buyers") OVER () >= 0
      THEN CASE
        WHEN ABS(CAST("filled"."buyers" AS DOUBLE) / NULLIF("filled"."buyers__whole", 0)) < 1000000000000000
        THEN CAST(CAST(CAST("filled"."buyers" AS DOUBLE) / NULLIF("filled"."buyers__whole", 0) AS DECIMAL(38, 12)) AS DOUBLE)
      END
    END AS "buyers__share",
    "filled"."kept"
  FROM "filled"
)
SELECT
  "calculated"."region",
  "calculated"."status",
  "calculated"."revenue",
  "calculated"."revenue__share",
  "calculated"."buyers",
  "calculated"."buyers__share",
  CASE
    WHEN NOT "calculated"."revenue" IS NULL
    THEN RANK() OVER (
      PARTITION BY "calculated"."status"
      ORDER BY "calculated"."revenue" DESC NULLS LAST
    )
  END AS "revenue__rank"
FROM "calculated"
WHERE
  "calculated"."kept" = 1
ORDER BY
  "region" ASC,
  "status" ASC

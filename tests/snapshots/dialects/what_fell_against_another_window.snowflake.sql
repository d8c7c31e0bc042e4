WITH "orders_totals" AS (
  SELECT
    "stores"."REGION" AS "region",
    SUM("orders"."AMOUNT") AS "revenue",
    COUNT(DISTINCT "orders"."CUSTOMER_ID") AS "buyers"
  FROM "SHOP"."ORDERS" AS "orders"
  LEFT JOIN "SHOP"."STORES" AS "stores"
    ON "orders"."STORE_ID" = "stores"."STORE_ID"
  WHERE
    "orders"."ORDERED_AT" >= :p1 AND "orders"."ORDERED_AT" < :p2
  GROUP BY
    1
), "asked" AS (
  SELECT
    "orders_totals"."region" AS "region",
    "orders_totals"."revenue" AS "revenue",
    "orders_totals"."buyers" AS "buyers"
  FROM "orders_totals"
), "reach" AS (
  SELECT
    MIN("orders"."ORDERED_AT") AS "first_moment",
    MAX("orders"."ORDERED_AT") AS "last_moment"
  FROM "SHOP"."ORDERS" AS "orders"
), "earlier_orders_totals" AS (
  SELECT
    "stores"."REGION" AS "region",
    SUM("orders"."AMOUNT") AS "revenue",
    COUNT(DISTINCT "orders"."CUSTOMER_ID") AS "buyers"
  FROM "SHOP"."ORDERS" AS "orders"
  LEFT JOIN "SHOP"."STORES" AS "stores"
    ON "orders"."STORE_ID" = "stores"."STORE_ID"
  WHERE
    "orders"."ORDERED_AT" >= :p3 AND "orders"."ORDERED_AT" < :p4
  GROUP BY
    1
), "earlier" AS (
  SELECT
    "earlier_orders_totals"."region" AS "region",
    "earlier_orders_totals"."revenue" AS "revenue",
    "earlier_orders_totals"."buyers" AS "buyers"
  FROM "earlier_orders_totals"
), "lined_up" AS (
  SELECT
    "stacked"."region" AS "region",
    MAX(CASE WHEN "stacked"."source" = 1 THEN "stacked"."revenue" END) AS "revenue",
    MAX(CASE WHEN "stacked"."source" = 1 THEN "stacked"."buyers" END) AS "buyers",
    MAX(CASE WHEN "stacked"."source" = 2 THEN "stacked"."revenue" END) AS "revenue__previous",
    MAX(CASE WHEN "stacked"."source" = 2 THEN "stacked"."buyers" END) AS "buyers__previous",
    MAX(CASE WHEN "stacked"."source" = 1 THEN 1 END) AS "in_asked",
    MAX(CASE WHEN "stacked"."source" = 2 THEN 1 END) AS "in_previous",
    MAX(CASE WHEN "stacked"."source" IN (1, 2) THEN 1 END) AS "kept"
  FROM (
    SELECT
      1 AS "source",
      "asked"."region" AS "region",
      "asked"."revenue" AS "revenue",
      "asked"."buyers" AS "buyers"
    FROM "asked"
    UNION ALL
    SELECT
      2 AS "source",
      "earlier"."region" AS "region",
      "earlier"."revenue" AS "revenue",
      "earlier"."buyers" AS "buyers"
    FROM "earlier"
  ) AS "stacked"
  GROUP BY
    1
), "filled" AS (
  SELECT
    "lined_up"."region",
    CASE
      WHEN "lined_up"."in_asked" IS NULL
      AND (
        (
          SELECT
            "reach"."last_moment"
          FROM "reach"
        ) >= CAST(:p7 AS TIMESTAMPNTZ)
        AND (
          SELECT
            "reach"."first_moment"
          FROM "reach"
        ) < CAST(:p8 AS TIMESTAMPNTZ)
      )
      THEN 0
      ELSE "lined_up"."revenue"
    END AS "revenue",
    CASE
      WHEN "lined_up"."in_asked" IS NULL
      AND (
        (
          SELECT
            "reach"."last_moment"
          FROM "reach"
        ) >= CAST(:p7 AS TIMESTAMPNTZ)
        AND (
          SELECT
            "reach"."first_moment"
          FROM "reach"
        ) < CAST(:p8 AS TIMESTAMPNTZ)
      )
      THEN 0
      ELSE "lined_up"."buyers"
    END AS "buyers",
    CASE
      WHEN "lined_up"."in_previous" IS NULL
      AND (
        (
          SELECT
            "reach"."last_moment"
          FROM "reach"
        ) >= CAST(:p5 AS TIMESTAMPNTZ)
        AND (
          SELECT
            "reach"."first_moment"
          FROM "reach"
        ) < CAST(:p6 AS TIMESTAMPNTZ)
      )
      THEN 0
      ELSE "lined_up"."revenue__previous"
    END AS "revenue__previous",
    CASE
      WHEN "lined_up"."in_previous" IS NULL
      AND (
        (
          SELECT
            "reach"."last_moment"
          FROM "reach"
        ) >= CAST(:p5 AS TIMESTAMPNTZ)
        AND (
          SELECT
            "reach"."first_moment"
          FROM "reach"
        ) < CAST(:p6 AS TIMESTAMPNTZ)
      )
      THEN 0
      ELSE "lined_up"."buyers__previous"
    END AS "buyers__previous",
    "lined_up"."kept"
  FROM "lined_up"
), "calculated" AS (
  SELECT
    "filled"."region",
    "filled"."revenue" AS "revenue",
    "filled"."revenue__previous" AS "revenue__previous",
    (
      "filled"."revenue" - "filled"."revenue__previous"
    ) AS "revenue__difference",
    CASE
      WHEN ABS(
        CAST((
          "filled"."revenue" - "filled"."revenue__previous"
        ) AS DOUBLE) / NULLIF(ABS("filled"."revenue__previous"), 0)
      ) < 1000000000000000
      THEN CAST(CAST(CAST((
        "filled"."revenue" - "filled"."revenue__previous"
      ) AS DOUBLE) / NULLIF(ABS("filled"."revenue__previous"), 0) AS DECIMAL(38, 12)) AS DOUBLE)
    END AS "revenue__percent_change",
    "filled"."buyers" AS "buyers",
    "filled"."buyers__previous" AS "buyers__previous",
    (
      "filled"."buyers" - "filled"."buyers__previous"
    ) AS "buyers__difference",
    CASE
      WHEN ABS(
        CAST((
          "filled"."buyers" - "filled"."buyers__previous"
        ) AS DOUBLE) / NULLIF(ABS("filled"."buyers__previous"), 0)
      ) < 1000000000000000
      THEN CAST(CAST(CAST((
        "filled"."buyers" - "filled"."buyers__previous"
      ) AS DOUBLE) / NULLIF(ABS("filled"."buyers__previous"), 0) AS DECIMAL(38, 12)) AS DOUBLE)
    END AS "buyers__percent_change",
    "filled"."kept"
  FROM "filled"
), "answer" AS (
  SELECT
    "calculated"."region",
    "calculated"."revenue",
    "calculated"."revenue__previous",
    "calculated"."revenue__difference",
    "calculated"."revenue__percent_change",
    "calculated"."buyers",
    "calculated"."buyers__previous",
    "calculated"."buyers__difference",
    "calculated"."buyers__percent_change"
  FROM "calculated"
  WHERE
    "calculated"."kept" = 1
)
SELECT
  "answer"."region",
  "answer"."revenue",
  "answer"."revenue__previous",
  "answer"."revenue__difference",
  "answer"."revenue__percent_change",
  "answer"."buyers",
  "answer"."buyers__previous",
  "answer"."buyers__difference",
  "answer"."buyers__percent_change"
FROM "answer"
WHERE
  "answer"."revenue__percent_change" <= :p9
ORDER BY
  "revenue__difference" ASC,
  "region" ASC
LIMIT 3

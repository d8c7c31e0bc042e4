WITH "orders_totals" AS (
  SELECT
    CAST(CAST(toStartOfMonth(CAST("orders"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "metric_time__month",
    "stores"."region" AS "region",
    SUM("orders"."amount") AS "revenue"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  WHERE
    "orders"."ordered_at" >= {p1: Date32} AND "orders"."ordered_at" < {p2: Date32}
  GROUP BY
    1,
    2
), "refunds_totals" AS (
  SELECT
    CAST(CAST(toStartOfMonth(CAST("refunds"."refunded_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "metric_time__month",
    "stores"."region" AS "region",
    SUM("refunds"."amount") AS "refunded"
  FROM "shop"."refunds" AS "refunds"
  LEFT JOIN "shop"."orders" AS "orders"
    ON "refunds"."order_id" = "orders"."order_id"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  WHERE
    "refunds"."refunded_at" >= {p3: Date32}
    AND "refunds"."refunded_at" < {p4: Date32}
  GROUP BY
    1,
    2
), "all_groups" AS (
  SELECT
    "orders_totals"."metric_time__month",
    "orders_totals"."region"
  FROM "orders_totals"
  UNION DISTINCT
  SELECT
    "refunds_totals"."metric_time__month",
    "refunds_totals"."region"
  FROM "refunds_totals"
), "asked" AS (
  SELECT
    "all_groups"."metric_time__month" AS "metric_time__month",
    "all_groups"."region" AS "region",
    "orders_totals"."revenue" AS "revenue",
    CASE
      WHEN NOT (
        "refunds_totals"."refunded" IS NULL
      )
      OR NOT (
        "orders_totals"."revenue" IS NULL
      )
      THEN CAST(COALESCE("refunds_totals"."refunded", 0) AS Nullable(Float64)) / nullIf(COALESCE("orders_totals"."revenue", 0), 0)
    END AS "refund_rate"
  FROM "all_groups"
  LEFT JOIN "orders_totals"
    ON "all_groups"."metric_time__month" IS NOT DISTINCT FROM "orders_totals"."metric_time__month"
    AND "all_groups"."region" IS NOT DISTINCT FROM "orders_totals"."region"
  LEFT JOIN "refunds_totals"
    ON "all_groups"."metric_time__month" IS NOT DISTINCT FROM "refunds_totals"."metric_time__month"
    AND "all_groups"."region" IS NOT DISTINCT FROM "refunds_totals"."region"
), "reach" AS (
  SELECT
    MIN("ends"."first_moment") AS "first_moment",
    MAX("ends"."last_moment") AS "last_moment"
  FROM (
    SELECT
      MIN("orders"."ordered_at") AS "first_moment",
      MAX("orders"."ordered_at") AS "last_moment"
    FROM "shop"."orders" AS "orders"
    UNION ALL
    SELECT
      MIN("refunds"."refunded_at") AS "first_moment",
      MAX("refunds"."refunded_at") AS "last_moment"
    FROM "shop"."refunds" AS "refunds"
  ) AS "ends"
), "span" AS (
  SELECT
    CAST(CAST(toStartOfMonth(CAST("reach"."first_moment" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "first_period",
    CAST(CAST(toStartOfMonth(CAST("reach"."last_moment" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "last_period",
    GREATEST(
      CAST(CAST(toStartOfMonth(CAST("reach"."first_moment" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)),
      CAST(CAST(toStartOfMonth(CAST({p9: Date32} AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32))
    ) AS "first_needed",
    GREATEST(
      CAST(CAST(toStartOfMonth(CAST("reach"."first_moment" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)),
      CAST(CAST(toStartOfMonth(CAST({p9: Date32} AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32))
    ) AS "first_shown",
    LEAST(
      CAST(CAST(CAST(toStartOfMonth(CAST("reach"."last_moment" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS Nullable(DateTime64(6))),
      CAST(CAST(CAST(toStartOfMonth(CAST({p10: Date32} AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS Nullable(DateTime64(6)))
    ) AS "last_shown"
  FROM "reach"
), "earlier_orders_totals" AS (
  SELECT
    CAST(CAST(toStartOfMonth(CAST("orders"."ordered_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "metric_time__month",
    "stores"."region" AS "region",
    SUM("orders"."amount") AS "revenue"
  FROM "shop"."orders" AS "orders"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  WHERE
    "orders"."ordered_at" >= {p5: Date32} AND "orders"."ordered_at" < {p6: Date32}
  GROUP BY
    1,
    2
), "earlier_refunds_totals" AS (
  SELECT
    CAST(CAST(toStartOfMonth(CAST("refunds"."refunded_at" AS Nullable(DateTime64(6)))) AS Nullable(DateTime64(6))) AS Nullable(Date32)) AS "metric_time__month",
    "stores"."region" AS "region",
    SUM("refunds"."amount") AS "refunded"
  FROM "shop"."refunds" AS "refunds"
  LEFT JOIN "shop"."orders" AS "orders"
    ON "refunds"."order_id" = "orders"."order_id"
  LEFT JOIN "shop"."stores" AS "stores"
    ON "orders"."store_id" = "stores"."store_id"
  WHERE
    "refunds"."refunded_at" >= {p7: Date32}
    AND "refunds"."refunded_at" < {p8: Date32}
  GROUP BY
    1,
    2
), "earlier_all_groups" AS (
  SELECT
    "earlier_orders_totals"."metric_time__month",
    "earlier_orders_totals"."region"
  FROM "earlier_orders_totals"
  UNION DISTINCT
  SELECT
    "earlier_refunds_totals"."metric_time__month",
    "earlier_refunds_totals"."region"
  FROM "earlier_refunds_totals"
), "earlier" AS (
  SELECT
    "earlier_all_groups"."metric_time__month" AS "metric_time__month",
    "earlier_all_groups"."region" AS "region",
    "earlier_orders_totals"."revenue" AS "revenue",
    CASE
      WHEN NOT (
        "earlier_refunds_totals"."refunded" IS NULL
      )
      OR NOT (
        "earlier_orders_totals"."revenue" IS NULL
      )
      THEN CAST(COALESCE("earlier_refunds_totals"."refunded", 0) AS Nullable(Float64)) / nullIf(COALESCE("earlier_orders_totals"."revenue", 0), 0)
    END AS "refund_rate"
  FROM "earlier_all_groups"
  LEFT JOIN "earlier_orders_totals"
    ON "earlier_all_groups"."metric_time__month" IS NOT DISTINCT FROM "earlier_orders_totals"."metric_time__month"
    AND "earlier_all_groups"."region" IS NOT DISTINCT FROM "earlier_orders_totals"."region"
  LEFT JOIN "earlier_refunds_totals"
    ON "earlier_all_groups"."metric_time__month" IS NOT DISTINCT FROM "earlier_refunds_totals"."metric_time__month"
    AND "earlier_all_groups"."region" IS NOT DISTINCT FROM "earlier_refunds_totals"."region"
), "lined_up" AS (
  SELECT
    "stacked"."metric_time__month" AS "metric_time__month",
    "stacked"."region" AS "region",
    MAX(CASE WHEN "stacked"."source" = 1 THEN "stacked"."revenue" END) AS "revenue",
    MAX(CASE WHEN "stacked"."source" = 1 THEN "stacked"."refund_rate" END) AS "refund_rate",
    MAX(CASE WHEN "stacked"."source" = 2 THEN "stacked"."revenue" END) AS "revenue__previous",
    MAX(CASE WHEN "stacked"."source" = 2 THEN "stacked"."refund_rate" END) AS "refund_rate__previous",
    MAX(CASE WHEN "stacked"."source" = 1 THEN 1 END) AS "in_asked",
    MAX(CASE WHEN "stacked"."source" = 2 THEN 1 END) AS "in_previous",
    MAX(CASE WHEN "stacked"."source" IN (1, 2) THEN 1 END) AS "kept"
  FROM (
    SELECT
      1 AS "source",
      "asked"."metric_time__month" AS "metric_time__month",
      "asked"."region" AS "region",
      "asked"."revenue" AS "revenue",
      "asked"."refund_rate" AS "refund_rate"
    FROM "asked"
    UNION ALL
    SELECT
      2 AS "source",
      CAST(addMonths(CAST("earlier"."metric_time__month" AS Nullable(DateTime64(6))), 12) AS Nullable(Date32)) AS "metric_time__month",
      "earlier"."region" AS "region",
      "earlier"."revenue" AS "revenue",
      "earlier"."refund_rate" AS "refund_rate"
    FROM "earlier"
    WHERE
      CAST(addMonths(CAST("earlier"."metric_time__month" AS Nullable(DateTime64(6))), 12) AS Nullable(Date32)) BETWEEN (
        SELECT
          "span"."first_shown"
        FROM "span"
      ) AND (
        SELECT
          "span"."last_shown"
        FROM "span"
      )
  ) AS "stacked"
  GROUP BY
    1,
    2
), "filled" AS (
  SELECT
    "lined_up"."metric_time__month",
    "lined_up"."region",
    CASE
      WHEN "lined_up"."revenue" IS NULL
      AND "lined_up"."metric_time__month" BETWEEN (
        SELECT
          "span"."first_period"
        FROM "span"
      ) AND (
        SELECT
          "span"."last_period"
        FROM "span"
      )
      THEN 0
      ELSE "lined_up"."revenue"
    END AS "revenue",
    "lined_up"."refund_rate" AS "refund_rate",
    CASE
      WHEN "lined_up"."revenue__previous" IS NULL
      AND CAST(addMonths(CAST("lined_up"."metric_time__month" AS Nullable(DateTime64(6))), -12) AS Nullable(Date32)) BETWEEN (
        SELECT
          "span"."first_period"
        FROM "span"
      ) AND (
        SELECT
          "span"."last_period"
        FROM "span"
      )
      THEN 0
      ELSE "lined_up"."revenue__previous"
    END AS "revenue__previous",
    "lined_up"."refund_rate__previous" AS "refund_rate__previous",
    "lined_up"."kept"
  FROM "lined_up"
), "calculated" AS (
  SELECT
    "filled"."metric_time__month",
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
        ) AS Nullable(Float64)) / nullIf(ABS("filled"."revenue__previous"), 0)
      ) < 1000000000000000
      THEN CAST(CAST(CAST((
        "filled"."revenue" - "filled"."revenue__previous"
      ) AS Nullable(Float64)) / nullIf(ABS("filled"."revenue__previous"), 0) AS Nullable(Decimal(38, 12))) AS Nullable(Float64))
    END AS "revenue__percent_change",
    "filled"."refund_rate" AS "refund_rate",
    "filled"."refund_rate__previous" AS "refund_rate__previous",
    CASE
      WHEN ABS((
        "filled"."refund_rate" - "filled"."refund_rate__previous"
      ) * 100) < 1000000000000000
      THEN CAST(CAST((
        "filled"."refund_rate" - "filled"."refund_rate__previous"
      ) * 100 AS Nullable(Decimal(38, 12))) AS Nullable(Float64))
    END AS "refund_rate__points",
    CASE
      WHEN ABS(
        CAST((
          "filled"."refund_rate" - "filled"."refund_rate__previous"
        ) AS Nullable(Float64)) / nullIf(ABS("filled"."refund_rate__previous"), 0)
      ) < 1000000000000000
      THEN CAST(CAST(CAST((
        "filled"."refund_rate" - "filled"."refund_rate__previous"
      ) AS Nullable(Float64)) / nullIf(ABS("filled"."refund_rate__previous"), 0) AS Nullable(Decimal(38, 12))) AS Nullable(Float64))
    END AS "refund_rate__percent_change",
    "filled"."kept"
  FROM "filled"
)
SELECT
  "calculated"."metric_time__month",
  "calculated"."region",
  "calculated"."revenue",
  "calculated"."revenue__previous",
  "calculated"."revenue__difference",
  "calculated"."revenue__percent_change",
  "calculated"."refund_rate",
  "calculated"."refund_rate__previous",
  "calculated"."refund_rate__points",
  "calculated"."refund_rate__percent_change"
FROM "calculated"
WHERE
  "calculated"."kept" = 1
ORDER BY
  "metric_time__month" ASC,
  "region" ASC
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, count_distinct_implementation = 'uniqExact', enable_extended_results_for_datetime_functions = 1, prefer_column_name_to_alias = 1, session_timezone = 'UTC'

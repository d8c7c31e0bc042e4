WITH `orders_totals` AS (
  SELECT
    CAST(CAST(TIMESTAMPADD(
      DAY,
      -(
        DAYOFMONTH(CAST(`orders`.`ordered_at` AS DATETIME(6))) - 1
      ),
      CAST(CAST(`orders`.`ordered_at` AS DATETIME(6)) AS DATE)
    ) AS DATETIME(6)) AS DATE) AS `metric_time__month`,
    `stores`.`region` AS `region`,
    SUM(`orders`.`amount`) AS `revenue`
  FROM `shop`.`orders` AS `orders`
  LEFT JOIN `shop`.`stores` AS `stores`
    ON `orders`.`store_id` = `stores`.`store_id`
  WHERE
    `orders`.`ordered_at` >= :p1 AND `orders`.`ordered_at` < :p2
  GROUP BY
    1,
    2
), `refunds_totals` AS (
  SELECT
    CAST(CAST(TIMESTAMPADD(
      DAY,
      -(
        DAYOFMONTH(CAST(`refunds`.`refunded_at` AS DATETIME(6))) - 1
      ),
      CAST(CAST(`refunds`.`refunded_at` AS DATETIME(6)) AS DATE)
    ) AS DATETIME(6)) AS DATE) AS `metric_time__month`,
    `stores`.`region` AS `region`,
    SUM(`refunds`.`amount`) AS `refunded`
  FROM `shop`.`refunds` AS `refunds`
  LEFT JOIN `shop`.`orders` AS `orders`
    ON `refunds`.`order_id` = `orders`.`order_id`
  LEFT JOIN `shop`.`stores` AS `stores`
    ON `orders`.`store_id` = `stores`.`store_id`
  WHERE
    `refunds`.`refunded_at` >= :p3 AND `refunds`.`refunded_at` < :p4
  GROUP BY
    1,
    2
), `all_groups` AS (
  SELECT
    `orders_totals`.`metric_time__month`,
    `orders_totals`.`region`
  FROM `orders_totals`
  UNION
  SELECT
    `refunds_totals`.`metric_time__month`,
    `refunds_totals`.`region`
  FROM `refunds_totals`
), `asked` AS (
  SELECT
    `all_groups`.`metric_time__month` AS `metric_time__month`,
    `all_groups`.`region` AS `region`,
    `orders_totals`.`revenue` AS `revenue`,
    CASE
      WHEN NOT `refunds_totals`.`refunded` IS NULL OR NOT `orders_totals`.`revenue` IS NULL
      THEN CAST(COALESCE(`refunds_totals`.`refunded`, 0) AS DOUBLE) / NULLIF(COALESCE(`orders_totals`.`revenue`, 0), 0)
    END AS `refund_rate`
  FROM `all_groups`
  LEFT JOIN `orders_totals`
    ON `all_groups`.`metric_time__month` <=> `orders_totals`.`metric_time__month`
    AND `all_groups`.`region` <=> `orders_totals`.`region`
  LEFT JOIN `refunds_totals`
    ON `all_groups`.`metric_time__month` <=> `refunds_totals`.`metric_time__month`
    AND `all_groups`.`region` <=> `refunds_totals`.`region`
), `reach` AS (
  SELECT
    MIN(`ends`.`first_moment`) AS `first_moment`,
    MAX(`ends`.`last_moment`) AS `last_moment`
  FROM (
    SELECT
      MIN(`orders`.`ordered_at`) AS `first_moment`,
      MAX(`orders`.`ordered_at`) AS `last_moment`
    FROM `shop`.`orders` AS `orders`
    UNION ALL
    SELECT
      MIN(`refunds`.`refunded_at`) AS `first_moment`,
      MAX(`refunds`.`refunded_at`) AS `last_moment`
    FROM `shop`.`refunds` AS `refunds`
  ) AS `ends`
), `span` AS (
  SELECT
    CAST(CAST(TIMESTAMPADD(
      DAY,
      -(
        DAYOFMONTH(CAST(`reach`.`first_moment` AS DATETIME(6))) - 1
      ),
      CAST(CAST(`reach`.`first_moment` AS DATETIME(6)) AS DATE)
    ) AS DATETIME(6)) AS DATE) AS `first_period`,
    CAST(CAST(TIMESTAMPADD(
      DAY,
      -(
        DAYOFMONTH(CAST(`reach`.`last_moment` AS DATETIME(6))) - 1
      ),
      CAST(CAST(`reach`.`last_moment` AS DATETIME(6)) AS DATE)
    ) AS DATETIME(6)) AS DATE) AS `last_period`,
    GREATEST(
      CAST(CAST(TIMESTAMPADD(
        DAY,
        -(
          DAYOFMONTH(CAST(`reach`.`first_moment` AS DATETIME(6))) - 1
        ),
        CAST(CAST(`reach`.`first_moment` AS DATETIME(6)) AS DATE)
      ) AS DATETIME(6)) AS DATE),
      CAST(CAST(TIMESTAMPADD(
        DAY,
        -(
          DAYOFMONTH(CAST(:p9 AS DATETIME(6))) - 1
        ),
        CAST(CAST(:p9 AS DATETIME(6)) AS DATE)
      ) AS DATETIME(6)) AS DATE)
    ) AS `first_needed`,
    GREATEST(
      CAST(CAST(TIMESTAMPADD(
        DAY,
        -(
          DAYOFMONTH(CAST(`reach`.`first_moment` AS DATETIME(6))) - 1
        ),
        CAST(CAST(`reach`.`first_moment` AS DATETIME(6)) AS DATE)
      ) AS DATETIME(6)) AS DATE),
      CAST(CAST(TIMESTAMPADD(
        DAY,
        -(
          DAYOFMONTH(CAST(:p9 AS DATETIME(6))) - 1
        ),
        CAST(CAST(:p9 AS DATETIME(6)) AS DATE)
      ) AS DATETIME(6)) AS DATE)
    ) AS `first_shown`,
    LEAST(
      CAST(CAST(CAST(TIMESTAMPADD(
        DAY,
        -(
          DAYOFMONTH(CAST(`reach`.`last_moment` AS DATETIME(6))) - 1
        ),
        CAST(CAST(`reach`.`last_moment` AS DATETIME(6)) AS DATE)
      ) AS DATETIME(6)) AS DATE) AS DATETIME(6)),
      CAST(CAST(CAST(TIMESTAMPADD(
        DAY,
        -(
          DAYOFMONTH(CAST(:p10 AS DATETIME(6))) - 1
        ),
        CAST(CAST(:p10 AS DATETIME(6)) AS DATE)
      ) AS DATETIME(6)) AS DATE) AS DATETIME(6))
    ) AS `last_shown`
  FROM `reach`
), `earlier_orders_totals` AS (
  SELECT
    CAST(CAST(TIMESTAMPADD(
      DAY,
      -(
        DAYOFMONTH(CAST(`orders`.`ordered_at` AS DATETIME(6))) - 1
      ),
      CAST(CAST(`orders`.`ordered_at` AS DATETIME(6)) AS DATE)
    ) AS DATETIME(6)) AS DATE) AS `metric_time__month`,
    `stores`.`region` AS `region`,
    SUM(`orders`.`amount`) AS `revenue`
  FROM `shop`.`orders` AS `orders`
  LEFT JOIN `shop`.`stores` AS `stores`
    ON `orders`.`store_id` = `stores`.`store_id`
  WHERE
    `orders`.`ordered_at` >= :p5 AND `orders`.`ordered_at` < :p6
  GROUP BY
    1,
    2
), `earlier_refunds_totals` AS (
  SELECT
    CAST(CAST(TIMESTAMPADD(
      DAY,
      -(
        DAYOFMONTH(CAST(`refunds`.`refunded_at` AS DATETIME(6))) - 1
      ),
      CAST(CAST(`refunds`.`refunded_at` AS DATETIME(6)) AS DATE)
    ) AS DATETIME(6)) AS DATE) AS `metric_time__month`,
    `stores`.`region` AS `region`,
    SUM(`refunds`.`amount`) AS `refunded`
  FROM `shop`.`refunds` AS `refunds`
  LEFT JOIN `shop`.`orders` AS `orders`
    ON `refunds`.`order_id` = `orders`.`order_id`
  LEFT JOIN `shop`.`stores` AS `stores`
    ON `orders`.`store_id` = `stores`.`store_id`
  WHERE
    `refunds`.`refunded_at` >= :p7 AND `refunds`.`refunded_at` < :p8
  GROUP BY
    1,
    2
), `earlier_all_groups` AS (
  SELECT
    `earlier_orders_totals`.`metric_time__month`,
    `earlier_orders_totals`.`region`
  FROM `earlier_orders_totals`
  UNION
  SELECT
    `earlier_refunds_totals`.`metric_time__month`,
    `earlier_refunds_totals`.`region`
  FROM `earlier_refunds_totals`
), `earlier` AS (
  SELECT
    `earlier_all_groups`.`metric_time__month` AS `metric_time__month`,
    `earlier_all_groups`.`region` AS `region`,
    `earlier_orders_totals`.`revenue` AS `revenue`,
    CASE
      WHEN NOT `earlier_refunds_totals`.`refunded` IS NULL
      OR NOT `earlier_orders_totals`.`revenue` IS NULL
      THEN CAST(COALESCE(`earlier_refunds_totals`.`refunded`, 0) AS DOUBLE) / NULLIF(COALESCE(`earlier_orders_totals`.`revenue`, 0), 0)
    END AS `refund_rate`
  FROM `earlier_all_groups`
  LEFT JOIN `earlier_orders_totals`
    ON `earlier_all_groups`.`metric_time__month` <=> `earlier_orders_totals`.`metric_time__month`
    AND `earlier_all_groups`.`region` <=> `earlier_orders_totals`.`region`
  LEFT JOIN `earlier_refunds_totals`
    ON `earlier_all_groups`.`metric_time__month` <=> `earlier_refunds_totals`.`metric_time__month`
    AND `earlier_all_groups`.`region` <=> `earlier_refunds_totals`.`region`
), `lined_up` AS (
  SELECT
    `stacked`.`metric_time__month` AS `metric_time__month`,
    `stacked`.`region` AS `region`,
    MAX(CASE WHEN `stacked`.`source` = 1 THEN `stacked`.`revenue` END) AS `revenue`,
    MAX(CASE WHEN `stacked`.`source` = 1 THEN `stacked`.`refund_rate` END) AS `refund_rate`,
    MAX(CASE WHEN `stacked`.`source` = 2 THEN `stacked`.`revenue` END) AS `revenue__previous`,
    MAX(CASE WHEN `stacked`.`source` = 2 THEN `stacked`.`refund_rate` END) AS `refund_rate__previous`,
    MAX(CASE WHEN `stacked`.`source` = 1 THEN 1 END) AS `in_asked`,
    MAX(CASE WHEN `stacked`.`source` = 2 THEN 1 END) AS `in_previous`,
    MAX(CASE WHEN `stacked`.`source` IN (1, 2) THEN 1 END) AS `kept`
  FROM (
    SELECT
      1 AS `source`,
      `asked`.`metric_time__month` AS `metric_time__month`,
      `asked`.`region` AS `region`,
      `asked`.`revenue` AS `revenue`,
      `asked`.`refund_rate` AS `refund_rate`
    FROM `asked`
    UNION ALL
    SELECT
      2 AS `source`,
      CAST(TIMESTAMPADD(MONTH, 12, CAST(`earlier`.`metric_time__month` AS DATETIME(6))) AS DATE) AS `metric_time__month`,
      `earlier`.`region` AS `region`,
      `earlier`.`revenue` AS `revenue`,
      `earlier`.`refund_rate` AS `refund_rate`
    FROM `earlier`
    WHERE
      CAST(TIMESTAMPADD(MONTH, 12, CAST(`earlier`.`metric_time__month` AS DATETIME(6))) AS DATE) BETWEEN (
        SELECT
          `span`.`first_shown`
        FROM `span`
      ) AND (
        SELECT
          `span`.`last_shown`
        FROM `span`
      )
  ) AS `stacked`
  GROUP BY
    1,
    2
), `filled` AS (
  SELECT
    `lined_up`.`metric_time__month`,
    `lined_up`.`region`,
    CASE
      WHEN `lined_up`.`revenue` IS NULL
      AND `lined_up`.`metric_time__month` BETWEEN (
        SELECT
          `span`.`first_period`
        FROM `span`
      ) AND (
        SELECT
          `span`.`last_period`
        FROM `span`
      )
      THEN 0
      ELSE `lined_up`.`revenue`
    END AS `revenue`,
    `lined_up`.`refund_rate` AS `refund_rate`,
    CASE
      WHEN `lined_up`.`revenue__previous` IS NULL
      AND CAST(TIMESTAMPADD(MONTH, -12, CAST(`lined_up`.`metric_time__month` AS DATETIME(6))) AS DATE) BETWEEN (
        SELECT
          `span`.`first_period`
        FROM `span`
      ) AND (
        SELECT
          `span`.`last_period`
        FROM `span`
      )
      THEN 0
      ELSE `lined_up`.`revenue__previous`
    END AS `revenue__previous`,
    `lined_up`.`refund_rate__previous` AS `refund_rate__previous`,
    `lined_up`.`kept`
  FROM `lined_up`
), `calculated` AS (
  SELECT
    `filled`.`metric_time__month`,
    `filled`.`region`,
    `filled`.`revenue` AS `revenue`,
    `filled`.`revenue__previous` AS `revenue__previous`,
    (
      `filled`.`revenue` - `filled`.`revenue__previous`
    ) AS `revenue__difference`,
    CASE
      WHEN ABS(
        CAST((
          `filled`.`revenue` - `filled`.`revenue__previous`
        ) AS DOUBLE) / NULLIF(ABS(`filled`.`revenue__previous`), 0)
      ) < 1000000000000000
      THEN CAST(CAST(CAST((
        `filled`.`revenue` - `filled`.`revenue__previous`
      ) AS DOUBLE) / NULLIF(ABS(`filled`.`revenue__previous`), 0) AS DECIMAL(38, 12)) AS DOUBLE)
    END AS `revenue__percent_change`,
    `filled`.`refund_rate` AS `refund_rate`,
    `filled`.`refund_rate__previous` AS `refund_rate__previous`,
    CASE
      WHEN ABS((
        `filled`.`refund_rate` - `filled`.`refund_rate__previous`
      ) * 100) < 1000000000000000
      THEN CAST(CAST((
        `filled`.`refund_rate` - `filled`.`refund_rate__previous`
      ) * 100 AS DECIMAL(38, 12)) AS DOUBLE)
    END AS `refund_rate__points`,
    CASE
      WHEN ABS(
        CAST((
          `filled`.`refund_rate` - `filled`.`refund_rate__previous`
        ) AS DOUBLE) / NULLIF(ABS(`filled`.`refund_rate__previous`), 0)
      ) < 1000000000000000
      THEN CAST(CAST(CAST((
        `filled`.`refund_rate` - `filled`.`refund_rate__previous`
      ) AS DOUBLE) / NULLIF(ABS(`filled`.`refund_rate__previous`), 0) AS DECIMAL(38, 12)) AS DOUBLE)
    END AS `refund_rate__percent_change`,
    `filled`.`kept`
  FROM `filled`
)
SELECT
  `calculated`.`metric_time__month`,
  `calculated`.`region`,
  `calculated`.`revenue`,
  `calculated`.`revenue__previous`,
  `calculated`.`revenue__difference`,
  `calculated`.`revenue__percent_change`,
  `calculated`.`refund_rate`,
  `calculated`.`refund_rate__previous`,
  `calculated`.`refund_rate__points`,
  `calculated`.`refund_rate__percent_change`
FROM `calculated`
WHERE
  `calculated`.`kept` = 1
ORDER BY
  CASE WHEN `calculated`.`metric_time__month` IS NULL THEN 1 ELSE 0 END, `calculated`.`metric_time__month` ASC,
  CASE WHEN `calculated`.`region` IS NULL THEN 1 ELSE 0 END, `calculated`.`region` ASC

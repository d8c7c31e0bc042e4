WITH `orders_totals` AS (
  SELECT
    CAST(CAST(TIMESTAMPADD(
      DAY,
      -WEEKDAY(CAST(`orders`.`ordered_at` AS DATETIME(6))),
      CAST(CAST(`orders`.`ordered_at` AS DATETIME(6)) AS DATE)
    ) AS DATETIME(6)) AS DATE) AS `metric_time__week`,
    `customers`.`tier` AS `tier`,
    SUM(`orders`.`amount`) AS `revenue`,
    COUNT(*) AS `orders`
  FROM `shop`.`orders` AS `orders`
  LEFT JOIN `shop`.`customers` AS `customers`
    ON `orders`.`customer_id` = `customers`.`customer_id`
  GROUP BY
    1,
    2
), `refunds_totals` AS (
  SELECT
    CAST(CAST(TIMESTAMPADD(
      DAY,
      -WEEKDAY(CAST(`refunds`.`refunded_at` AS DATETIME(6))),
      CAST(CAST(`refunds`.`refunded_at` AS DATETIME(6)) AS DATE)
    ) AS DATETIME(6)) AS DATE) AS `metric_time__week`,
    `customers`.`tier` AS `tier`,
    SUM(`refunds`.`amount`) AS `refunded`
  FROM `shop`.`refunds` AS `refunds`
  LEFT JOIN `shop`.`orders` AS `orders`
    ON `refunds`.`order_id` = `orders`.`order_id`
  LEFT JOIN `shop`.`customers` AS `customers`
    ON `orders`.`customer_id` = `customers`.`customer_id`
  GROUP BY
    1,
    2
), `all_groups` AS (
  SELECT
    `orders_totals`.`metric_time__week`,
    `orders_totals`.`tier`
  FROM `orders_totals`
  UNION
  SELECT
    `refunds_totals`.`metric_time__week`,
    `refunds_totals`.`tier`
  FROM `refunds_totals`
)
SELECT
  `all_groups`.`metric_time__week` AS `metric_time__week`,
  `all_groups`.`tier` AS `tier`,
  CASE
    WHEN NOT `orders_totals`.`revenue` IS NULL OR NOT `refunds_totals`.`refunded` IS NULL
    THEN COALESCE(`orders_totals`.`revenue`, 0) - COALESCE(`refunds_totals`.`refunded`, 0)
  END AS `net_revenue`,
  CASE
    WHEN NOT `refunds_totals`.`refunded` IS NULL OR NOT `orders_totals`.`revenue` IS NULL
    THEN CAST(COALESCE(`refunds_totals`.`refunded`, 0) AS DOUBLE) / NULLIF(COALESCE(`orders_totals`.`revenue`, 0), 0)
  END AS `refund_rate`,
  CAST(`orders_totals`.`revenue` AS DOUBLE) / NULLIF(COALESCE(`orders_totals`.`orders`, 0), 0) AS `aov`
FROM `all_groups`
LEFT JOIN `orders_totals`
  ON `all_groups`.`metric_time__week` <=> `orders_totals`.`metric_time__week`
  AND `all_groups`.`tier` <=> `orders_totals`.`tier`
LEFT JOIN `refunds_totals`
  ON `all_groups`.`metric_time__week` <=> `refunds_totals`.`metric_time__week`
  AND `all_groups`.`tier` <=> `refunds_totals`.`tier`
ORDER BY
  CASE WHEN `all_groups`.`metric_time__week` IS NULL THEN 1 ELSE 0 END, `all_groups`.`metric_time__week` ASC,
  CASE WHEN `all_groups`.`tier` IS NULL THEN 1 ELSE 0 END, `all_groups`.`tier` ASC

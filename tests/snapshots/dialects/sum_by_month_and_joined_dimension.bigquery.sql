WITH `orders_totals` AS (
  SELECT
    CAST(DATETIME_TRUNC(CAST(`orders`.`ordered_at` AS DATETIME), MONTH) AS DATE) AS `metric_time__month`,
    `stores`.`region` AS `region`,
    SUM(`orders`.`amount`) AS `revenue`
  FROM `shop`.`orders` AS `orders`
  LEFT JOIN `shop`.`stores` AS `stores`
    ON `orders`.`store_id` = `stores`.`store_id`
  LEFT JOIN `shop`.`customers` AS `customers`
    ON `orders`.`customer_id` = `customers`.`customer_id`
  WHERE
    CAST(`orders`.`ordered_at` AS DATETIME) >= CAST(@p1 AS DATETIME)
    AND CAST(`orders`.`ordered_at` AS DATETIME) < CAST(@p2 AS DATETIME)
    AND `customers`.`tier` IN (@p3, @p4)
  GROUP BY
    1,
    2
)
SELECT
  `orders_totals`.`metric_time__month` AS `metric_time__month`,
  `orders_totals`.`region` AS `region`,
  `orders_totals`.`revenue` AS `revenue`
FROM `orders_totals`
ORDER BY
  `metric_time__month` ASC NULLS LAST,
  `region` ASC NULLS LAST

WITH `orders_totals` AS (
  SELECT
    CAST(DATETIME_TRUNC(CAST(`orders`.`ordered_at` AS DATETIME), MONTH) AS DATE) AS `metric_time__month`,
    COUNT(*) AS `orders`
  FROM `shop`.`orders` AS `orders`
  WHERE
    CAST(`orders`.`ordered_at` AS DATETIME) >= CAST(@p1 AS DATETIME)
    AND CAST(`orders`.`ordered_at` AS DATETIME) < CAST(@p2 AS DATETIME)
  GROUP BY
    1
), `each_one` AS (
  SELECT
    `orders_totals`.`metric_time__month` AS `metric_time__month`,
    `orders_totals`.`orders` AS `orders`
  FROM `orders_totals`
)
SELECT
  CASE
    WHEN ABS(CAST(SUM(`each_one`.`orders`) AS FLOAT64) / NULLIF(3, 0)) < 1000000000000000
    THEN CAST(CAST(CAST(SUM(`each_one`.`orders`) AS FLOAT64) / NULLIF(3, 0) AS BIGNUMERIC) AS FLOAT64)
  END AS `average_orders_per_month`,
  COUNT(`each_one`.`orders`) AS `months_counted`
FROM `each_one`

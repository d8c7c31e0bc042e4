WITH `orders_totals` AS (
  SELECT
    SUM(`orders`.`amount`) AS `revenue_to_date`
  FROM `shop`.`orders` AS `orders`
  WHERE
    CAST(`orders`.`ordered_at` AS DATETIME) < CAST(@p1 AS DATETIME)
), `orders_totals_2` AS (
  SELECT
    SUM(`orders`.`amount`) AS `revenue_7d`
  FROM `shop`.`orders` AS `orders`
  WHERE
    CAST(`orders`.`ordered_at` AS DATETIME) >= CAST(@p2 AS DATETIME)
    AND CAST(`orders`.`ordered_at` AS DATETIME) < CAST(@p3 AS DATETIME)
)
SELECT
  `orders_totals`.`revenue_to_date` AS `revenue_to_date`,
  `orders_totals_2`.`revenue_7d` AS `revenue_7d`
FROM `orders_totals`
CROSS JOIN `orders_totals_2`

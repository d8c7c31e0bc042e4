WITH `orders_totals` AS (
  SELECT
    SUM(`orders`.`amount`) AS `revenue_to_date`
  FROM `shop`.`orders` AS `orders`
  WHERE
    `orders`.`ordered_at` < :p1
), `orders_totals_2` AS (
  SELECT
    SUM(`orders`.`amount`) AS `revenue_7d`
  FROM `shop`.`orders` AS `orders`
  WHERE
    `orders`.`ordered_at` >= :p2 AND `orders`.`ordered_at` < :p3
)
SELECT
  `orders_totals`.`revenue_to_date` AS `revenue_to_date`,
  `orders_totals_2`.`revenue_7d` AS `revenue_7d`
FROM `orders_totals`
CROSS JOIN `orders_totals_2`

WITH `orders_totals_rows` AS (
  SELECT DISTINCT
    `orders`.`order_id` AS `row_key`,
    `products`.`category` AS `category`,
    1 AS `orders`,
    `orders`.`amount` AS `average_order`
  FROM `shop`.`orders` AS `orders`
  LEFT JOIN `shop`.`items` AS `items`
    ON `orders`.`order_id` = `items`.`order_id`
  LEFT JOIN `shop`.`products` AS `products`
    ON `items`.`product_id` = `products`.`product_id`
), `orders_totals` AS (
  SELECT
    `orders_totals_rows`.`category` AS `category`,
    COUNT(*) AS `orders`,
    AVG(CAST(`orders_totals_rows`.`average_order` AS DOUBLE)) AS `average_order`
  FROM `orders_totals_rows`
  GROUP BY
    1
)
SELECT
  `orders_totals`.`category` AS `category`,
  `orders_totals`.`orders` AS `orders`,
  `orders_totals`.`average_order` AS `average_order`
FROM `orders_totals`
ORDER BY
  `category` ASC NULLS LAST

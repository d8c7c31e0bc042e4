WITH `orders_totals` AS (
  SELECT
    `orders`.`status` AS `status`,
    PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY
      CAST(`orders`.`amount` AS DOUBLE) ASC) AS `median_order`,
    COUNT(DISTINCT `orders`.`customer_id`) AS `buyers`,
    SUM(CASE WHEN (
      `orders`.`amount` >= 100
    ) THEN 1 ELSE 0 END) AS `large_order_count`
  FROM `shop`.`orders` AS `orders`
  GROUP BY
    1
)
SELECT
  `orders_totals`.`status` AS `status`,
  `orders_totals`.`median_order` AS `median_order`,
  `orders_totals`.`buyers` AS `buyers`,
  `orders_totals`.`large_order_count` AS `large_order_count`
FROM `orders_totals`
ORDER BY
  `status` ASC NULLS LAST

WITH `orders_totals` AS (
  SELECT
    `customers`.`tier` AS `tier`,
    SUM(CASE WHEN `orders`.`status` = :p1 THEN `orders`.`amount` END) AS `order_amount_0`,
    SUM(`orders`.`amount`) AS `order_amount_1`,
    NULLIF(COUNT(CASE WHEN `orders`.`status` = :p1 THEN 1 END), 0) AS `order_count_2`,
    CASE
      WHEN COUNT(
        CASE
          WHEN (
            `orders`.`status` <> :p2 OR `orders`.`status` IS NULL
          )
          AND (
            `customers`.`tier` = :p3 OR `customers`.`tier` IS NULL
          )
          THEN 1
        END
      ) > 0
      THEN COUNT(
        DISTINCT CASE
          WHEN (
            `orders`.`status` <> :p2 OR `orders`.`status` IS NULL
          )
          AND (
            `customers`.`tier` = :p3 OR `customers`.`tier` IS NULL
          )
          THEN `orders`.`customer_id`
        END
      )
    END AS `buyers_3`
  FROM `shop`.`orders` AS `orders`
  LEFT JOIN `shop`.`customers` AS `customers`
    ON `orders`.`customer_id` = `customers`.`customer_id`
  GROUP BY
    1
)
SELECT
  `orders_totals`.`tier` AS `tier`,
  `orders_totals`.`order_amount_0` AS `order_amount_0`,
  `orders_totals`.`order_amount_1` AS `order_amount_1`,
  COALESCE(`orders_totals`.`order_count_2`, 0) AS `order_count_2`,
  COALESCE(`orders_totals`.`buyers_3`, 0) AS `buyers_3`
FROM `orders_totals`
ORDER BY
  `tier` ASC NULLS LAST

WITH `orders_totals` AS (
  SELECT
    `customers`.`tier` AS `tier`,
    AVG(
      CAST(CASE
        WHEN (
          `orders`.`status` <> :p1 OR `orders`.`status` IS NULL
        )
        AND (
          `customers`.`tier` = :p2 OR `customers`.`tier` IS NULL
        )
        THEN `orders`.`amount`
      END AS DOUBLE)
    ) AS `average_amount_0`,
    SUM(
      CASE
        WHEN (
          `orders`.`status` <> :p1 OR `orders`.`status` IS NULL
        )
        AND (
          `customers`.`tier` = :p2 OR `customers`.`tier` IS NULL
        )
        THEN CASE WHEN (
          `orders`.`amount` >= 100
        ) THEN 1 ELSE 0 END
      END
    ) AS `large_orders_1`,
    PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY
      CASE
        WHEN (
          `orders`.`status` <> :p1 OR `orders`.`status` IS NULL
        )
        AND (
          `customers`.`tier` = :p2 OR `customers`.`tier` IS NULL
        )
        THEN CAST(`orders`.`amount` AS DOUBLE)
      END ASC) AS `median_amount_2`,
    MAX(CASE WHEN `orders`.`status` = :p3 THEN `orders`.`amount` END) AS `largest_amount_3`
  FROM `shop`.`orders` AS `orders`
  LEFT JOIN `shop`.`customers` AS `customers`
    ON `orders`.`customer_id` = `customers`.`customer_id`
  WHERE
    (
      (
        (
          `orders`.`status` <> :p1 OR `orders`.`status` IS NULL
        )
        AND (
          `customers`.`tier` = :p2 OR `customers`.`tier` IS NULL
        )
      )
      OR `orders`.`status` = :p3
    )
  GROUP BY
    1
)
SELECT
  `orders_totals`.`tier` AS `tier`,
  `orders_totals`.`average_amount_0` AS `average_amount_0`,
  `orders_totals`.`large_orders_1` AS `large_orders_1`,
  `orders_totals`.`median_amount_2` AS `median_amount_2`,
  `orders_totals`.`largest_amount_3` AS `largest_amount_3`
FROM `orders_totals`
ORDER BY
  `tier` ASC NULLS LAST

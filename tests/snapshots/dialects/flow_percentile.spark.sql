WITH `orders_1` AS (
  SELECT
    `source`.`channel` AS `order__channel`,
    PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY
      `source`.`amount` ASC) AS `middle_amount_1`
  FROM `mf`.`orders` AS `source`
  GROUP BY
    1
)
SELECT
  `orders_1`.`order__channel` AS `order__channel`,
  `orders_1`.`middle_amount_1` AS `middle`
FROM `orders_1`

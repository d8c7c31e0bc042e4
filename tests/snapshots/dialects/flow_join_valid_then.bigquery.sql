WITH `orders_1` AS (
  SELECT
    `customer__customer_history`.`tier` AS `customer__tier`,
    `customer__country__countries`.`continent` AS `customer__country__continent`,
    SUM(`source`.`amount`) AS `amount_1`
  FROM `mf`.`orders` AS `source`
  LEFT JOIN `mf`.`customer_history` AS `customer__customer_history`
    ON `source`.`customer_id` = `customer__customer_history`.`customer_id`
    AND DATETIME_TRUNC(CAST(`source`.`ordered_at` AS DATETIME), DAY) >= CAST(`customer__customer_history`.`valid_from` AS DATETIME)
    AND (
      DATETIME_TRUNC(CAST(`source`.`ordered_at` AS DATETIME), DAY) < CAST(`customer__customer_history`.`valid_to` AS DATETIME)
      OR `customer__customer_history`.`valid_to` IS NULL
    )
  LEFT JOIN `mf`.`countries` AS `customer__country__countries`
    ON `customer__customer_history`.`country_code` = `customer__country__countries`.`code`
  GROUP BY
    1,
    2
)
SELECT
  `orders_1`.`customer__tier` AS `customer__tier`,
  `orders_1`.`customer__country__continent` AS `customer__country__continent`,
  `orders_1`.`amount_1` AS `revenue`
FROM `orders_1`

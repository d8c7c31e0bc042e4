WITH `orders_1` AS (
  SELECT
    `source`.`customer_id` AS `customer`,
    NULLIF(COUNT(CASE WHEN (
      `source`.`channel` = 'web'
    ) THEN 1 END), 0) AS `orders_1`,
    SUM(
      CASE
        WHEN DATE_TRUNC('DAY', CAST(`source`.`ordered_at` AS TIMESTAMP)) < CAST('2025-02-02' AS DATE)
        THEN `source`.`amount`
      END
    ) AS `amount_2`
  FROM `mf`.`orders` AS `source`
  WHERE
    (
      (
        `source`.`channel` = 'web'
      )
      OR DATE_TRUNC('DAY', CAST(`source`.`ordered_at` AS TIMESTAMP)) < CAST('2025-02-02' AS DATE)
    )
  GROUP BY
    1
)
SELECT
  `orders_1`.`customer` AS `customer`,
  `orders_1`.`orders_1` AS `web_orders`,
  `orders_1`.`amount_2` AS `early_amount`
FROM `orders_1`

WITH `orders_totals` AS (
  SELECT
    SUM(`orders`.`amount`) AS `revenue`,
    COUNT(*) AS `orders`
  FROM `shop`.`orders` AS `orders`
  WHERE
    CAST(`orders`.`ordered_at` AS DATETIME) >= CAST(@p1 AS DATETIME)
    AND CAST(`orders`.`ordered_at` AS DATETIME) < CAST(@p2 AS DATETIME)
), `refunds_totals` AS (
  SELECT
    SUM(`refunds`.`amount`) AS `refunded`
  FROM `shop`.`refunds` AS `refunds`
  WHERE
    CAST(`refunds`.`refunded_at` AS DATETIME) >= CAST(@p3 AS DATETIME)
    AND CAST(`refunds`.`refunded_at` AS DATETIME) < CAST(@p4 AS DATETIME)
)
SELECT
  CASE
    WHEN NOT `orders_totals`.`revenue` IS NULL OR NOT `refunds_totals`.`refunded` IS NULL
    THEN COALESCE(`orders_totals`.`revenue`, 0) - COALESCE(`refunds_totals`.`refunded`, 0)
  END AS `net_revenue`,
  COALESCE(`orders_totals`.`orders`, 0) AS `orders`
FROM `orders_totals`
CROSS JOIN `refunds_totals`

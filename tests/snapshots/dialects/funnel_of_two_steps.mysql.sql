WITH `orders_totals` AS (
  SELECT
    `stores`.`region` AS `region`,
    COUNT(*) AS `orders`,
    SUM(CASE WHEN (
      `orders`.`amount` >= 100
    ) THEN 1 ELSE 0 END) AS `large_order_count`
  FROM `shop`.`orders` AS `orders`
  LEFT JOIN `shop`.`stores` AS `stores`
    ON `orders`.`store_id` = `stores`.`store_id`
  WHERE
    `orders`.`ordered_at` >= :p1 AND `orders`.`ordered_at` < :p2
  GROUP BY
    1
), `reached` AS (
  SELECT
    `orders_totals`.`region` AS `region`,
    `orders_totals`.`orders` AS `orders`,
    `orders_totals`.`large_order_count` AS `large_order_count`
  FROM `orders_totals`
), `answer` AS (
  SELECT
    `steps`.`region` AS `region`,
    `steps`.`place` AS `place`,
    `steps`.`step` AS `step`,
    `steps`.`reached` AS `reached`,
    `steps`.`of_first_step` AS `of_first_step`,
    `steps`.`of_step_before` AS `of_step_before`,
    `steps`.`lost_since_step_before` AS `lost_since_step_before`
  FROM (
    SELECT
      `reached`.`region` AS `region`,
      0 AS `place`,
      CAST(:p3 AS CHAR) AS `step`,
      COALESCE(`reached`.`orders`, 0) AS `reached`,
      CASE
        WHEN ABS(
          CAST(COALESCE(`reached`.`orders`, 0) AS DOUBLE) / NULLIF(COALESCE(`reached`.`orders`, 0), 0)
        ) < 1000000000000000
        THEN CAST(CAST(CAST(COALESCE(`reached`.`orders`, 0) AS DOUBLE) / NULLIF(COALESCE(`reached`.`orders`, 0), 0) AS DECIMAL(38, 12)) AS DOUBLE)
      END AS `of_first_step`,
      CAST(NULL AS DOUBLE) AS `of_step_before`,
      CAST(NULL AS DOUBLE) AS `lost_since_step_before`
    FROM `reached`
    UNION ALL
    SELECT
      `reached`.`region` AS `region`,
      1 AS `place`,
      CAST(:p4 AS CHAR) AS `step`,
      COALESCE(`reached`.`large_order_count`, 0) AS `reached`,
      CASE
        WHEN ABS(
          CAST(COALESCE(`reached`.`large_order_count`, 0) AS DOUBLE) / NULLIF(COALESCE(`reached`.`orders`, 0), 0)
        ) < 1000000000000000
        THEN CAST(CAST(CAST(COALESCE(`reached`.`large_order_count`, 0) AS DOUBLE) / NULLIF(COALESCE(`reached`.`orders`, 0), 0) AS DECIMAL(38, 12)) AS DOUBLE)
      END AS `of_first_step`,
      CASE
        WHEN ABS(
          CAST(COALESCE(`reached`.`large_order_count`, 0) AS DOUBLE) / NULLIF(COALESCE(`reached`.`orders`, 0), 0)
        ) < 1000000000000000
        THEN CAST(CAST(CAST(COALESCE(`reached`.`large_order_count`, 0) AS DOUBLE) / NULLIF(COALESCE(`reached`.`orders`, 0), 0) AS DECIMAL(38, 12)) AS DOUBLE)
      END AS `of_step_before`,
      (
        COALESCE(`reached`.`orders`, 0) - COALESCE(`reached`.`large_order_count`, 0)
      ) AS `lost_since_step_before`
    FROM `reached`
  ) AS `steps`
)
SELECT
  `answer`.`region`,
  `answer`.`step`,
  `answer`.`reached`,
  `answer`.`of_first_step`,
  `answer`.`of_step_before`,
  `answer`.`lost_since_step_before`
FROM `answer`
ORDER BY
  CASE WHEN `answer`.`region` IS NULL THEN 1 ELSE 0 END, `answer`.`region` ASC,
  CASE WHEN `answer`.`place` IS NULL THEN 1 ELSE 0 END, `answer`.`place` ASC,
  CASE WHEN `answer`.`step` IS NULL THEN 1 ELSE 0 END, `answer`.`step` ASC

WITH `orders_totals_days` AS (
  SELECT DISTINCT
    CAST(DATETIME_TRUNC(CAST(`orders`.`ordered_at` AS DATETIME), DAY) AS DATE) AS `day`
  FROM `shop`.`orders` AS `orders`
  WHERE
    NOT `orders`.`ordered_at` IS NULL
), `orders_totals_periods` AS (
  SELECT DISTINCT
    CAST(DATETIME_TRUNC(CAST(`orders_totals_days`.`day` AS DATETIME), MONTH) AS DATE) AS `metric_time__month`,
    CAST(LEAST(
      CAST(DATETIME_ADD(
        CAST(CAST(DATETIME_TRUNC(CAST(`orders_totals_days`.`day` AS DATETIME), MONTH) AS DATE) AS DATETIME),
        INTERVAL (
          1
        ) MONTH
      ) AS DATETIME),
      CAST(DATETIME_ADD(
        CAST((
          SELECT
            MAX(`orders_totals_days`.`day`)
          FROM `orders_totals_days`
        ) AS DATETIME),
        INTERVAL (
          1
        ) DAY
      ) AS DATETIME),
      CAST(CAST(@p1 AS DATE) AS DATETIME)
    ) AS DATE) AS `until`
  FROM `orders_totals_days`
  WHERE
    CAST(`orders_totals_days`.`day` AS DATETIME) >= CAST(@p2 AS DATETIME)
    AND CAST(`orders_totals_days`.`day` AS DATETIME) < CAST(@p3 AS DATETIME)
), `orders_totals_rows` AS (
  SELECT
    CAST(DATETIME_TRUNC(CAST(`orders`.`ordered_at` AS DATETIME), DAY) AS DATE) AS `day`,
    `stores`.`region` AS `region`,
    SUM(`orders`.`amount`) AS `revenue_to_date`
  FROM `shop`.`orders` AS `orders`
  LEFT JOIN `shop`.`stores` AS `stores`
    ON `orders`.`store_id` = `stores`.`store_id`
  GROUP BY
    1,
    2
), `orders_totals` AS (
  SELECT
    `orders_totals_periods`.`metric_time__month` AS `metric_time__month`,
    `orders_totals_rows`.`region` AS `region`,
    SUM(`orders_totals_rows`.`revenue_to_date`) AS `revenue_to_date`
  FROM `orders_totals_periods`
  JOIN `orders_totals_rows`
    ON `orders_totals_rows`.`day` < `orders_totals_periods`.`until`
  GROUP BY
    1,
    2
), `orders_totals_2_days` AS (
  SELECT DISTINCT
    CAST(DATETIME_TRUNC(CAST(`orders`.`ordered_at` AS DATETIME), DAY) AS DATE) AS `day`
  FROM `shop`.`orders` AS `orders`
  WHERE
    NOT `orders`.`ordered_at` IS NULL
), `orders_totals_2_periods` AS (
  SELECT DISTINCT
    CAST(DATETIME_TRUNC(CAST(`orders_totals_2_days`.`day` AS DATETIME), MONTH) AS DATE) AS `metric_time__month`,
    CAST(LEAST(
      CAST(DATETIME_ADD(
        CAST(CAST(DATETIME_TRUNC(CAST(`orders_totals_2_days`.`day` AS DATETIME), MONTH) AS DATE) AS DATETIME),
        INTERVAL (
          1
        ) MONTH
      ) AS DATETIME),
      CAST(DATETIME_ADD(
        CAST((
          SELECT
            MAX(`orders_totals_2_days`.`day`)
          FROM `orders_totals_2_days`
        ) AS DATETIME),
        INTERVAL (
          1
        ) DAY
      ) AS DATETIME),
      CAST(CAST(@p4 AS DATE) AS DATETIME)
    ) AS DATE) AS `until`,
    CAST(CAST(DATETIME_TRUNC(
      CAST(DATETIME_ADD(
        CAST(LEAST(
          CAST(DATETIME_ADD(
            CAST(CAST(DATETIME_TRUNC(CAST(`orders_totals_2_days`.`day` AS DATETIME), MONTH) AS DATE) AS DATETIME),
            INTERVAL (
              1
            ) MONTH
          ) AS DATETIME),
          CAST(DATETIME_ADD(
            CAST((
              SELECT
                MAX(`orders_totals_2_days`.`day`)
              FROM `orders_totals_2_days`
            ) AS DATETIME),
            INTERVAL (
              1
            ) DAY
          ) AS DATETIME),
          CAST(CAST(@p4 AS DATE) AS DATETIME)
        ) AS DATETIME),
        INTERVAL (
          -1
        ) DAY
      ) AS DATETIME),
      MONTH
    ) AS DATE) AS DATE) AS `since`
  FROM `orders_totals_2_days`
  WHERE
    CAST(`orders_totals_2_days`.`day` AS DATETIME) >= CAST(@p5 AS DATETIME)
    AND CAST(`orders_totals_2_days`.`day` AS DATETIME) < CAST(@p6 AS DATETIME)
), `orders_totals_2_rows` AS (
  SELECT
    CAST(DATETIME_TRUNC(CAST(`orders`.`ordered_at` AS DATETIME), DAY) AS DATE) AS `day`,
    `stores`.`region` AS `region`,
    SUM(`orders`.`amount`) AS `revenue_mtd`
  FROM `shop`.`orders` AS `orders`
  LEFT JOIN `shop`.`stores` AS `stores`
    ON `orders`.`store_id` = `stores`.`store_id`
  GROUP BY
    1,
    2
), `orders_totals_2` AS (
  SELECT
    `orders_totals_2_periods`.`metric_time__month` AS `metric_time__month`,
    `orders_totals_2_rows`.`region` AS `region`,
    SUM(`orders_totals_2_rows`.`revenue_mtd`) AS `revenue_mtd`
  FROM `orders_totals_2_periods`
  JOIN `orders_totals_2_rows`
    ON `orders_totals_2_rows`.`day` < `orders_totals_2_periods`.`until`
    AND `orders_totals_2_rows`.`day` >= `orders_totals_2_periods`.`since`
  GROUP BY
    1,
    2
), `all_groups` AS (
  SELECT
    `orders_totals`.`metric_time__month`,
    `orders_totals`.`region`
  FROM `orders_totals`
  UNION DISTINCT
  SELECT
    `orders_totals_2`.`metric_time__month`,
    `orders_totals_2`.`region`
  FROM `orders_totals_2`
)
SELECT
  `all_groups`.`metric_time__month` AS `metric_time__month`,
  `all_groups`.`region` AS `region`,
  `orders_totals`.`revenue_to_date` AS `revenue_to_date`,
  `orders_totals_2`.`revenue_mtd` AS `revenue_mtd`
FROM `all_groups`
LEFT JOIN `orders_totals`
  ON TO_JSON_STRING(`all_groups`.`metric_time__month`) = TO_JSON_STRING(`orders_totals`.`metric_time__month`)
  AND TO_JSON_STRING(`all_groups`.`region`) = TO_JSON_STRING(`orders_totals`.`region`)
LEFT JOIN `orders_totals_2`
  ON TO_JSON_STRING(`all_groups`.`metric_time__month`) = TO_JSON_STRING(`orders_totals_2`.`metric_time__month`)
  AND TO_JSON_STRING(`all_groups`.`region`) = TO_JSON_STRING(`orders_totals_2`.`region`)
ORDER BY
  `metric_time__month` ASC NULLS LAST,
  `region` ASC NULLS LAST

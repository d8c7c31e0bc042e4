WITH `seats_totals_rows` AS (
  SELECT
    `seats`.`counted_on` AS `counted_on`,
    `seats`.`seats` AS `seats`,
    `seats`.`customer_id` AS `customer_id`,
    MIN(`seats`.`counted_on`) OVER (
      PARTITION BY CAST(DATETIME_TRUNC(CAST(`seats`.`counted_on` AS DATETIME), QUARTER) AS DATE), `seats`.`customer_id`
    ) AS `picked`
  FROM `shop`.`seats` AS `seats`
  WHERE
    CAST(`seats`.`counted_on` AS DATETIME) >= CAST(@p1 AS DATETIME)
    AND CAST(`seats`.`counted_on` AS DATETIME) < CAST(@p2 AS DATETIME)
), `seats_totals` AS (
  SELECT
    CAST(DATETIME_TRUNC(CAST(`seats`.`counted_on` AS DATETIME), QUARTER) AS DATE) AS `metric_time__quarter`,
    `customers`.`tier` AS `tier`,
    SUM(`seats`.`seats`) AS `seats`
  FROM `seats_totals_rows` AS `seats`
  LEFT JOIN `shop`.`customers` AS `customers`
    ON `seats`.`customer_id` = `customers`.`customer_id`
  WHERE
    `seats`.`counted_on` = `seats`.`picked`
    AND (
      `customers`.`tier` = @p3 OR `customers`.`tier` IS NULL
    )
  GROUP BY
    1,
    2
)
SELECT
  `seats_totals`.`metric_time__quarter` AS `metric_time__quarter`,
  `seats_totals`.`tier` AS `tier`,
  `seats_totals`.`seats` AS `seats`
FROM `seats_totals`
ORDER BY
  `metric_time__quarter` ASC NULLS LAST,
  `tier` ASC NULLS LAST

WITH `balances_1_rows` AS (
  SELECT
    `source`.`counted_on` AS `counted_on`,
    `source`.`balance` AS `balance`,
    `source`.`customer_id` AS `customer_id`,
    MAX(`source`.`counted_on`) OVER (
      PARTITION BY `source`.`customer_id`, DATE_TRUNC('MONTH', CAST(`source`.`counted_on` AS TIMESTAMP))
    ) AS `picked`
  FROM `mf`.`balances` AS `source`
), `balances_1` AS (
  SELECT
    DATE_TRUNC('MONTH', CAST(`source`.`counted_on` AS TIMESTAMP)) AS `metric_time__month`,
    `customer__country__countries`.`continent` AS `customer__country__continent`,
    SUM(`source`.`balance`) AS `last_balance_of_each_1`
  FROM `balances_1_rows` AS `source`
  LEFT JOIN `mf`.`customer_history` AS `customer__customer_history`
    ON `source`.`customer_id` = `customer__customer_history`.`customer_id`
    AND DATE_TRUNC('DAY', CAST(`source`.`counted_on` AS TIMESTAMP)) >= CAST(`customer__customer_history`.`valid_from` AS TIMESTAMP)
    AND (
      DATE_TRUNC('DAY', CAST(`source`.`counted_on` AS TIMESTAMP)) < CAST(`customer__customer_history`.`valid_to` AS TIMESTAMP)
      OR `customer__customer_history`.`valid_to` IS NULL
    )
  LEFT JOIN `mf`.`countries` AS `customer__country__countries`
    ON `customer__customer_history`.`country_code` = `customer__country__countries`.`code`
  WHERE
    `source`.`counted_on` = `source`.`picked`
  GROUP BY
    1,
    2
)
SELECT
  `balances_1`.`metric_time__month` AS `metric_time__month`,
  `balances_1`.`customer__country__continent` AS `customer__country__continent`,
  `balances_1`.`last_balance_of_each_1` AS `last_balance_of_each`
FROM `balances_1`

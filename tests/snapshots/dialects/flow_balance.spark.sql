WITH `balances_1_rows` AS (
  SELECT
    DATE_TRUNC('MONTH', CAST(`source`.`counted_on` AS TIMESTAMP)) AS `metric_time__month`,
    `source`.`customer_id` AS `customer`,
    `source`.`balance` AS `last_balance_1`,
    `source`.`counted_on` AS `moment`,
    MAX(`source`.`counted_on`) OVER (PARTITION BY DATE_TRUNC('MONTH', CAST(`source`.`counted_on` AS TIMESTAMP))) AS `picked`
  FROM `mf`.`balances` AS `source`
), `balances_1` AS (
  SELECT
    `balances_1_rows`.`metric_time__month` AS `metric_time__month`,
    `balances_1_rows`.`customer` AS `customer`,
    SUM(`balances_1_rows`.`last_balance_1`) AS `last_balance_1`
  FROM `balances_1_rows`
  WHERE
    `balances_1_rows`.`moment` = `balances_1_rows`.`picked`
  GROUP BY
    1,
    2
)
SELECT
  `balances_1`.`metric_time__month` AS `metric_time__month`,
  `balances_1`.`customer` AS `customer`,
  `balances_1`.`last_balance_1` AS `last_balance`
FROM `balances_1`

WITH `orders_1` AS (
  SELECT
    `numbered_rows`.`key_1` AS `order__channel`,
    MAX(
      CASE
        WHEN `numbered_rows`.`value_3` * 2 >= `numbered_rows`.`value_4` * 1
        AND (
          (
            `numbered_rows`.`value_3` - 1
          ) * 2 < `numbered_rows`.`value_4` * 1
          OR `numbered_rows`.`value_3` = 1
        )
        THEN `numbered_rows`.`value_2`
      END
    ) AS `middle_amount_1`
  FROM (
    SELECT
      `source`.`channel` AS `key_1`,
      `source`.`amount` AS `value_2`,
      ROW_NUMBER() OVER (PARTITION BY `source`.`channel` ORDER BY `source`.`amount` ASC NULLS LAST) AS `value_3`,
      COUNT(`source`.`amount`) OVER (PARTITION BY `source`.`channel`) AS `value_4`
    FROM `mf`.`orders` AS `source`
  ) AS `numbered_rows`
  GROUP BY
    1
)
SELECT
  `orders_1`.`order__channel` AS `order__channel`,
  `orders_1`.`middle_amount_1` AS `middle`
FROM `orders_1`

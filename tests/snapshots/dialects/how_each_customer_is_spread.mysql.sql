WITH `orders_totals` AS (
  SELECT
    `orders`.`customer_id` AS `customer`,
    SUM(`orders`.`amount`) AS `revenue`
  FROM `shop`.`orders` AS `orders`
  GROUP BY
    1
), `each_one` AS (
  SELECT
    `orders_totals`.`customer` AS `customer`,
    `orders_totals`.`revenue` AS `revenue`
  FROM `orders_totals`
)
SELECT
  COUNT(`numbered_rows`.`value_1`) AS `counted`,
  COUNT(DISTINCT `numbered_rows`.`value_2`) AS `different`,
  COUNT(
    CASE WHEN `numbered_rows`.`value_3` <> FLOOR(`numbered_rows`.`value_4`) THEN 1 END
  ) AS `broken`,
  MIN(`numbered_rows`.`value_5`) AS `smallest`,
  MAX(
    CASE
      WHEN (
        `numbered_rows`.`value_7` - 1
      ) * 100 <= (
        `numbered_rows`.`value_8` - 1
      ) * 99
      AND (
        `numbered_rows`.`value_7` - 0
      ) * 100 > (
        `numbered_rows`.`value_8` - 1
      ) * 99
      THEN CAST(`numbered_rows`.`value_6` AS DOUBLE)
    END
  ) + (
    MAX(
      CASE
        WHEN (
          `numbered_rows`.`value_7` - 1
        ) * 100 >= (
          `numbered_rows`.`value_8` - 1
        ) * 99
        AND (
          `numbered_rows`.`value_7` - 2
        ) * 100 < (
          `numbered_rows`.`value_8` - 1
        ) * 99
        THEN CAST(`numbered_rows`.`value_6` AS DOUBLE)
      END
    ) - MAX(
      CASE
        WHEN (
          `numbered_rows`.`value_7` - 1
        ) * 100 <= (
          `numbered_rows`.`value_8` - 1
        ) * 99
        AND (
          `numbered_rows`.`value_7` - 0
        ) * 100 > (
          `numbered_rows`.`value_8` - 1
        ) * 99
        THEN CAST(`numbered_rows`.`value_6` AS DOUBLE)
      END
    )
  ) * (
    CAST(MAX(
      CASE
        WHEN (
          (
            `numbered_rows`.`value_7` - 1
          ) * 100 <= (
            `numbered_rows`.`value_8` - 1
          ) * 99
          AND (
            `numbered_rows`.`value_7` - 0
          ) * 100 > (
            `numbered_rows`.`value_8` - 1
          ) * 99
        )
        AND NOT `numbered_rows`.`value_6` IS NULL
        THEN (
          (
            `numbered_rows`.`value_8` - 1
          ) * 99 - (
            `numbered_rows`.`value_7` - 1
          ) * 100
        )
      END
    ) AS DOUBLE) / 100
  ) AS `high`,
  MAX(`numbered_rows`.`value_9`) AS `largest`
FROM (
  SELECT
    `each_one`.`revenue` AS `value_1`,
    `each_one`.`revenue` AS `value_2`,
    `each_one`.`revenue` AS `value_3`,
    `each_one`.`revenue` AS `value_4`,
    `each_one`.`revenue` AS `value_5`,
    CAST(`each_one`.`revenue` AS DOUBLE) AS `value_6`,
    ROW_NUMBER() OVER (
      ORDER BY CASE WHEN CAST(`each_one`.`revenue` AS DOUBLE) IS NULL THEN 1 ELSE 0 END ASC, CAST(`each_one`.`revenue` AS DOUBLE) ASC
    ) AS `value_7`,
    COUNT(CAST(`each_one`.`revenue` AS DOUBLE)) OVER () AS `value_8`,
    `each_one`.`revenue` AS `value_9`
  FROM `each_one`
  WHERE
    NOT `each_one`.`customer` IS NULL
) AS `numbered_rows`

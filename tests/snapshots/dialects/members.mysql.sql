SELECT DISTINCT
  `countries`.`name` AS `country_name`,
  `customers`.`tier` AS `tier`
FROM `shop`.`customers` AS `customers`
LEFT JOIN `shop`.`countries` AS `countries`
  ON `customers`.`country_code` = `countries`.`code`
ORDER BY
  CASE WHEN `countries`.`name` IS NULL THEN 1 ELSE 0 END, `countries`.`name` ASC,
  CASE WHEN `customers`.`tier` IS NULL THEN 1 ELSE 0 END, `customers`.`tier` ASC

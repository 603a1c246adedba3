-- SPDX-License-Identifier: GPL-3.0-or-later
-- Orders of a shop: loading, indexes, joins, aggregates, windows, text and JSON.  Parameter :n, number of customers.
CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, town TEXT);
CREATE TABLE purchase(id INTEGER PRIMARY KEY, customer INT REFERENCES customer, item TEXT, price INT);

WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < :n)
INSERT INTO customer SELECT i, printf('name%05d', i * 7919 % 10007), 'town' || i * 31 % 97 FROM seq;

WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq WHERE i < 5 * :n)
INSERT INTO purchase SELECT i, i * 7907 % :n + 1, 'item' || i * 17 % 211, i * 37 % 1999 FROM seq;

CREATE INDEX by_customer ON purchase(customer);
CREATE INDEX by_item ON purchase(item, price);

SELECT town, count(*), sum(price), avg(price)
FROM customer JOIN purchase ON purchase.customer = customer.id
GROUP BY town ORDER BY 3 DESC LIMIT 5;

SELECT item, max(total) FROM (
  SELECT item, customer, sum(price) AS total FROM purchase GROUP BY item, customer
) GROUP BY item ORDER BY 2 DESC, 1 LIMIT 5;

SELECT id, price, rank FROM (
  SELECT id, price, rank() OVER (PARTITION BY item ORDER BY price DESC) AS rank FROM purchase
) WHERE rank <= 2 ORDER BY price DESC, id LIMIT 5;

SELECT count(*) FROM customer WHERE name LIKE '%42%' AND NOT EXISTS (
  SELECT 1 FROM purchase WHERE customer = customer.id AND price > 1990);

SELECT sum(json_extract(line, '$.price[1]')) FROM (
  SELECT json_object('id', id, 'price', json_array(0, price)) AS line FROM purchase WHERE id % 3 = 0);

SELECT substr(group_concat(upper(substr(name, 3, 4)), '-'), 1, 60) FROM customer WHERE id % 100 = 0;

BEGIN;
UPDATE purchase SET price = price + 1 WHERE customer IN (SELECT id FROM customer WHERE town = 'town5');
DELETE FROM purchase WHERE item BETWEEN 'item100' AND 'item120';
SELECT count(*), sum(price), changes() FROM purchase;
ROLLBACK;

SELECT count(*), sum(price) FROM purchase;

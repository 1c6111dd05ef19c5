-- Joins by hash and by nested loop.
SELECT n_name, r_name FROM nation JOIN region ON n_regionkey = r_regionkey;
SELECT r_name, count(*) FROM nation, region WHERE n_regionkey = r_regionkey GROUP BY r_name;
SELECT c_name, n_name FROM customer JOIN nation ON c_nationkey = n_nationkey WHERE c_custkey < 50;
SELECT count(*) FROM orders JOIN lineitem ON o_orderkey = l_orderkey WHERE o_orderdate < DATE '1993-01-01';
SELECT o_orderpriority, count(*), sum(l_extendedprice) FROM orders JOIN lineitem ON o_orderkey = l_orderkey GROUP BY o_orderpriority;
SELECT n_name, count(c_custkey) FROM nation LEFT JOIN customer ON n_nationkey = c_nationkey AND c_acctbal > 9900 GROUP BY n_name;
SELECT a.id, a.k, b.id FROM t_small a LEFT JOIN t_small b ON a.k = b.k AND b.id > 5;
SELECT a.id, b.id FROM t_small a LEFT JOIN t_small b ON a.k = b.k AND a.b = b.b;
SELECT a.id, b.id FROM t_small a JOIN t_small b ON a.k = b.k AND a.v < b.v;
SELECT a.id, b.id FROM t_small a JOIN t_small b ON a.k < b.k WHERE a.id < 4;
SELECT a.id, b.id FROM t_small a CROSS JOIN t_small b WHERE a.id < 3 AND b.id > 10;
SELECT a.id, b.id FROM t_small a RIGHT JOIN t_small b ON a.k = b.k AND a.id > 6;
SELECT a.id, b.id FROM t_small a FULL JOIN t_small b ON a.k = b.k AND a.id > 6 AND b.id < 4;
SELECT id FROM t_small a WHERE EXISTS (SELECT 1 FROM t_big b WHERE b.id = a.k);
SELECT id FROM t_small a WHERE NOT EXISTS (SELECT 1 FROM t_big b WHERE b.id = a.k);
SELECT id FROM t_small WHERE k IN (SELECT k FROM t_big WHERE k < 25);
SELECT c_custkey FROM customer WHERE c_custkey NOT IN (SELECT o_custkey FROM orders) AND c_custkey < 100;
SELECT c_custkey, count(o_orderkey) FROM customer LEFT JOIN orders ON c_custkey = o_custkey AND o_comment NOT LIKE '%special%' WHERE c_custkey < 60 GROUP BY c_custkey;
SELECT s.s_name, n.n_name, r.r_name FROM supplier s JOIN nation n ON s.s_nationkey = n.n_nationkey JOIN region r ON n.n_regionkey = r.r_regionkey WHERE r.r_name = 'EUROPE';
SELECT n1.n_name, n2.n_name FROM nation n1 JOIN nation n2 ON n1.n_regionkey = n2.n_regionkey AND n1.n_nationkey < n2.n_nationkey;
SELECT a.g, b.g, count(*) FROM (SELECT g, k FROM t_big WHERE id < 300) a JOIN (SELECT g, k FROM t_big WHERE id < 300) b ON a.k = b.k GROUP BY a.g, b.g;
SELECT a.id FROM t_types a JOIN t_types b ON a.c_date = b.c_date AND a.id <> b.id;
SELECT a.id, b.id FROM t_types a JOIN t_types b ON a.c_str = b.c_str WHERE a.id < 20;
SELECT a.id, b.id FROM t_types a JOIN t_types b ON a.c_dec38 = b.c_dec38 WHERE a.id < 5;
SELECT count(*) FROM part JOIN partsupp ON p_partkey = ps_partkey JOIN supplier ON ps_suppkey = s_suppkey WHERE p_size = 15;
SELECT a.id, c.id FROM t_small a JOIN t_small b ON a.k = b.k JOIN t_small c ON b.s = c.s WHERE a.id <= 3;
SELECT a.k, b.k FROM (SELECT DISTINCT k FROM t_small) a JOIN (SELECT DISTINCT k FROM t_small) b ON a.k IS NOT DISTINCT FROM b.k;
SELECT count(*) FROM t_parts a JOIN t_big b ON a.id = b.id AND a.k = b.k;
SELECT * FROM region NATURAL JOIN (SELECT r_regionkey, 'x' AS extra FROM region) x;
SELECT id, k FROM t_small JOIN (SELECT k, count(*) AS c FROM t_small GROUP BY k) x USING (k) WHERE c > 1 AND id < 5;
SELECT a.id, b.id FROM t_small a JOIN t_small b USING (k) WHERE k > 10 AND k <> 30;
SELECT k, count(*), max(k) FROM t_small a LEFT JOIN t_small b USING (k) GROUP BY k HAVING max(k) > 5;
SELECT k, a.id, b.id FROM (SELECT * FROM t_small WHERE id < 5) a FULL JOIN (SELECT * FROM t_small WHERE id > 3) b USING (k) WHERE k IS NULL OR k < 60;
SELECT k + 1 AS next_k FROM t_small a RIGHT JOIN t_small b USING (k) ORDER BY k, next_k;
-- expect
-- | 42 | 42 | NULL | NULL
-- | 43 | NULL | 43 | NULL
-- | 44 | NULL | NULL | 44
-- ordered
WITH a(i, j) AS (VALUES (42, 80)), b(i, k) AS (VALUES (43, 84)), c(i, l) AS (VALUES (44, 84)) SELECT i, a.i, b.i, c.i FROM a FULL JOIN b USING (i) FULL JOIN c USING (i) ORDER BY 1;
SELECT k, a.id, b.id, c.id FROM t_small a LEFT JOIN (SELECT * FROM t_small WHERE id > 6) b USING (k) JOIN (SELECT * FROM t_small WHERE id < 6) c USING (k);
WITH w AS (SELECT 1 AS one) SELECT a.id AS i FROM t_small a JOIN t_small b USING (id) ORDER BY -id, i LIMIT 3;
WITH w AS (SELECT 1 AS one) SELECT a.v AS v FROM t_small a FULL JOIN t_small b USING (id) ORDER BY id + 1, v LIMIT 3;

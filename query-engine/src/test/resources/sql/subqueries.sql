-- Sub-queries: IN, EXISTS, scalar, correlated.
SELECT id FROM t_small WHERE k = (SELECT max(k) FROM t_small);
SELECT id, (SELECT count(*) FROM region) AS c FROM t_small WHERE id < 4;
SELECT id FROM t_small WHERE k > (SELECT avg(k) FROM t_small);
SELECT id FROM t_small WHERE k IN (SELECT k FROM t_small WHERE b);
SELECT id FROM t_small WHERE k NOT IN (SELECT k FROM t_small WHERE id IN (1, 2));
SELECT n_name FROM nation WHERE n_regionkey IN (SELECT r_regionkey FROM region WHERE r_name LIKE 'A%');
SELECT o_orderkey FROM orders WHERE EXISTS (SELECT * FROM lineitem WHERE l_orderkey = o_orderkey AND l_quantity = 50) AND o_orderkey < 1000;
SELECT o_orderkey FROM orders WHERE NOT EXISTS (SELECT * FROM lineitem WHERE l_orderkey = o_orderkey AND l_discount > 0.02) AND o_orderkey < 5000;
SELECT c_custkey, c_acctbal FROM customer WHERE c_acctbal > (SELECT avg(c_acctbal) FROM customer WHERE c_acctbal > 0) AND c_custkey < 200;
SELECT a.id, a.k FROM t_small a WHERE a.v > (SELECT avg(b.v) FROM t_small b WHERE b.k = a.k);
SELECT x.g, x.c FROM (SELECT g, count(*) AS c FROM t_big GROUP BY g) x WHERE x.c > 7000;
SELECT g, m FROM (SELECT g, max(v) AS m FROM t_big WHERE k < 10 GROUP BY g) x WHERE m IS NOT NULL;
WITH r AS (SELECT k, sum(v) AS sv FROM t_big GROUP BY k) SELECT count(*), max(sv) FROM r WHERE sv > (SELECT avg(sv) FROM r);
WITH a AS (SELECT id, k FROM t_small WHERE k IS NOT NULL), b AS (SELECT k, count(*) AS c FROM a GROUP BY k) SELECT a.id, b.c FROM a JOIN b ON a.k = b.k;
SELECT count(*) FROM lineitem WHERE l_partkey IN (SELECT p_partkey FROM part WHERE p_brand = 'Brand#23' AND p_container = 'MED BOX');
SELECT s_name FROM supplier WHERE s_suppkey IN (SELECT ps_suppkey FROM partsupp WHERE ps_availqty > 9900) AND s_nationkey < 5;
SELECT id FROM t_small WHERE EXISTS (SELECT 1 FROM region WHERE r_regionkey = 99);
SELECT id FROM t_small WHERE id < (SELECT CAST(NULL AS integer));
SELECT id FROM t_small o WHERE EXISTS (SELECT 1 FROM (SELECT id FROM t_small ORDER BY id DESC LIMIT 1) s WHERE s.id = o.id);
SELECT id FROM t_small o WHERE NOT EXISTS (SELECT 1 FROM (SELECT id FROM t_small ORDER BY id LIMIT 2) s WHERE s.id = o.id);
SELECT r_name FROM region WHERE EXISTS (SELECT 1 FROM (SELECT n_nationkey FROM nation ORDER BY n_nationkey LIMIT 1) s WHERE s.n_nationkey > 2);
SELECT r_name FROM region WHERE EXISTS (SELECT 1 FROM nation WHERE n_regionkey = r_regionkey LIMIT 3);
SELECT r_name FROM region WHERE EXISTS (SELECT 1 FROM nation WHERE n_regionkey = r_regionkey AND n_nationkey > 20 ORDER BY n_name LIMIT 1);
SELECT id FROM t_small WHERE abs(k) NOT IN (SELECT 5 FROM region);
SELECT t.id FROM region r FULL JOIN t_small t ON r.r_regionkey = t.id + 3 WHERE upper(substring(CAST(t.id AS varchar) FROM 1)) NOT IN (SELECT 'x' FROM region);
SELECT CAST('22.25' AS decimal(5,2)) AS c2 FROM region INTERSECT SELECT CAST(NULL AS decimal(5,2)) AS c2 FROM region ORDER BY c2;
SELECT t.id, u.id FROM t_small t JOIN t_small u ON t.id = u.id AND t.k > (SELECT CAST(NULL AS integer));
SELECT t.id, u.id FROM t_small t LEFT JOIN t_small u ON t.id = u.id AND u.k <> (SELECT CAST(NULL AS integer)) WHERE t.id < 5;
SELECT id FROM t_small WHERE NOT EXISTS (SELECT 1 FROM region WHERE r_regionkey = 99) AND id < 3;
-- expect
SELECT id FROM t_small WHERE id IN (1, 2, 3) AND k NOT IN (SELECT k FROM t_small WHERE id IN (2, 4));
-- error CARDINALITY_VIOLATION
SELECT (SELECT k FROM t_small WHERE k IS NOT NULL) FROM region;
-- Beside GROUP BY a sub-query names several keys, which stand elsewhere than in the table.
SELECT k, m, max(id), (SELECT count(*) FROM t_small p WHERE p.k = z.k AND p.k + 1 = z.m) FROM (SELECT id, k, k + 1 AS m FROM t_small) z GROUP BY k, m;
SELECT k, m, max(id) FROM (SELECT id, k, k + 1 AS m FROM t_small) z GROUP BY k, m HAVING (SELECT count(*) FROM t_small p WHERE p.k = z.k AND p.k + 1 = z.m) > 1;
SELECT t.k, u.b, count(*), (SELECT count(*) FROM t_small p WHERE p.k = t.k AND p.b = u.b AND EXISTS (SELECT 1 FROM region WHERE r_regionkey < p.id AND t.k > 10 AND u.b)) FROM t_small t LEFT JOIN t_small u ON t.id = u.id + 1 GROUP BY u.b, t.k;
SELECT k, b, (SELECT count(*) FROM t_small p WHERE p.k = t.k AND p.b = t.b) FROM t_small t GROUP BY ROLLUP (k, b);
-- The mark of a sub-query makes no row unique.
SELECT DISTINCT c FROM (SELECT EXISTS (SELECT 1 FROM region) AS c FROM nation) q;
SELECT DISTINCT m FROM (SELECT n_regionkey IN (SELECT r_regionkey FROM region WHERE r_regionkey < 3) AS m FROM nation) q;
SELECT m, count(*) FROM (SELECT id IN (SELECT DISTINCT k FROM t_small) AS m FROM t_small) q GROUP BY m;
SELECT DISTINCT n_name IN (SELECT r_name FROM region WHERE 1 = 0) AS m FROM nation;
SELECT count(*) FROM (SELECT n_name IN (SELECT r_name FROM region WHERE r_regionkey < -1) AS m FROM nation) q WHERE NOT m;

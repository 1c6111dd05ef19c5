-- What rewrites of the logical plan could get wrong: three-valued logic, limits, grouping sets, outer joins, casts.
SELECT id FROM t_small WHERE k NOT IN (SELECT k FROM t_small WHERE id > 100);
SELECT id FROM t_small WHERE k IN (SELECT k FROM t_small WHERE id > 4) OR id = 1;
SELECT id FROM t_small WHERE k NOT IN (SELECT k FROM t_small WHERE id IN (5, 7)) OR s IS NULL;
SELECT id, k IN (SELECT k FROM t_small WHERE id > 6), k NOT IN (SELECT k FROM t_small WHERE id = 1) FROM t_small;
SELECT id, EXISTS (SELECT 1 FROM t_small i WHERE i.k = o.k AND i.id <> o.id) FROM t_small o;
SELECT id FROM t_small o WHERE k NOT IN (SELECT k FROM t_small i WHERE i.b = o.b AND i.id <> o.id);
SELECT id FROM t_small o WHERE EXISTS (SELECT 1 FROM t_small i WHERE i.k = o.k AND EXISTS (SELECT 1 FROM t_small j WHERE j.k = i.k AND j.id > o.id));
SELECT id FROM t_small WHERE k > ALL (SELECT k FROM t_small WHERE id IN (1, 2));
SELECT id FROM t_small WHERE k > ANY (SELECT k FROM t_small WHERE id IN (2, 5));
SELECT id, (SELECT count(*) FROM t_small i WHERE i.k = o.k) AS c, (SELECT max(v) FROM t_small i WHERE i.k = o.k) AS m FROM t_small o;
SELECT id FROM t_small o WHERE 2 < (SELECT count(*) FROM t_small i WHERE i.k = o.k);
SELECT id FROM t_small o WHERE 0 = (SELECT count(*) FROM t_small i WHERE i.k = o.k);
-- ordered
SELECT id FROM (SELECT id FROM t_small ORDER BY id LIMIT 5 OFFSET 2) x ORDER BY id DESC LIMIT 2 OFFSET 1;
-- ordered
SELECT id FROM (SELECT id FROM t_small ORDER BY id LIMIT 3) x ORDER BY id LIMIT 10;
SELECT count(*) FROM (SELECT id FROM t_big LIMIT 0) x;
WITH a(i, j) AS (VALUES (42, 80)), b(i, k) AS (VALUES (43, 84)) SELECT i, a.i, b.i, j, k FROM a FULL JOIN b USING (i);
SELECT o.id FROM t_small o WHERE o.k NOT IN (SELECT q.k FROM t_small q WHERE o.id NOT IN (SELECT p.k FROM t_small p WHERE p.k = q.id AND p.id = 2));
SELECT k, b, count(*), sum(id) FROM t_small GROUP BY ROLLUP (k, b);
SELECT k, grouping(k), count(*) FROM t_small GROUP BY CUBE (k);
SELECT k, max(k), count(*) FROM t_small GROUP BY GROUPING SETS ((k), ());
SELECT count(DISTINCT k), count(DISTINCT b), count(*), sum(DISTINCT k) FROM t_small;
SELECT b, count(DISTINCT k), max(id) FROM t_small GROUP BY b;
SELECT b, count(DISTINCT k) FILTER (WHERE id > 3), count(*) FILTER (WHERE k = 10) FROM t_small GROUP BY b;
SELECT id FROM t_small WHERE id = 1.0 OR id > 11.5;
SELECT id FROM t_small WHERE id IN (1, 2.5, 3);
SELECT id FROM t_types WHERE c_small BETWEEN -10.5 AND 40000 AND c_dec9 < 5;
SELECT id FROM t_types WHERE c_date >= TIMESTAMP '2010-01-01 12:00:00' AND c_date < TIMESTAMP '2011-01-01 00:00:00';
SELECT id FROM t_types WHERE c_date = '2000-02-07' OR c_int = '5';
SELECT a.id FROM t_small a LEFT JOIN t_small b ON a.k = b.k AND b.id > 5 WHERE b.id IS NULL;
SELECT a.id, b.id FROM t_small a LEFT JOIN t_small b ON a.k = b.id * 10 WHERE b.k = 10 OR b.k IS NULL;
SELECT count(*) FROM lineitem, orders, customer WHERE l_orderkey = o_orderkey AND o_custkey = c_custkey AND c_custkey = 7;
SELECT count(*) FROM lineitem, part WHERE (p_partkey = l_partkey AND p_size = 1 AND l_quantity < 10) OR (p_partkey = l_partkey AND p_size = 2 AND l_quantity < 20);
SELECT r = r, r >= 0 AND r < 1 FROM (SELECT random() AS r FROM region) x;
SELECT count(*) BETWEEN 8000 AND 12000 FROM t_big WHERE random() BETWEEN 0.4 AND 0.6 AND id < 50000 HAVING count(*) > 10000000;
-- error FEATURE_NOT_SUPPORTED
SELECT k FROM t_small EXCEPT ALL SELECT k FROM t_small;
-- ordered
SELECT o.id, l.m FROM t_small o, LATERAL (SELECT max(q.id) AS m FROM t_small q WHERE q.k = o.k AND q.id <= o.id) l ORDER BY o.id;
-- ordered
SELECT o.id, l.id FROM t_small o LEFT JOIN LATERAL (SELECT q.id FROM t_small q WHERE q.k = o.k AND q.id > o.id ORDER BY q.id LIMIT 2) l ON TRUE ORDER BY o.id, l.id;
-- ordered
SELECT o.id, (SELECT q.id FROM t_small q WHERE q.k = o.k ORDER BY q.id DESC LIMIT 1 OFFSET 1) FROM t_small o ORDER BY o.id;
-- ordered
SELECT o.id, (SELECT count(*) FROM t_small q WHERE q.id < o.id AND q.k = o.k) FROM t_small o ORDER BY o.id;
-- error CARDINALITY_VIOLATION
SELECT id, (SELECT q.id FROM t_small q WHERE q.id > o.id) FROM t_small o;
-- error CARDINALITY_VIOLATION
SELECT (SELECT id FROM t_small);
SELECT (SELECT id FROM t_small WHERE id = 3 LIMIT 1);
-- groups of which no outer row asks may have several rows
SELECT o.id, (SELECT q.id FROM t_small q WHERE q.id + 0 = o.id) FROM t_small o WHERE o.id < 3;
SELECT o.id FROM t_small o WHERE EXISTS (SELECT max(q.id) FROM t_small q WHERE q.id = -o.id) AND o.id < 4;
SELECT o.id FROM t_small o WHERE EXISTS (SELECT 1 FROM t_small q WHERE q.id = o.id AND EXISTS (SELECT 1 FROM t_small p WHERE p.id = q.id + 1 AND p.k <> o.k));
-- What a constant expression turns out to be is not known before it is evaluated.
SELECT DISTINCT r_name FROM region WHERE r_name = replace(CAST(NULL AS varchar), 'a', 'aa');
SELECT r_name, r_regionkey FROM region WHERE r_name = upper('asia');

-- ORDER BY, LIMIT, OFFSET, top-k.
-- ordered
SELECT id, k FROM t_small ORDER BY k, id;
-- ordered
SELECT id, s FROM t_small WHERE s IS NOT NULL ORDER BY s DESC;
-- ordered
SELECT id FROM t_big ORDER BY id LIMIT 10;
-- ordered
SELECT id FROM t_big ORDER BY id DESC LIMIT 10;
-- ordered
SELECT id, v FROM t_big ORDER BY v DESC, id LIMIT 20;
-- ordered
SELECT id, k, g FROM t_big WHERE k < 3 ORDER BY g, k DESC, id LIMIT 50 OFFSET 100;
-- ordered
SELECT id FROM t_parts ORDER BY id LIMIT 5 OFFSET 1198;
-- ordered
SELECT id FROM t_parts ORDER BY id DESC LIMIT 3;
-- ordered
SELECT id, k FROM t_parts WHERE k = 5 ORDER BY id;
-- ordered
SELECT k, count(*) AS c FROM t_big GROUP BY k ORDER BY c DESC, k LIMIT 5;
-- ordered
SELECT g, k, sum(v) AS t FROM t_big GROUP BY g, k ORDER BY g, k;
-- ordered
SELECT s, id FROM t_big ORDER BY s, id LIMIT 25;
-- ordered
SELECT id, n FROM t_big ORDER BY n DESC NULLS LAST, id DESC LIMIT 10;
-- ordered
SELECT id, n FROM t_big WHERE id < 100 ORDER BY n NULLS FIRST, id;
-- ordered
SELECT id, c_dec38 FROM t_types ORDER BY c_dec38 NULLS LAST, id;
-- ordered
SELECT id, c_ts FROM t_types ORDER BY c_ts DESC NULLS LAST, id;
-- ordered
SELECT id, c_dict, c_str FROM t_types ORDER BY c_dict NULLS LAST, c_str NULLS FIRST, id;
-- ordered
SELECT id, c_bool, c_small FROM t_types ORDER BY c_bool NULLS LAST, c_small DESC NULLS LAST, id;
-- ordered
SELECT id, k + id AS x FROM t_small WHERE k IS NOT NULL ORDER BY k + id, id;
-- ordered
SELECT id FROM t_small ORDER BY -id;
-- ordered
SELECT id AS x FROM t_small ORDER BY x LIMIT 3;
-- ordered
SELECT id, s FROM t_small ORDER BY 1 DESC LIMIT 4;
-- ordered
SELECT x FROM (SELECT id AS x FROM t_small ORDER BY id LIMIT 5 OFFSET 2) t ORDER BY x DESC LIMIT 2 OFFSET 1;
SELECT count(*) FROM (SELECT id FROM t_big LIMIT 17) x;
SELECT count(*) FROM (SELECT id FROM t_big WHERE k = 3 LIMIT 100000) x;
SELECT count(*) FROM (SELECT id FROM t_big LIMIT 100 OFFSET 1990) x;
SELECT id FROM t_small LIMIT 0;
SELECT id FROM t_small ORDER BY id OFFSET 10;
-- ordered
SELECT l_orderkey, l_linenumber, l_extendedprice FROM lineitem ORDER BY l_extendedprice DESC, l_orderkey, l_linenumber LIMIT 10;
-- ordered
SELECT CASE WHEN n = 'b' THEN 0.5 WHEN n = 'a' THEN 0.0 END AS a FROM (SELECT 'a' AS n UNION ALL SELECT 'b') u ORDER BY a DESC;
-- ordered
SELECT DISTINCT g, k FROM t_big WHERE k < 2 ORDER BY g, k;
-- ordered
SELECT o_orderdate, o_orderkey FROM orders WHERE o_custkey = 7 ORDER BY o_orderdate, o_orderkey;
-- Inside an expression a name is a column of the table, alone it is an output column.
-- expect
-- | -12
-- | -11
-- | -10
-- ordered
SELECT -id AS id FROM t_small ORDER BY -id LIMIT 3;
-- expect
-- | -12
-- | -11
-- ordered
SELECT -id AS id FROM t_small ORDER BY id LIMIT 2;
-- expect
-- | grape | 7
-- | fig | 6
-- | NULL | 5
-- ordered
SELECT s AS id, id AS n FROM t_small WHERE id BETWEEN 5 AND 7 ORDER BY id + 1 DESC;
-- expect
-- | 2 | 12
-- | 1 | 10
-- | 0 | 9
-- ordered
SELECT k / 30 AS k, max(id) FROM t_small WHERE k IN (10, 30, 40, 50, 60) GROUP BY t_small.k / 30 ORDER BY max(t_small.k) + 0 DESC LIMIT 3;

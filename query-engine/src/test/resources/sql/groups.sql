-- GROUP BY, HAVING, and the aggregates.
SELECT count(*) FROM t_big;
SELECT count(*), sum(k), min(k), max(k), avg(k) FROM t_big;
SELECT g, count(*), sum(k), avg(v) FROM t_big GROUP BY g;
SELECT k, count(*), sum(id), min(v), max(v) FROM t_big GROUP BY k;
SELECT k, g, count(*), sum(m) FROM t_big GROUP BY k, g;
SELECT k % 5 AS r, count(*), avg(m) FROM t_big GROUP BY k % 5;
SELECT g, count(*) AS c FROM t_big GROUP BY g HAVING count(*) > 7142;
SELECT k, sum(v) FROM t_big WHERE g = 'red' GROUP BY k HAVING sum(v) > 20000 AND min(id) < 500;
SELECT g, count(n), count(*), sum(n) FROM t_big GROUP BY g;
SELECT n, count(*) FROM t_big WHERE n < 50 GROUP BY n;
SELECT count(*) FROM (SELECT s FROM t_big GROUP BY s) x;
SELECT g, min(s), max(s) FROM t_big GROUP BY g;
SELECT g, min(ts), max(ts), min(m), max(m) FROM t_big GROUP BY g;
SELECT sum(m), sum(v) FROM t_big;
SELECT sum(c_dec9), sum(c_dec18), sum(c_dec38) FROM t_types WHERE id < 100;
SELECT min(c_dec38), max(c_dec38), min(c_dec18), max(c_dec9) FROM t_types;
SELECT sum(c_big), count(c_big) FROM t_types WHERE id NOT IN (4, 5);
SELECT bool_and(c_bool), bool_or(c_bool) FROM t_types;
SELECT c_dict, bool_or(c_bool), bool_and(c_bool), count(*) FROM t_types GROUP BY c_dict;
SELECT c_bool, c_small, count(*) FROM t_types GROUP BY c_bool, c_small;
SELECT c_date, count(*) FROM t_types GROUP BY c_date HAVING count(*) > 1;
SELECT count(DISTINCT k), count(DISTINCT g), count(DISTINCT n) FROM t_big;
SELECT g, count(DISTINCT k), sum(k) FROM t_big GROUP BY g;
SELECT g, count(*) FILTER (WHERE k > 50), sum(v) FILTER (WHERE n IS NULL) FROM t_big GROUP BY g;
SELECT stddev_samp(v), stddev_pop(v), var_samp(v), var_pop(v) FROM t_big;
SELECT g, stddev_samp(k), var_pop(n) FROM t_big GROUP BY g;
SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), avg(l_quantity), avg(l_discount), count(*) FROM lineitem WHERE l_shipdate <= DATE '1998-09-02' GROUP BY l_returnflag, l_linestatus;
SELECT o_orderpriority, count(*) FROM orders GROUP BY o_orderpriority;
SELECT upper(g) AS u, count(*) FROM t_big GROUP BY upper(g);
SELECT k, count(*) FROM t_parts GROUP BY k;
SELECT id / 1000 AS b, count(*), min(id), max(id) FROM t_parts GROUP BY id / 1000 HAVING count(*) < 0;
SELECT 1, count(*) FROM t_small WHERE false;
SELECT k FROM t_small GROUP BY k HAVING count(*) FILTER (WHERE b) > 0;
-- expect
-- | 9223372036854775808
SELECT sum(x) FROM (SELECT c_big AS x FROM t_types WHERE id = 4 UNION ALL SELECT CAST(1 AS bigint)) u;
-- error GROUPING_ERROR
SELECT g, k FROM t_big GROUP BY g;
SELECT k, count(*), sum(DISTINCT n) FROM t_small WHERE 1 = 0 GROUP BY ROLLUP (k);
SELECT k, b, count(*) FROM t_small WHERE id < 0 GROUP BY CUBE (k, b);
SELECT max(id) AS id, k FROM t_small GROUP BY k HAVING max(id) > 5 AND k > 0;
SELECT max(id) AS most, k FROM t_small GROUP BY k HAVING most > 5;

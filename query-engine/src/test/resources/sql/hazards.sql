-- Faults that other engines really had, each in its smallest form. docs/testing.md says which is tested where.
-- A1: the order of y is none of y % 2
-- expect
-- | 1 | 0 | 20
-- | 1 | 1 | 40
-- | 2 | 0 | 50
-- | 2 | 1 | 100
-- ordered
SELECT x, CAST(y AS bigint) % 2, sum(v) FROM (VALUES (1, 1, 10), (1, 2, 20), (1, 3, 30), (2, 1, 40), (2, 2, 50), (2, 3, 60)) AS t(x, y, v) GROUP BY 1, 2 ORDER BY 1, 2;
-- the same over a file in order
-- ordered
SELECT id - id % 100, id % 2, count(*), sum(k) FROM t_parts WHERE id < 500 GROUP BY 1, 2 ORDER BY 1, 2;
-- A5: ORDER BY of a CASE over a union
-- expect
-- | 0.5
-- | 0
-- ordered
SELECT CASE WHEN n = 'b' THEN 0.5 WHEN n = 'a' THEN 0.0 END AS a FROM (SELECT 'a' AS n UNION ALL SELECT 'b') u ORDER BY a DESC;
-- A11: a bound that was cut is no minimum
-- expect
-- | A123456789 | B123456789
SELECT min(v), max(v) FROM (VALUES ('A123456789'), ('B123456789')) AS t(v);
SELECT min(l_comment), max(l_comment), min(l_shipinstruct), max(l_shipinstruct) FROM lineitem;
-- A13: local time runs back when summer time ends
-- expect
-- | 1699171200 | 1699174800
SELECT extract(EPOCH FROM date_trunc('hour', CAST('2023-11-05 01:40:00-07' AS timestamp with time zone), 'US/Pacific')), extract(EPOCH FROM date_trunc('hour', CAST('2023-11-05 01:40:00-08' AS timestamp with time zone), 'US/Pacific'));
-- C1: a filter of part of a build side loses rows
SELECT a.id, b.id FROM t_big a JOIN t_big b ON a.id = b.id WHERE b.id = 1 OR b.id = (SELECT max(id) FROM t_big);
-- C3: NOT IN a set with a null, where the set could prune the scan
-- expect
SELECT id FROM t_small WHERE id <= 3 AND id NOT IN (SELECT k / 10 FROM t_small WHERE id IN (2, 4));
-- expect
SELECT id FROM t_small WHERE k NOT IN (SELECT k FROM t_small WHERE id IN (2, 4));
SELECT id FROM t_small WHERE k NOT IN (SELECT k FROM t_small WHERE id = 2);
-- C5: constants
-- expect
SELECT id FROM t_small WHERE 3 NOT IN (SELECT k FROM t_small WHERE id IN (2, 4));
-- expect
SELECT id FROM t_small WHERE CAST(NULL AS integer) NOT IN (SELECT k FROM t_small WHERE id = 2);
SELECT id FROM t_small WHERE CAST(NULL AS integer) NOT IN (SELECT k FROM t_small WHERE id < 0);
SELECT id FROM t_small WHERE 20 IN (SELECT k FROM t_small WHERE id IN (2, 4));
-- C7: a predicate on one side says nothing about the other side of NOT IN
-- expect
SELECT a FROM (VALUES (1, 1), (2, 2)) AS t(a, b) WHERE a <> 1 AND a NOT IN (SELECT x FROM (VALUES (CAST(NULL AS integer))) AS u(x));
-- expect
SELECT id FROM t_small WHERE id <> 1 AND id NOT IN (SELECT k FROM t_small WHERE id = 4);
-- C13: a volatile value is one value
-- expect
-- | true | false
SELECT bool_and(r = s), bool_and(r = q) FROM (SELECT r, r AS s, random() AS q FROM (SELECT random() AS r FROM t_big) x) y;
-- expect
-- | true
SELECT sum(CASE WHEN r BETWEEN 0.4 AND 0.6 THEN 1.0 ELSE 0.0 END) / count(*) BETWEEN 0.15 AND 0.25 FROM (SELECT random() AS r FROM t_big) x;
-- expect
-- | true
SELECT CAST(count(*) AS double precision) / (SELECT count(*) FROM t_big) BETWEEN 0.15 AND 0.25 FROM t_big WHERE random() BETWEEN 0.4 AND 0.6;
-- D1: both offsets
-- expect
-- | 6
-- | 5
-- ordered
SELECT a FROM (SELECT id AS a FROM t_small WHERE id <= 10 ORDER BY a LIMIT 5 OFFSET 2) x ORDER BY a DESC LIMIT 2 OFFSET 1;
-- D3: a limit counts rows that pass the filter; the match is in the last file
-- expect
-- | 1
SELECT count(*) FROM (SELECT id FROM t_parts WHERE id = (SELECT max(id) FROM t_parts) LIMIT 1) x;
-- ordered
SELECT id FROM t_parts WHERE k = 7 AND g = 'red' ORDER BY id DESC LIMIT 3;
-- D5: a null of the data is not the null of a total; a key is also an argument
-- expect
-- | 1 | 1 | 0
-- | NULL | NULL | 0
-- | NULL | 1 | 1
SELECT v, max(v), grouping(v) FROM (VALUES (1), (NULL)) AS t(v) GROUP BY CUBE (v);
SELECT k, max(k), count(k), sum(k) FROM t_small GROUP BY ROLLUP (k);
-- E1: overflow
-- error NUMERIC_OUT_OF_RANGE
SELECT 9223372036854775807 + 1;
-- error NUMERIC_OUT_OF_RANGE
SELECT CAST(32767 AS smallint) + CAST(2 AS smallint);
-- error NUMERIC_OUT_OF_RANGE
SELECT 10000000000 * 10000000000;
-- expect
-- | 0
SELECT c_big % -1 FROM t_types WHERE id = 5;
-- error NUMERIC_OUT_OF_RANGE
SELECT c_big / -1 FROM t_types WHERE id = 5;
-- error NUMERIC_OUT_OF_RANGE
SELECT abs(c_big) FROM t_types WHERE id = 5;
-- E3: the carry of round
-- expect
-- | 1000 | 3 | -3 | 0.1
SELECT round(CAST(999.9 AS decimal(4,1))), round(CAST(2.5 AS decimal(2,1))), round(CAST(-2.5 AS decimal(2,1))), round(CAST(0.05 AS decimal(3,2)), 1);
-- E5: double to decimal; whole numbers beside decimals beyond bigint
-- expect
-- | 39981.7
SELECT CAST(CAST(39981.70 AS double precision) AS decimal(15,2));
SELECT id FROM t_small WHERE id < 100000000000000000000 AND id > -100000000000000000000;
SELECT id FROM t_types WHERE c_big = 9223372036854775807.0 OR c_big < -9223372036854775807.5;
-- Counts and sums of nothing; division and remainder towards zero
-- expect
-- | NULL | 0 | false | -3 | -1 | 1
SELECT sum(id), count(id), EXISTS (SELECT 1 FROM region WHERE NULL), -7 / 2, -7 % 2, 7 % -2 FROM t_small WHERE id < 0;

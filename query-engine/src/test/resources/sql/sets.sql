-- UNION, INTERSECT, EXCEPT, VALUES, DISTINCT.
SELECT id FROM t_small WHERE id < 3 UNION ALL SELECT id FROM t_small WHERE id < 4;
SELECT k FROM t_small UNION SELECT k FROM t_big WHERE k < 15;
SELECT g FROM t_big UNION SELECT s FROM t_small;
SELECT k FROM t_small INTERSECT SELECT k FROM t_big;
SELECT k FROM t_small EXCEPT SELECT k FROM t_big WHERE k > 20;
SELECT DISTINCT g FROM t_big;
SELECT DISTINCT k, b FROM t_small;
SELECT count(*) FROM (SELECT k FROM t_big UNION ALL SELECT k FROM t_small UNION ALL SELECT 5) u;
SELECT x, count(*) FROM (SELECT k AS x FROM t_small UNION ALL SELECT id FROM t_small) u GROUP BY x;
SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, NULL)) AS v(i, s) WHERE i > 1;
SELECT id, n FROM t_small WHERE id < 3 UNION ALL SELECT id, v FROM t_small WHERE id = 6;
SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, 'yy';
-- ordered
SELECT k FROM t_small WHERE k IS NOT NULL UNION ALL SELECT id FROM t_small ORDER BY 1;
-- ordered
SELECT id FROM t_parts WHERE id < 20 UNION ALL SELECT id FROM t_big WHERE id < 20 ORDER BY id;
SELECT count(*) FROM (SELECT id, k FROM t_parts EXCEPT SELECT id, k FROM t_big) x;
-- A null and a string literal have the type of text; so does a column of nulls beside one.
SELECT NULL AS a UNION ALL SELECT 'x';
SELECT * FROM (SELECT NULL AS a, 1 AS b UNION ALL SELECT 'x', 2 UNION ALL SELECT NULL, 3) z WHERE a = 'x' OR b = 3;
SELECT id FROM t_small WHERE s IN (SELECT NULL UNION SELECT 'fig');
-- A date beside a timestamp is its midnight, whichever comes first.
-- expect
-- | 2020-01-01T00:00
-- | 2020-01-01T12:34
SELECT DATE '2020-01-01' AS x UNION ALL SELECT TIMESTAMP '2020-01-01 12:34:00';
-- expect
-- | 2020-01-01T00:00
-- | 2020-01-01T12:34
SELECT NULL AS x EXCEPT SELECT NULL UNION SELECT DATE '2020-01-01' UNION SELECT TIMESTAMP '2020-01-01 12:34:00';
SELECT count(*), count(DISTINCT x) FROM (SELECT c_date AS x FROM t_types UNION SELECT c_ts FROM t_types) z WHERE x > TIMESTAMP '2000-06-01 12:00:00';
SELECT CAST(c_date AS timestamp) FROM t_types INTERSECT SELECT date_trunc('day', c_ts) FROM t_types;
-- ordered
(SELECT c_date FROM t_types WHERE c_date IS NOT NULL GROUP BY c_date ORDER BY c_date LIMIT 3) UNION ALL SELECT max(c_ts) FROM t_types ORDER BY 1;
SELECT id FROM t_types WHERE c_date IN (SELECT date_trunc('day', c_ts) FROM t_types);
-- A local time beside an instant becomes an instant.
-- expect
-- | 2020-01-01T10:00:00Z
-- | 2020-01-01T12:00:00Z
SELECT TIMESTAMP '2020-01-01 12:00:00' AS x UNION ALL SELECT CAST('2020-01-01 12:00:00+02' AS timestamp with time zone);
-- expect
-- | 2020-01-01T12:00:00Z
SELECT CASE WHEN id = 1 THEN TIMESTAMP '2020-01-01 12:00:00' ELSE CAST('2020-01-01 12:00:00+02' AS timestamp with time zone) END FROM t_small WHERE id = 1;
-- VALUES have one type for each column.
-- ordered
SELECT x FROM (VALUES (1), (2.5), (3e0), (NULL), (-3)) AS t(x) WHERE x > -5 ORDER BY x;
SELECT x, count(*) FROM (VALUES (3e0), (2), (3)) AS t(x) GROUP BY x;
SELECT a.x, b.y FROM (VALUES (1e0, 'a'), (2, 'b')) AS a(x, y) JOIN (VALUES (1, 'c'), (2.0, 'd')) AS b(x, y) ON a.x = b.x;
-- expect
-- | 2020-01-01T12:00
SELECT x FROM (VALUES (DATE '2020-01-01'), (TIMESTAMP '2020-01-01 12:00:00'), (NULL)) AS t(x) WHERE x > DATE '2020-01-01';
-- expect
-- | 1
-- | 5
VALUES (1), ('5');
-- error TYPE_MISMATCH
VALUES (1), (DATE '2020-01-01');

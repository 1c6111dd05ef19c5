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

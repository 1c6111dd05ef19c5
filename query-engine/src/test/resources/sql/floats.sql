-- NaN is the greatest number and equals itself; the zeros are equal.
SELECT id FROM t_floats WHERE x > 1e300;
SELECT id FROM t_floats WHERE x = 'NaN'::DOUBLE;
SELECT id FROM t_floats WHERE x = 0.0;
SELECT id FROM t_floats WHERE x <> 0;
SELECT id FROM t_floats WHERE x < 0 OR x IS NULL;
SELECT id FROM t_floats WHERE x >= CAST('Infinity' AS double precision);
SELECT id FROM t_floats WHERE NOT (x < 10);
SELECT x, count(*) FROM t_floats WHERE x <> 0 GROUP BY x;
SELECT count(*), count(x), min(x) FROM t_floats;
SELECT max(x), max(y), min(y) FROM t_floats;
-- ordered
SELECT id, x FROM t_floats WHERE id NOT IN (4, 5) ORDER BY x, id;
-- ordered
SELECT id, y FROM t_floats WHERE id NOT IN (4, 5) ORDER BY y DESC NULLS LAST, id;
-- expect
-- | 1 | 2
SELECT count(DISTINCT x), count(*) FROM t_floats WHERE id IN (4, 5);
SELECT a.id, b.id FROM t_floats a JOIN t_floats b ON a.x = b.x WHERE a.id < b.id;
SELECT id, x + 1, x * 0 FROM t_floats WHERE x < 1e200 AND x > -1e200;

-- Casts between types.
SELECT id, CAST(k AS bigint), CAST(k AS double precision), CAST(k AS varchar) FROM t_small;
SELECT id, CAST(n AS double precision) FROM t_small;
SELECT id, CAST(d AS varchar), CAST(d AS timestamp) FROM t_small;
SELECT id, CAST(c_ts AS date) FROM t_types;
SELECT id, CAST(c_int AS decimal(12,2)) FROM t_types;
SELECT id, CAST(c_bool AS varchar) FROM t_types;
SELECT id, CAST(c_dec9 AS decimal(12,4)) FROM t_types;
SELECT id, CAST(c_dec18 AS decimal(18,2)) FROM t_types WHERE id < 20;
SELECT CAST('42' AS integer), CAST(' 7 ' AS bigint), CAST('2020-02-29' AS date), CAST('1.25' AS decimal(5,2));
SELECT CAST('12:34:56' AS time), CAST('2020-01-02 03:04:05.678901' AS timestamp);
SELECT id FROM t_small WHERE CAST(k AS bigint) = 20;
SELECT id FROM t_small WHERE CAST(d AS timestamp) >= TIMESTAMP '2020-01-01 00:00:00';
SELECT count(*) FROM t_big WHERE CAST(ts AS date) = DATE '2021-01-03';
SELECT id, k::bigint + 1 FROM t_small;
-- error INVALID_TEXT
SELECT CAST(s AS integer) FROM t_small WHERE id = 1;
-- error NUMERIC_OUT_OF_RANGE
SELECT CAST(c_big AS integer) FROM t_types;
-- error NUMERIC_OUT_OF_RANGE
SELECT CAST(n AS decimal(4,2)) FROM t_small;
-- error INVALID_DATETIME
SELECT CAST('not a date' AS date);
-- expect
-- | 2 | 2 | 4
SELECT CAST(1.5 AS integer), CAST(CAST(2.5 AS double precision) AS integer), CAST(CAST(3.5 AS double precision) AS integer);

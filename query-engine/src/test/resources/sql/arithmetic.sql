-- Arithmetic on integers, decimals and floats; overflow and division as PostgreSQL has them.
SELECT id, k + 1, k - 1, k * 2, -k FROM t_small;
SELECT id, n + 1.5, n - 0.25, n * 2 FROM t_small;
SELECT id, v + 1, v * 2.0, -v FROM t_small;
SELECT id, c_small + c_int, c_int * 2 FROM t_types WHERE c_int BETWEEN -1000000 AND 1000000;
SELECT id, c_dec9 + c_dec18, c_dec9 * c_dec9 FROM t_types;
SELECT id, c_dec18 - c_dec9 FROM t_types;
SELECT id, c_double / 4, c_real * 2 FROM t_types;
SELECT id, k % 7 FROM t_big WHERE id < 50;
SELECT sum(l_extendedprice * (1 - l_discount)), sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) FROM lineitem;
SELECT id, abs(c_int), sign(c_double) FROM t_types WHERE c_int > -2000000000;
SELECT id, round(c_dec9, 1), round(c_dec9), floor(c_dec9), ceil(c_dec9) FROM t_types;
SELECT id, floor(v), ceil(v), round(v) FROM t_small WHERE id NOT IN (2, 7, 11);
SELECT id, sqrt(abs(v)), exp(v / 1e11) FROM t_small WHERE v IS NOT NULL;
SELECT id, power(k, 2), ln(k) FROM t_small WHERE k > 0;
SELECT id, greatest(k, 25), least(k, 25) FROM t_small WHERE k IS NOT NULL;
-- expect
-- | 3 | -3 | 1 | -1
SELECT 7 / 2, -7 / 2, 7 % 2, -7 % 2;
-- expect
-- | 0
SELECT id % -1 FROM t_small WHERE id = 1;
-- error NUMERIC_OUT_OF_RANGE
SELECT 9223372036854775807 + id FROM t_small;
-- error NUMERIC_OUT_OF_RANGE
SELECT c_big * 10000 FROM t_types;
-- error NUMERIC_OUT_OF_RANGE
SELECT -c_big FROM t_types WHERE id = 5;
-- error NUMERIC_OUT_OF_RANGE
SELECT c_small + CAST(2 AS smallint) FROM t_types WHERE id = 2;
-- error NUMERIC_OUT_OF_RANGE
SELECT abs(c_int) FROM t_types;
-- error DIVISION_BY_ZERO
SELECT 1 / (id - 3) FROM t_small;
-- error DIVISION_BY_ZERO
SELECT n / (n - n) FROM t_small WHERE n IS NOT NULL;
-- error DIVISION_BY_ZERO
SELECT id % (id - 1) FROM t_small;
-- expect
-- | 1000
SELECT round(CAST(999.9 AS decimal(4,1)));
-- expect
-- | 3 | -3
SELECT round(CAST(2.5 AS decimal(2,1))), round(CAST(-2.5 AS decimal(2,1)));
-- expect
-- | 39981.7
SELECT CAST(CAST(39981.70 AS double precision) AS decimal(15,2));

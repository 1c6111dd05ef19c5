CREATE TABLE t_small AS SELECT * FROM (VALUES
  (1, 10, 'apple', DATE '2020-01-01', 1.5::DOUBLE, 10.25::DECIMAL(10,2), true),
  (2, 20, 'banana', DATE '2020-02-29', -2.25, 20.50, false),
  (3, 10, 'cherry', DATE '1999-12-31', 0.0, -5.00, NULL),
  (4, NULL, 'date', NULL, 3.75, 0.01, true),
  (5, 30, NULL, DATE '2021-06-15', NULL, NULL, false),
  (6, 20, 'fig', DATE '2020-01-01', 100.125, 99999999.99, true),
  (7, 40, 'grape', DATE '1970-01-01', -0.5, -99999999.99, NULL),
  (8, NULL, NULL, NULL, NULL, NULL, NULL),
  (9, 10, 'Apple', DATE '2020-01-02', 1.5, 10.25, false),
  (10, 50, 'äpfel', DATE '2038-01-19', 12345.6789, 7.77, true),
  (11, 20, '', DATE '2000-02-29', 2.5, 0.00, true),
  (12, 60, 'foo_bar%', DATE '1969-12-31', 1e10, 1.00, false)
) t(id, k, s, d, v, n, b);
CREATE TABLE t_types AS SELECT
  i::BIGINT AS id,
  CASE WHEN i % 11 = 0 THEN NULL ELSE i % 3 = 0 END AS c_bool,
  CASE WHEN i % 13 = 1 THEN NULL WHEN i = 2 THEN 32767 WHEN i = 3 THEN -32768 ELSE (i * 7 % 1000 - 500) END::SMALLINT AS c_small,
  CASE WHEN i % 9 = 2 THEN NULL WHEN i = 3 THEN 2147483647 WHEN i = 4 THEN -2147483648 ELSE i * 97 % 2001 - 1000 END::INTEGER AS c_int,
  CASE WHEN i % 10 = 3 THEN NULL WHEN i = 4 THEN 9223372036854775807 WHEN i = 5 THEN -9223372036854775808 ELSE i::BIGINT * 1000003 % 1000000007 - 500000000 END::BIGINT AS c_big,
  CASE WHEN i % 8 = 4 THEN NULL ELSE (i * 0.25 - 20) END::REAL AS c_real,
  CASE WHEN i % 12 = 5 THEN NULL ELSE (i * 1.125 - 100) END::DOUBLE AS c_double,
  CASE WHEN i % 10 = 6 THEN NULL ELSE (i * 12.37 - 1000) END::DECIMAL(9,2) AS c_dec9,
  CASE WHEN i % 10 = 7 THEN NULL ELSE (i * 1234567.8901 - 100000000) END::DECIMAL(18,4) AS c_dec18,
  CASE WHEN i % 10 = 8 THEN NULL ELSE (i::DECIMAL(38,6) * 123456789012345678.123456 - 1000) END::DECIMAL(38,6) AS c_dec38,
  CASE WHEN i % 9 = 0 THEN NULL ELSE DATE '2000-01-01' + (i * 37 % 8000)::INTEGER END AS c_date,
  CASE WHEN i % 9 = 1 THEN NULL ELSE TIMESTAMP '1999-12-31 23:59:59.999999' + to_microseconds(i::BIGINT * 86400123457) END::TIMESTAMP AS c_ts,
  CASE WHEN i % 7 = 2 THEN NULL ELSE ['alpha','beta','gamma','delta',''][1 + i % 5] END AS c_dict,
  CASE WHEN i % 9 = 3 THEN NULL ELSE 'row-' || (i * 7919 % 1000) || '-ü' END AS c_str
FROM range(200) t(i);
CREATE TABLE t_big AS SELECT
  i::BIGINT AS id,
  (i * 7919 % 100)::INTEGER AS k,
  ['red','green','blue','cyan','magenta','yellow','black'][1 + (i * 31 % 7)::INTEGER] AS g,
  (i * 2654435761 % 1000003) / 1000.0::DOUBLE AS v,
  ((i * 48271 % 2147483647) / 10000.0)::DECIMAL(18,4) AS m,
  TIMESTAMP '2021-01-01' + to_seconds((i * 613)::BIGINT) AS ts,
  'k' || (i * 104729 % 99991) AS s,
  CASE WHEN i % 17 = 0 THEN NULL ELSE (i * 131 % 5000)::INTEGER END AS n
FROM range(${bigRows}) t(i);
CREATE TABLE t_floats AS SELECT * FROM (VALUES
  (1, 'NaN'::DOUBLE, 'NaN'::REAL), (2, 'Infinity'::DOUBLE, '-Infinity'::REAL), (3, '-Infinity'::DOUBLE, 'Infinity'::REAL),
  (4, 0.0::DOUBLE, -0.0::REAL), (5, -0.0::DOUBLE, 0.0::REAL), (6, 1.5, 1.5), (7, -1.5, -1.5), (8, NULL, NULL),
  (9, 1e300, 1e30), (10, 1e-300, 1e-30), (11, 'NaN'::DOUBLE, 2.0::REAL), (12, 2.0, 'NaN'::REAL), (13, NULL, 1.0), (14, 5.0, NULL)
) t(id, x, y);

-- Dates, timestamps and intervals.
SELECT id, d + INTERVAL '1' DAY FROM t_small WHERE d = DATE '2020-02-29' AND id < 0;
SELECT id, extract(YEAR FROM d), extract(MONTH FROM d), extract(DAY FROM d) FROM t_small;
SELECT id, extract(YEAR FROM c_ts), extract(HOUR FROM c_ts), extract(MINUTE FROM c_ts) FROM t_types;
SELECT id, extract(DOW FROM d), extract(DOY FROM d), extract(QUARTER FROM d), extract(WEEK FROM d) FROM t_small;
SELECT id, date_trunc('month', c_ts), date_trunc('year', c_ts), date_trunc('hour', c_ts) FROM t_types;
SELECT id FROM t_types WHERE c_ts >= TIMESTAMP '2000-01-01 00:00:00' + INTERVAL '30' DAY AND c_ts < TIMESTAMP '2000-03-01 00:00:00';
SELECT count(*) FROM lineitem WHERE l_shipdate <= DATE '1998-12-01' - INTERVAL '90' DAY;
SELECT count(*) FROM orders WHERE o_orderdate >= DATE '1993-07-01' AND o_orderdate < DATE '1993-07-01' + INTERVAL '3' MONTH;
SELECT count(*) FROM lineitem WHERE l_commitdate < l_receiptdate AND l_shipdate < l_commitdate;
SELECT extract(YEAR FROM o_orderdate) AS y, count(*) FROM orders GROUP BY extract(YEAR FROM o_orderdate);
SELECT date_trunc('month', ts) AS m, count(*) FROM t_big GROUP BY date_trunc('month', ts);
SELECT min(d), max(d) FROM t_small;
SELECT min(ts), max(ts) FROM t_big;
SELECT id FROM t_small WHERE d < DATE '1970-01-02';
SELECT id, d FROM t_small WHERE d = '2020-01-01';
SELECT count(*) FROM t_big WHERE date_trunc('day', ts) < TIMESTAMP '2021-01-02 23:59:59.999';
-- expect
-- | 2020-02-29
SELECT CAST(DATE '2020-01-31' + INTERVAL '1' MONTH AS date);
-- expect
-- | 59
SELECT DATE '2021-03-01' - DATE '2021-01-01';
-- expect
-- | 2020-01-01T00:00:00.500 | 10:00:00.500
SELECT TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '0.5' SECOND, TIME '10:00:00' + INTERVAL '0.5' SECOND;
SELECT count(*) FROM t_big WHERE ts < TIMESTAMP '2021-01-01 00:10:13' + INTERVAL '0.5' SECOND;
SELECT id, d + INTERVAL '12' HOUR FROM t_small;
SELECT id FROM t_small WHERE d + INTERVAL '1' DAY = DATE '2020-03-01';
SELECT id FROM t_small WHERE d < DATE '2020-01-01' + INTERVAL '12' HOUR;
SELECT id FROM t_small WHERE d >= DATE '2020-01-01' AND d < DATE '2020-01-01' + INTERVAL '1' DAY;
SELECT count(*) FROM t_big WHERE ts >= TIMESTAMP '2021-01-03' AND ts < TIMESTAMP '2021-01-03T12:00';
-- expect
-- | 1.5 | 1577836801.5 | 1500
SELECT extract(SECOND FROM ts), extract(EPOCH FROM ts), extract(MILLISECONDS FROM ts) FROM (SELECT TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '1.5' SECOND AS ts) x;
-- expect
-- | 2020-01-01T00:00:00.000001
SELECT TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '0.000001' SECOND;
-- expect
-- | 12020-01-01 | true
SELECT CAST(DATE '12020-01-01' AS varchar), TIMESTAMP '12020-01-01 00:00:00' > TIMESTAMP '9999-12-31 00:00:00';

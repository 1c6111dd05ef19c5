-- Three-valued logic.
SELECT id, k = 10, k <> 10, k > 10 AND b, k > 10 OR b, NOT b FROM t_small;
SELECT id, b AND NULL, b OR NULL FROM t_small;
SELECT id, k IS NULL, s IS NOT NULL, b IS TRUE, b IS NOT FALSE, b IS UNKNOWN FROM t_small;
SELECT id, coalesce(k, id), coalesce(NULL, s, 'x'), nullif(k, 10) FROM t_small;
SELECT id, k IS DISTINCT FROM 10, k IS NOT DISTINCT FROM NULL FROM t_small;
SELECT id, k IN (10, NULL), k NOT IN (10, NULL), NULL IN (1, 2) FROM t_small;
SELECT id, k BETWEEN NULL AND 20, k NOT BETWEEN 10 AND NULL FROM t_small;
SELECT id, CASE WHEN b THEN 'yes' WHEN NOT b THEN 'no' END FROM t_small;
SELECT id, CASE k WHEN 10 THEN 'ten' WHEN 20 THEN 'twenty' ELSE 'many' END FROM t_small;
SELECT count(*), count(k), count(s), count(b) FROM t_small;
SELECT sum(k), avg(k), min(k), max(k) FROM t_small WHERE k IS NULL;
SELECT sum(k), count(*) FROM t_small WHERE id > 1000;
SELECT k, count(*) FROM t_small GROUP BY k;
SELECT b, k, count(*) FROM t_small GROUP BY b, k;
-- ordered
SELECT id, k FROM t_small ORDER BY k NULLS FIRST, id;
-- ordered
SELECT id, k FROM t_small ORDER BY k DESC NULLS LAST, id DESC;
-- expect
-- | 4 | NULL
-- | 8 | NULL
SELECT id, k FROM t_small WHERE k IS NULL ORDER BY id;
-- ordered
-- expect
-- | 10
-- | 20
-- | 30
-- | 40
-- | 50
-- | 60
-- | NULL
SELECT DISTINCT k FROM t_small ORDER BY k;
-- ordered
-- expect
-- | NULL
-- | 60
-- | 50
SELECT DISTINCT k FROM t_small ORDER BY k DESC LIMIT 3;
SELECT a.id, b.id FROM t_small a JOIN t_small b ON a.k = b.k WHERE a.id < b.id;
SELECT id FROM t_small WHERE CASE WHEN k IS NULL THEN NULL ELSE k > 15 END;

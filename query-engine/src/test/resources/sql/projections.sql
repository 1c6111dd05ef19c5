-- Expressions in the select list, over every encoding of a column.
SELECT id, c_bool, c_small, c_int, c_big FROM t_types;
SELECT id, c_real, c_double, c_dec9, c_dec18, c_dec38 FROM t_types;
SELECT id, c_date, c_ts, c_dict, c_str FROM t_types;
SELECT * FROM t_small;
SELECT t.* FROM t_small t WHERE t.id = 3;
SELECT id, id, id + 1 AS following_id FROM t_small;
SELECT 'constant' AS c, 1 AS one, NULL AS nothing, id FROM t_small WHERE id < 3;
SELECT CASE WHEN g = 'red' THEN 1 WHEN g = 'green' THEN 2 ELSE 0 END AS code, count(*) FROM t_big GROUP BY 1;
SELECT CASE WHEN id = 3 THEN 0 ELSE 10 % (id - 3) END FROM t_small;
SELECT id FROM t_small WHERE id <> 3 AND 10 % (id - 3) > 0;
SELECT count(*) FROM t_big WHERE CASE WHEN n IS NULL THEN g = 'red' ELSE n > 4000 END;
SELECT id, c_dict = 'alpha', c_dict IN ('beta', 'gamma'), c_dict LIKE '%a', c_dict IS NULL FROM t_types;
SELECT id, coalesce(c_dict, c_str), greatest(c_dict, 'b') FROM t_types WHERE c_dict IS NOT NULL;
SELECT id, c_small * 2 + c_int, c_double > c_real FROM t_types WHERE c_int BETWEEN -1000 AND 1000;
SELECT sum(CASE WHEN o_orderpriority = '1-URGENT' OR o_orderpriority = '2-HIGH' THEN 1 ELSE 0 END) FROM orders;
SELECT count(*), count(1), count(NULL) FROM t_small;
SELECT p_brand, p_type, p_size FROM part WHERE p_brand <> 'Brand#45' AND p_type NOT LIKE 'MEDIUM POLISHED%' AND p_size IN (49, 14, 23) AND p_partkey < 200;

-- What is refused, and by which code.
-- error SYNTAX_ERROR
SELEC 1;
-- error SYNTAX_ERROR
SELECT id FROM t_small WHERE;
-- error UNDEFINED_TABLE
SELECT 1 FROM nowhere;
-- error UNDEFINED_COLUMN
SELECT nothing FROM t_small;
-- error UNDEFINED_FUNCTION
SELECT no_such_function(id) FROM t_small;
-- error AMBIGUOUS_COLUMN
SELECT id FROM t_small a JOIN t_small b ON a.k = b.k;
-- error TYPE_MISMATCH
SELECT id FROM t_small WHERE s > 5;
-- error TYPE_MISMATCH
SELECT id FROM t_small WHERE id;
-- error FILE_NOT_FOUND
SELECT * FROM '/nowhere/at/all.parquet';
-- error GROUPING_ERROR
SELECT id, count(*) FROM t_small;
-- error UNDEFINED_SCHEMA
SELECT * FROM nowhere.t;
-- A sub-query may only name what its surroundings group by.
-- error GROUPING_ERROR
SELECT k, (SELECT count(*) FROM region WHERE r_regionkey = t.id) FROM t_small t GROUP BY k;
-- error GROUPING_ERROR
SELECT k FROM t_small t GROUP BY k HAVING EXISTS (SELECT 1 FROM region WHERE r_regionkey = t.id);
-- In HAVING a name is a column of FROM before it is an output column.
-- error GROUPING_ERROR
SELECT max(id) AS id FROM t_small GROUP BY k HAVING id > 5;

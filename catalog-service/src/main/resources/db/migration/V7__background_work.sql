-- Work on a table's index that no commit did. indexed_location is the metadata file of which every branch and tag is
-- indexed. Who works on a table holds it until lease_until; after a failure nobody does before next_attempt, and
-- footers are not looked for before footers_after.
create table lh_index_work(
  table_id bigint not null,
  indexed_location varchar,
  owner varchar(64),
  lease_until bigint default 0 not null,
  attempts integer default 0 not null,
  next_attempt bigint default 0 not null,
  footers_after bigint default 0 not null,
  error varchar,
  error_at bigint default 0 not null,
  constraint lh_index_work_pk primary key(table_id)
);

-- Files whose footer could not be read; stats_state of a file is 0 when only its manifest is known, 1 with its footer,
-- 2 with what our writer said of it, 3 when its manifest is all there will be.
create table lh_footer_failure(
  table_id bigint not null,
  file_id bigint not null,
  attempts integer not null,
  next_attempt bigint not null,
  error varchar not null,
  constraint lh_footer_failure_pk primary key(table_id, file_id)
);

-- Work is found by these: footers to be read, orders to be compared (sort_verified 3: claimed only).
create index lh_file_state on lh_file(table_id, stats_state, file_id);
create index lh_file_check on lh_file(table_id, sort_verified, file_id);

-- A line that forked from another inherits the files alive there at fork_seq: those without a row of its own
-- from before its first change (added_seq <= fork_seq). Such a row shadows the inherited one. inherited counts the
-- files at the fork, shadowed those of them with a row.
alter table lh_line add column parent_line_id bigint;
alter table lh_line add column fork_seq bigint default 0 not null;
alter table lh_line add column inherited bigint default 0 not null;
alter table lh_line add column shadowed bigint default 0 not null;

-- order_id stands for a sort order of the table and the split keys by which the widths of its files are classed:
-- other split keys have another, greater order_id. files counts the table's files when the split keys were chosen.
alter table lh_order add column sort_order_id integer default 0 not null;
update lh_order set sort_order_id = order_id;
create table lh_key_split(
  table_id bigint not null,
  order_id integer not null,
  n integer not null,
  splits bytea not null,
  files bigint not null,
  constraint lh_split_pk primary key(table_id, order_id)
);

-- The table's facts_seq counts the changes of what is known without a commit; a file's is the one that changed its
-- facts last.
alter table lh_table add column facts_seq bigint default 0 not null;
alter table lh_file add column facts_seq bigint default 0 not null;
create index lh_file_facts on lh_file(table_id, facts_seq, file_id);

-- What the storage called the content that the facts are of, where it does.
alter table lh_file add column etag varchar;
alter table lh_staged add column etag varchar;

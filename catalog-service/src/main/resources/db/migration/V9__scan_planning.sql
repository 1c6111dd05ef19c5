-- What a scan task says of a file beside its facts: partition values, split offsets, row ids. Null where it is not known.
alter table lh_file add column task bytea;

-- Plans of scans that are too large for one answer, until their client has read them or they are old.
create table lh_plan(
  plan_id varchar(36) not null,
  table_uuid varchar(36) not null,
  created_at_millis bigint not null,
  constraint lh_plan_pk primary key(plan_id)
);
create index lh_plan_age on lh_plan(created_at_millis);

-- One answer each, as compressed JSON.
create table lh_plan_page(
  plan_id varchar(36) not null,
  page integer not null,
  content bytea not null,
  constraint lh_plan_page_pk primary key(plan_id, page)
);

-- Facts of up to 1,000 files by column, derived from lh_file.stats: rows may go at any time. The pages of a generation
-- list a table's files in ascending order of their ids. A page is there when its row of lh_page_files is;
-- facts_version is the version of the table's facts that it was made from.
create table lh_page_files(
  table_id bigint not null,
  generation integer not null,
  page integer not null,
  n integer not null,
  facts_version bigint not null,
  file_ids bytea not null,
  constraint lh_page_files_pk primary key(table_id, generation, page)
);

create table lh_stat_page(
  table_id bigint not null,
  column_id integer not null,
  generation integer not null,
  page integer not null,
  n integer not null,
  enc_version smallint not null,
  data bytea not null,
  constraint lh_stat_page_pk primary key(table_id, column_id, generation, page)
);

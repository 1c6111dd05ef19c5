-- One row is one view; its metadata_location is the pointer that commits swap. A name is a table's or a view's:
-- whoever takes one holds the namespace's row and looks at both.
create table lh_view(
  namespace varchar(512) not null,
  name varchar(255) not null,
  view_uuid varchar(36) not null,
  metadata_location varchar not null,
  previous_metadata_location varchar,
  constraint lh_view_pk primary key(namespace, name),
  constraint lh_view_uuid unique(view_uuid),
  constraint lh_view_namespace_fk foreign key(namespace) references lh_namespace(namespace)
);

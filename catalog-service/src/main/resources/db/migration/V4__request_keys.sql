-- Idempotency keys of requests that changed something, written by the transaction that made the change:
-- a key is here exactly when its change is done. The request says what the key was used for.
create table lh_request(
  request_key varchar(36) not null,
  request varchar(64) not null,
  done_at_millis bigint not null,
  constraint lh_request_pk primary key(request_key)
);
create index lh_request_age on lh_request(done_at_millis);

-- Counts for the operator, without users.

create table csp_reports (
  day date not null,
  directive text not null,
  blocked text not null check (length(blocked) <= 253),
  path text not null check (length(path) <= 200),
  count bigint not null,
  primary key (day, directive, blocked, path)
);
comment on table csp_reports is 'What browsers refused under the content security policy, counted by UTC day; deleted after 30 days.';
comment on column csp_reports.blocked is 'A host, a scheme such as data, or a keyword such as inline.';
comment on column csp_reports.path is 'Path of the page, without its query.';

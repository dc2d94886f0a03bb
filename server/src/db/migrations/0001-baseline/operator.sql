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

create table daily_figures (
  day date not null,
  name text not null,
  part text not null default '',
  value bigint not null check (value >= 0),
  primary key (day, name, part)
);
comment on table daily_figures is 'Counts of each UTC day for administrators, without users.';
comment on column daily_figures.part is 'Subdivision, such as the wish of a search; empty: the whole.';

-- Cases, evidence, decisions, strikes, bans, appeals, text findings, and the audit log.

create table cases (
  id bigint generated always as identity (start with 20001) primary key,
  subject_id bigint not null references users (id),
  queue text not null check (queue in ('reports', 'restricted')),
  reason_id smallint not null check (reason_id > 0),
  rule text not null,
  harm smallint not null check (harm between 1 and 4),
  -- No foreign key: a call is stored shortly after its start, and a case must not wait for that.
  call_id text,
  message_id bigint references messages (id),
  state text not null default 'open' check (state in ('open', 'second', 'decided')),
  opened_at timestamptz not null,
  changed_at timestamptz not null,
  decided_at timestamptz,
  decided_by bigint references users (id),
  operation smallint check (operation between 1 and 4),
  asked_reason_id smallint,
  asked_note text not null default '',
  lapses_at timestamptz,
  -- Result of the models for the frame that opened the case.
  explicit real,
  model text,
  shadow boolean not null default false,
  call_at timestamptz,
  estimated_age smallint
);
-- One open case of a queue for each user; further reports join it.
create unique index cases_waiting on cases (subject_id, queue) where state <> 'decided';
create index cases_queue on cases (queue, harm, opened_at) where state = 'open';
create index cases_subject on cases (subject_id, id);
create index cases_decided on cases (decided_at) where state = 'decided';
comment on table cases is 'Cases about a user, and their decisions.';
comment on column cases.asked_reason_id is 'Reason of the permanent ban that waits for a second opinion.';
comment on column cases.queue is 'restricted: suspected minors, administrators only.';
comment on column cases.harm is '1 is the most severe.';
comment on column cases.estimated_age is 'Age in years that software estimated from pictures; only in the restricted queue, and null from the decision on.';
comment on column cases.call_at is 'Time of the call, once its partition was dropped.';

create table reports (
  id bigint generated always as identity primary key,
  reporter_id bigint not null references users (id),
  reported_id bigint not null references users (id),
  reason_id smallint not null check (reason_id > 0),
  call_id text,
  message_id bigint references messages (id),
  at timestamptz not null,
  case_id bigint references cases (id),
  was_right boolean,
  check (reporter_id <> reported_id)
);
create index reports_reported on reports (reported_id, at);
create index reports_reporter on reports (reporter_id, at);
create index reports_case on reports (case_id);
comment on table reports is 'Reports by users about users.';
comment on column reports.was_right is 'Whether a moderator found it justified; null until the decision.';

create table evidence (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  case_id bigint not null references cases (id),
  kind text not null check (kind in ('frame', 'lines', 'note')),
  view text check (view in ('own', 'received')),
  at timestamptz not null,
  blob_key text,
  facts text not null default '{}',
  erase_at timestamptz not null,
  erased_at timestamptz,
  report_id bigint
);
create index evidence_case on evidence (case_id, at);
create index evidence_due on evidence (erase_at) where erased_at is null;
comment on table evidence is 'Evidence of a case; its bytes are sealed in blob storage.';
comment on column evidence.blob_key is 'Key of the sealed bytes in blob storage; null once erased, and always in the restricted queue.';
comment on column evidence.facts is 'Perceptual hash and scores as JSON.';
comment on column evidence.view is 'Of a frame: the sender''s own picture, or the received one.';
comment on column evidence.report_id is 'Of a note: its report. No foreign key: the report may be deleted first.';

create table sampled_frames (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  day integer not null,
  draw integer not null,
  at timestamptz not null,
  blob_key text,
  source bytea,
  looked_at timestamptz,
  answer text check (answer in ('fine', 'nudity', 'minor', 'other')),
  check ((looked_at is null) = (answer is null)),
  check (looked_at is null or (blob_key is null and source is null))
);
create index sampled_frames_day on sampled_frames (day, draw) where looked_at is null;
create index sampled_frames_looked on sampled_frames (looked_at) where looked_at is not null;
comment on table sampled_frames is 'Random frames of calls that no model flagged, for the weekly audit; after the look only its answer.';
comment on column sampled_frames.day is 'Days since 1 January 1970, UTC.';
comment on column sampled_frames.draw is 'Random number; the frames of a day with the lowest ones are the sample.';
comment on column sampled_frames.blob_key is 'Key of the sealed bytes in blob storage; null once a moderator has answered.';
comment on column sampled_frames.source is 'Encrypted: user, call, hash and scores; null once a moderator has answered.';

create table claims (
  item text primary key,
  moderator_id bigint not null references users (id),
  until timestamptz not null
);
comment on table claims is 'Items that a moderator works on, each until a time.';
comment on column claims.item is 'case:<id>, image:<public id>, appeal:<id>, text:<id>, notice:<id> or sample:<public id>.';

create table bans (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  reason_id smallint not null,
  reason text not null default '',
  created_at timestamptz not null default now(),
  until timestamptz,
  case_id bigint references cases (id),
  decided_by bigint references users (id),
  seconded_by bigint references users (id),
  is_provisional boolean not null default false,
  rule text,
  call_id text,
  strike smallint not null default 0,
  ended_early_at timestamptz,
  ended_because text,
  call_at timestamptz
);
create index bans_user on bans (user_id);
create index bans_case on bans (case_id);
comment on table bans is 'Bans of a user, with their early ends.';
comment on column bans.decided_by is 'Null: software.';
comment on column bans.ended_because is 'lifted, shortened, replaced, lapsed or reopened.';
comment on column bans.ended_early_at is 'When it ended before until.';
comment on column bans.is_provisional is 'In force until a moderator decides.';
comment on column bans.rule is 'Rule that caused it, where software decided.';
comment on column bans.strike is 'Number of the strike, 1 to 3; 0: none.';
comment on column bans.until is 'Null: permanent.';
comment on column bans.call_at is 'Time of the call, once its partition was dropped.';

create table strikes (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  case_id bigint references cases (id),
  ban_id bigint references bans (id),
  reason_id smallint not null,
  at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index strikes_user on strikes (user_id, expires_at);
comment on table strikes is 'Strikes of a user.';
comment on column strikes.reason_id is 'A ban reason.';

create table appeals (
  id bigint generated always as identity (start with 5001) primary key,
  ban_id bigint not null unique references bans (id),
  user_id bigint not null references users (id),
  ground smallint not null check (ground between 1 and 4),
  text text not null,
  email text not null default '',
  language text not null,
  state text not null default 'received' check (state in ('received', 'upheld', 'shortened', 'lifted')),
  at timestamptz not null,
  answer_by timestamptz not null,
  decided_at timestamptz,
  decided_by bigint references users (id),
  answer text not null default '',
  new_until timestamptz,
  beans_returned bigint not null default 0
);
create index appeals_waiting on appeals (answer_by) where state = 'received';
comment on table appeals is 'Appeals against bans, one a ban.';

create table appeal_subscriptions (
  appeal_id bigint primary key references appeals (id) on delete cascade,
  user_id bigint not null references users (id),
  endpoint_hash text not null,
  sealed bytea not null,
  language text not null,
  offset_min smallint not null check (offset_min between -840 and 840),
  created_at timestamptz not null
);
create index appeal_subscriptions_user on appeal_subscriptions (user_id);
comment on table appeal_subscriptions is 'Push subscription of the browser that gets the answer to an appeal; deleted afterwards.';
comment on column appeal_subscriptions.endpoint_hash is 'SHA-256 of the push service URL, hex.';
comment on column appeal_subscriptions.sealed is 'The URL and the browser''s keys, encrypted under the hash.';
comment on column appeal_subscriptions.language is 'Language of the notification.';
comment on column appeal_subscriptions.offset_min is 'UTC offset of the browser, in minutes.';

create table restraints (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  -- matching: is not matched; chat: may not write; age: is not matched before an age check.
  what text not null check (what in ('matching', 'chat', 'age')),
  rule text not null,
  case_id bigint references cases (id),
  from_at timestamptz not null,
  until timestamptz,
  lifted_at timestamptz,
  reporter_id bigint references users (id),
  is_unproven boolean not null default false,
  look_asked_at timestamptz
);
create index restraints_user on restraints (user_id) where lifted_at is null;
create index restraints_reporter on restraints (from_at) where reporter_id is not null;
create index restraints_case on restraints (case_id) where what in ('matching', 'age');
comment on table restraints is 'Temporary restrictions of a user that are no bans.';
comment on column restraints.until is 'Null: until a moderator decides. Of an age check: when the case returns to its queue; the restriction stays.';
comment on column restraints.reporter_id is 'Of a pause by a report "may be under 18": the reporter; otherwise null.';
comment on column restraints.is_unproven is 'The reporter was new, shared a device or an IP address with another reporter, or had sent an unfounded report.';
comment on column restraints.look_asked_at is 'When the paused user asked for a review.';

create table person_labels (
  user_id bigint not null references users (id),
  label_id smallint not null,
  by_id bigint not null references users (id),
  at timestamptz not null,
  primary key (user_id, label_id)
);
comment on table person_labels is 'Labels that moderators gave a user.';

create table desk_shifts (
  user_id bigint primary key references users (id),
  since_at timestamptz not null,
  seen_at timestamptz not null
);
comment on table desk_shifts is 'When moderators last had the desk open.';
comment on column desk_shifts.since_at is 'When the desk was opened after the last absence.';

create table desk_texts (
  user_id bigint not null references users (id),
  what text not null check (what in ('handover', 'answer1', 'answer2', 'answer3')),
  text text not null,
  at timestamptz not null,
  primary key (user_id, what)
);
comment on table desk_texts is 'Handover notes of moderators, and the answers that they store for appeals.';

create table unrelated_accounts (
  low_id bigint not null references users (id),
  high_id bigint not null references users (id),
  by_id bigint not null references users (id),
  at timestamptz not null,
  primary key (low_id, high_id)
);
comment on table unrelated_accounts is 'Two accounts at one IP address that a moderator declared unrelated.';

create table removed_pictures (
  id bigint generated always as identity primary key,
  -- Of the picture and of its mirror image: 64 bits as 16 hex digits.
  phash text not null,
  mirrored text not null,
  reason_id smallint not null,
  at timestamptz not null
);
comment on table removed_pictures is 'Perceptual hashes of removed pictures.';

create table signals (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  rule text not null,
  dry_run boolean not null,
  detail text not null default '{}',
  at timestamptz not null
);
create index signals_user on signals (user_id, rule, at);
create index signals_at on signals (at);
comment on table signals is 'Events about a user that software noticed.';
comment on column signals.dry_run is 'Recorded without consequences.';

create table sent_views (
  id bigint generated always as identity primary key,
  sender_id bigint not null references users (id),
  subject_id bigint not null references users (id),
  -- No foreign key: a call is stored shortly after its start.
  call_id text not null,
  at timestamptz not null,
  case_id bigint references cases (id),
  was_right boolean,
  unique (call_id, subject_id)
);
create index sent_views_sender on sent_views (sender_id);
create index sent_views_subject on sent_views (subject_id, at);
create index sent_views_case on sent_views (case_id);
comment on table sent_views is 'Senders of frames that incriminate another user.';
comment on column sent_views.case_id is 'Null: it led to no case.';
comment on column sent_views.was_right is 'Whether a moderator found it justified; null until the decision.';

create table owed_beans (
  -- No foreign key: a call is stored shortly after its start.
  call_id text not null,
  user_id bigint not null references users (id),
  since timestamptz not null,
  tries smallint not null default 0,
  primary key (call_id, user_id)
);
create index owed_beans_since on owed_beans (since);
comment on table owed_beans is 'Pending refund of a call to a user; deleted once it is posted.';

create table text_findings (
  id bigint generated always as identity primary key,
  writer_id bigint not null references users (id),
  reader_id bigint references users (id),
  place text not null check (place in ('call', 'message', 'nickname', 'about', 'location')),
  line_ref text,
  kind text not null check (kind in (
    'phone', 'email', 'link', 'handle', 'account_number', 'address', 'advert',
    'insult', 'threat', 'hate', 'solicitation', 'minor'
  )),
  rule_id text not null,
  at timestamptz not null,
  disputed_at timestamptz,
  reported_at timestamptz
);
-- A line that is sent again, or a text that is refused again, stays one row.
create unique index text_findings_line on text_findings (
  writer_id, place, coalesce(line_ref, ''), coalesce(reader_id, 0), rule_id
);
create index text_findings_writer on text_findings (writer_id, at);
create index text_findings_reader on text_findings (reader_id) where reader_id is not null;
create index text_findings_at on text_findings (at);
comment on table text_findings is 'Finding of a text rule in a hidden, covered or refused text; the text is not stored.';
comment on column text_findings.reader_id is 'Null where the text has no single reader, such as a nickname.';
comment on column text_findings.line_ref is 'Client id of the line or message; null for an undelivered text.';
comment on column text_findings.rule_id is 'Language and phrase of the rule, such as en:kill yourself, or contact:phone.';
comment on column text_findings.disputed_at is 'When the writer disputed the finding.';
comment on column text_findings.reported_at is 'When the reader reported the writer.';

create table text_questions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  place text not null check (place in ('nickname', 'about', 'location', 'mute')),
  source text not null check (source in ('person', 'provider')),
  text text not null,
  text_hash bytea,
  before text not null,
  findings text not null,
  restraint_id bigint references restraints (id),
  state text not null default 'open' check (state in ('open', 'accepted', 'refused')),
  asked_at timestamptz not null,
  due_at timestamptz not null,
  answered_at timestamptz,
  answered_by bigint references users (id),
  check ((place = 'mute') = (restraint_id is not null)),
  check ((state = 'open') = (answered_at is null)),
  check (text_hash is null or state <> 'open')
);
create unique index text_questions_open on text_questions (user_id, place, source) where state = 'open';
create index text_questions_waiting on text_questions (due_at, id) where state = 'open';
create index text_questions_user on text_questions (user_id);
comment on table text_questions is 'Questions to moderators about names, texts and mutes; at most one open question a user, place and source.';
comment on column text_questions.source is '`provider`: the name came with a sign-in and is in use.';
comment on column text_questions.text is 'The text in question; empty for a mute, and once the answer is older than the retention of evidence.';
comment on column text_questions.text_hash is 'Of an answered text: keyed hash of place and text, which identifies it after its erasure.';
comment on column text_questions.before is 'Text of that place in the profile at the question; erased with the text.';
comment on column text_questions.findings is 'JSON: findings in the text; erased with it.';
comment on column text_questions.restraint_id is 'Of a mute: the restraint that ends latest.';

create table notices (
  id bigint generated always as identity (start with 7001) primary key,
  kind text not null check (kind in ('minor', 'intimate', 'illegal', 'rights')),
  state text not null default 'received' check (state in ('received', 'asked', 'upheld', 'unfounded')),
  same_as text unique,
  sealed bytea,
  phash text,
  subject_id bigint references users (id),
  at timestamptz not null,
  due_at timestamptz not null,
  question text not null default '',
  reason text not null default '',
  decided_at timestamptz,
  decided_by bigint references users (id),
  check ((state in ('upheld', 'unfounded')) = (decided_at is not null)),
  check (decided_at is not null or same_as is not null and sealed is not null)
);
create index notices_open on notices (due_at) where decided_at is null;
create index notices_subject on notices (subject_id) where subject_id is not null;
create index notices_decided on notices (decided_at) where sealed is not null;
comment on table notices is 'Notices about content by anybody, with or without an account, and their decisions.';
comment on column notices.same_as is 'Keyed hash of the notice, by which a repetition is recognized; null once erased.';
comment on column notices.sealed is 'What the sender wrote, with name and address, encrypted; null once erased.';
comment on column notices.phash is 'Perceptual hash of the sender''s picture, 16 hex digits; null without one, and once erased.';
comment on column notices.subject_id is 'The named account, or the owner of the named picture; null where neither is known.';
comment on column notices.question is 'The moderator''s question to the sender, in state asked.';
comment on column notices.reason is 'Reasons of the decision, for the sender; empty once erased.';

create table notice_pictures (
  notice_id bigint not null references notices (id),
  image_id bigint not null references images (id) on delete cascade,
  primary key (notice_id, image_id)
);
create index notice_pictures_image on notice_pictures (image_id);
comment on table notice_pictures is 'Pictures that a notice names by their address.';

create table authority_requests (
  id bigint generated always as identity (start with 101) primary key,
  authority text not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  kind text not null check (kind in ('information', 'preservation', 'removal', 'emergency')),
  basis text not null,
  received_at timestamptz not null,
  due_at timestamptz,
  subject_id bigint references users (id),
  added_at timestamptz not null,
  added_by bigint not null references users (id),
  proposed_by bigint references users (id),
  outcome text check (outcome in ('disclosed', 'done', 'refused', 'no_data')),
  closed_at timestamptz,
  closed_by bigint references users (id),
  hold_until timestamptz,
  check ((outcome is null) = (closed_at is null)),
  check (outcome is distinct from 'disclosed' or proposed_by <> closed_by),
  check (hold_until is null or subject_id is not null)
);
create index authority_requests_hold on authority_requests (subject_id) where hold_until is not null;
comment on table authority_requests is 'Requests of authorities, with their outcomes and holds; administrators only.';
comment on column authority_requests.country is 'ISO 3166-1 alpha-2.';
comment on column authority_requests.basis is 'Legal basis and reference, as the authority names them.';
comment on column authority_requests.proposed_by is 'Administrator who proposed disclosure, which another one has to agree to.';
comment on column authority_requests.hold_until is 'Until then no job erases data of the account.';

create table outbox (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  kind text not null check (kind in ('warning', 'report', 'question', 'appeal', 'notice')),
  about bigint,
  notice text,
  created_at timestamptz not null,
  due_at timestamptz,
  tries smallint not null default 0,
  unique (user_id, kind, about),
  check ((about is null) = (notice is not null))
);
create index outbox_due on outbox (due_at, id) where due_at is not null;
comment on table outbox is 'Pending notices to users; deleted when sent.';
comment on column outbox.about is 'The case, question, appeal or notice.';
comment on column outbox.notice is 'JSON: an unacknowledged push, to be sent again.';
comment on column outbox.due_at is 'When a server has to send it; null: when the user connects.';
comment on column outbox.tries is 'Failed attempts.';

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_id bigint references users (id),
  kind text not null,
  subject_id bigint references users (id),
  case_id bigint references cases (id),
  reason_id smallint,
  note text not null default '',
  detail text not null default '{}'
);
create index audit_log_subject on audit_log (subject_id, id);
create index audit_log_kind on audit_log (kind, at);
create index audit_log_actor on audit_log (actor_id, at);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
comment on table audit_log is 'Append-only: every access and action of moderators and of software.';
comment on column audit_log.actor_id is 'Null: software.';
comment on column audit_log.detail is 'Facts as JSON.';

create table restricted_access (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_id bigint not null references users (id),
  case_id bigint references cases (id),
  act text not null
);
create trigger restricted_access_append_only before update or delete or truncate on restricted_access
  for each statement execute function refuse_change();
comment on table restricted_access is 'Append-only: every access to the restricted queue.';

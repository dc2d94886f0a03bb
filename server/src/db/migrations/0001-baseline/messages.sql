-- Conversations and messages.

create table conversations (
  id bigint generated always as identity primary key,
  low_id bigint not null references users (id),
  high_id bigint not null references users (id),
  requested_by bigint references users (id),
  accepted boolean not null default false,
  created_at timestamptz not null,
  unique (low_id, high_id),
  check (low_id < high_id)
);
comment on table conversations is 'Conversations between two users.';
comment on column conversations.accepted is 'The request was accepted: both may write, friends or not.';
comment on column conversations.requested_by is 'Sender of the open request; null once accepted, or where both were friends from the start.';

create table messages (
  id bigint generated always as identity primary key,
  conversation_id bigint not null references conversations (id),
  sender_id bigint not null references users (id),
  client_id text not null,
  kind text not null check (kind in ('text', 'met', 'missed')),
  text text not null check (char_length(text) <= 1000),
  sent_at timestamptz not null,
  cover text check (cover in ('insult', 'threat', 'hate', 'solicitation')),
  unique (sender_id, client_id)
);
create index messages_newest on messages (conversation_id, id desc);
comment on table messages is 'Messages of a conversation; erased ones have an empty text.';
comment on column messages.cover is 'Why the text is covered until its reader uncovers it; null: not covered.';

-- One row for each side: the lists of a user read only that user's rows, in order.
create table conversation_sides (
  user_id bigint not null references users (id),
  other_id bigint not null references users (id),
  conversation_id bigint not null references conversations (id),
  last_message_id bigint not null references messages (id),
  unread_count integer not null default 0 check (unread_count >= 0),
  read_up_to bigint not null default 0,
  request boolean not null default false,
  declined boolean not null default false,
  primary key (user_id, other_id)
);
create index conversation_sides_newest on conversation_sides (user_id, last_message_id desc);
create index conversation_sides_unread on conversation_sides (user_id) where unread_count > 0;
create index conversation_sides_requests on conversation_sides (user_id, last_message_id desc) where request;
comment on table conversation_sides is 'A conversation from one user''s side: list entry and unread count.';
comment on column conversation_sides.declined is 'This side declined the request and no longer sees it.';
comment on column conversation_sides.read_up_to is 'Id of the newest read message; 0: none.';
comment on column conversation_sides.request is 'The other user''s request waits for this side''s answer.';

create table message_notifications (
  user_id bigint not null references users (id),
  other_id bigint not null references users (id),
  message_id bigint not null,
  at timestamptz not null,
  primary key (user_id, other_id)
);
comment on table message_notifications is 'The last message of a conversation for which the user got a notification.';

-- Stores messages, each once for its client id, and returns an outcome for each:
--   stored
--   repeated, used: the client id was stored before, in this or in another conversation
--   hidden: the receiver is deleted, or one of the two has blocked the other
--   first: no conversation yet, and p_call_seconds is null (unknown; -1: the two have not met)
--   unfit, asks: it would be a request, and the text is for friends only, or p_may_request is false
--   strangers, not_friends, request_pending: refused
--   busy: without p_waits, another transaction or an earlier message of the batch has the conversation
-- With p_waits it waits for the lock of a conversation. `decideSend` of `message-store.ts` decides the same.
-- Every statement here has its own snapshot, so what is read under a lock is read after the lock was obtained.
create function send_messages(
  p_from bigint[], p_to bigint[], p_client_id text[], p_kind text[], p_text text[], p_cover text[],
  p_for_friends boolean[], p_call_seconds integer[], p_may_request boolean[], p_at timestamptz[], p_waits boolean
) returns table (
  place integer, outcome text, message_id bigint, user_id bigint, conversation_id bigint, requested_by bigint,
  accepted boolean, unread_count integer, other_read_up_to bigint, own_avatar_key text, own_language text,
  unread_total integer, other_id bigint, external_id text, nickname text, avatar_key text, sex smallint,
  country_id integer, follow_status integer, like_status integer
) language plpgsql
-- Every step reads a few rows by an index. These settings forbid plans that scan tables, which a connection could
-- otherwise keep from a time when they were small, and plans for each call.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  v_free boolean[];
  v_outcomes text[];
  v_earlier bigint[];
  -- The conversation of each message before (null: none) and after.
  v_conversations bigint[];
  v_requested_by bigint[];
  v_accepted boolean[];
  v_changed boolean[];
  v_read_up_to bigint[];
  v_places integer[];
  v_ids bigint[];
begin
  if p_waits then
    perform pg_advisory_xact_lock(
      hashtextextended('conversation ' || least(from_id, to_id) || ' ' || greatest(from_id, to_id), 0)
    ) from unnest(p_from, p_to) as wanted (from_id, to_id);
    v_free := array_fill(true, array[cardinality(p_from)]);
  else
    select array_agg(
      pg_try_advisory_xact_lock(
        hashtextextended('conversation ' || least(from_id, to_id) || ' ' || greatest(from_id, to_id), 0)
      ) and turn = 1 order by place
    ) into v_free
    from (
      select *, row_number() over (partition by least(from_id, to_id), greatest(from_id, to_id) order by place) as turn
      from unnest(p_from, p_to) with ordinality as wanted (from_id, to_id, place)
    ) as wanted;
  end if;
  select
    array_agg(
      case
        when not free then 'busy'
        when hidden then 'hidden'
        when earlier.id is not null and earlier.conversation_id = conversation.id then 'repeated'
        when earlier.id is not null then 'used'
        when answers then 'stored'
        when not friends and kind <> 'text' then 'not_friends'
        when not friends and requested_by = from_id then 'request_pending'
        when not friends and not accepted then 'not_friends'
        when conversation.id is null and call_seconds is null then 'first'
        when friends or conversation.id is not null then 'stored'
        when call_seconds < 0 then 'strangers'
        when for_friends then 'unfit'
        when not may_request then 'asks'
        else 'stored'
      end order by place
    ),
    array_agg(earlier.id order by place), array_agg(conversation.id order by place),
    array_agg(case when conversation.id is null and not friends then from_id end order by place),
    array_agg(answers or coalesce(accepted, false) order by place),
    array_agg(requested_by is not null order by place)
  into v_outcomes, v_earlier, v_conversations, v_requested_by, v_accepted, v_changed
  from unnest(p_from, p_to, p_client_id, p_kind, p_for_friends, p_call_seconds, p_may_request, v_free)
    with ordinality as wanted (from_id, to_id, client_id, kind, for_friends, call_seconds, may_request, free, place)
  left join lateral (
    select id, requested_by, accepted from conversations
    where low_id = least(from_id, to_id) and high_id = greatest(from_id, to_id) limit 1
  ) as conversation on true
  left join lateral (
    select id, conversation_id from messages where sender_id = from_id and client_id = wanted.client_id limit 1
  ) as earlier on true
  cross join lateral (
    select
      coalesce((select deleted_at is not null from users where id = to_id), true)
        or coalesce((select true from blocks where user_id = from_id and other_id = to_id), false)
        or coalesce((select true from blocks where user_id = to_id and other_id = from_id), false) as hidden,
      coalesce((select true from follows where user_id = from_id and other_id = to_id), false)
        and coalesce((select true from follows where user_id = to_id and other_id = from_id), false) as friends,
      kind = 'text' and coalesce(requested_by = to_id, false) as answers
  ) as pair;
  v_read_up_to := array_fill(0::bigint, array[cardinality(p_from)]);
  if exists (
    select from unnest(v_outcomes, v_conversations) as sent (outcome, conversation_id)
    where outcome = 'stored' and conversation_id is null
  ) then
    with sent as (
      select * from unnest(p_from, p_to, p_call_seconds, p_at, v_outcomes, v_conversations, v_requested_by, v_accepted)
        with ordinality
        as sent (from_id, to_id, call_seconds, at, outcome, conversation_id, requested_by, accepted, place)
    ), made as (
      insert into conversations (low_id, high_id, requested_by, accepted, created_at)
      select least(from_id, to_id), greatest(from_id, to_id), requested_by, accepted, at from sent
      where outcome = 'stored' and conversation_id is null
      returning id, low_id, high_id
    ), met as (
      insert into messages (conversation_id, sender_id, client_id, kind, text, sent_at)
      select made.id, from_id, 'met:' || made.id, 'met', call_seconds, at
      from sent join made on low_id = least(from_id, to_id) and high_id = greatest(from_id, to_id)
      where call_seconds >= 0
      on conflict (sender_id, client_id) do nothing
      returning id, conversation_id
    )
    select
      array_agg(coalesce(sent.conversation_id, made.id) order by place),
      array_agg(coalesce(met.id, 0) order by place)
    into v_conversations, v_read_up_to
    from sent
    left join made on low_id = least(from_id, to_id) and high_id = greatest(from_id, to_id)
    left join met on met.conversation_id = made.id;
  end if;
  if true = any (v_changed) then
    update conversations set requested_by = null, accepted = after.accepted
    from unnest(v_outcomes, v_conversations, v_accepted, v_changed) as after (outcome, id, accepted, is_changed)
    where after.outcome = 'stored' and is_changed and conversations.id = after.id;
  end if;
  with sent as (
    select * from unnest(
      p_from, p_to, p_client_id, p_kind, p_text, p_cover, p_at, v_outcomes, v_conversations, v_requested_by, v_read_up_to
    ) with ordinality as sent (
      from_id, to_id, client_id, kind, text, cover, at, outcome, conversation_id, requested_by, read_up_to, place
    )
    where outcome = 'stored'
  ), written as (
    insert into messages (conversation_id, sender_id, client_id, kind, text, cover, sent_at)
    -- In one order, so that two batches with the same client ids cannot deadlock.
    select conversation_id, from_id, client_id, kind, text, cover, at from sent order by from_id, client_id
    returning id, conversation_id
  ), stored as (
    select sent.*, written.id from written join sent on sent.conversation_id = written.conversation_id
  ), moved as (
    -- Only the receiver's count grows, and for a text alone: writing does not mean having read.
    insert into conversation_sides
      (user_id, other_id, conversation_id, last_message_id, unread_count, read_up_to, request)
    select from_id, to_id, conversation_id, id, 0, read_up_to, false from stored
    union all
    select to_id, from_id, conversation_id, id, case when kind = 'text' then 1 else 0 end, read_up_to,
      requested_by is not null
    from stored
    on conflict (user_id, other_id) do update set
      last_message_id = excluded.last_message_id,
      unread_count = conversation_sides.unread_count + excluded.unread_count,
      request = excluded.request,
      declined = false
  )
  select array_agg(place::integer), array_agg(id) into v_places, v_ids from stored;
  return query
  select sent.place::integer, sent.outcome, sent.earlier_id, null::bigint, null::bigint, null::bigint, null::boolean,
    null::integer, null::bigint, null::text, null::text, null::integer, null::bigint, null::text, null::text, null::text,
    null::smallint, null::integer, null::integer, null::integer
  from unnest(v_outcomes, v_earlier) with ordinality as sent (outcome, earlier_id, place)
  where sent.outcome <> 'stored';
  -- Two rows for each stored message: the list entry of each side with the message in it, that side's unread total and
  -- the card of the other user, as `conversation-rows.ts` and `directory-store.ts` read them. No row shows a user whose
  -- account was deleted meanwhile.
  return query
  select stored.place, 'stored', stored.id, side.user_id, side.conversation_id, conversation.requested_by,
    conversation.accepted, side.unread_count,
    (select read_up_to from conversation_sides where user_id = side.other_id and other_id = side.user_id),
    owner.avatar_key, owner.language,
    (
      select coalesce(sum(unread.unread_count), 0)::integer
      from conversation_sides as unread
      where unread.user_id = side.user_id and unread.unread_count > 0
        and case
          when unread.declined or (
            coalesce((select deleted_at is not null from users where id = unread.other_id), true)
            or coalesce(
              (select true from blocks where user_id = unread.user_id and other_id = unread.other_id), false
            )
            or coalesce(
              (select true from blocks where user_id = unread.other_id and other_id = unread.user_id), false
            )
          ) then false
          else not unread.request or (
            coalesce((select true from follows where user_id = unread.user_id and other_id = unread.other_id), false)
            and coalesce(
              (select true from follows where user_id = unread.other_id and other_id = unread.user_id), false
            )
          )
        end
    ),
    other.id, other.external_id, other.nickname, other.avatar_key, other.sex, other.country_id,
    case
      when not coalesce(
        (select true from follows where user_id = side.user_id and other_id = side.other_id), false
      ) then 0
      when coalesce((select true from follows where user_id = side.other_id and other_id = side.user_id), false) then 2
      else 1
    end,
    case
      when coalesce((select true from likes where user_id = side.user_id and other_id = side.other_id), false) then 1
      else 0
    end
  from unnest(v_places, v_ids) as stored (place, id)
  cross join lateral (
    values (p_from[stored.place], p_to[stored.place]), (p_to[stored.place], p_from[stored.place])
  ) as pair (user_id, other_id)
  cross join lateral (
    select * from conversation_sides where user_id = pair.user_id and other_id = pair.other_id limit 1
  ) as side
  cross join lateral (select * from conversations where id = side.conversation_id limit 1) as conversation
  cross join lateral (select * from users where id = side.user_id limit 1) as owner
  cross join lateral (select * from users where id = side.other_id and deleted_at is null limit 1) as other;
end $$;

-- What people write to each other.

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
comment on column conversations.accepted is 'A request was accepted: both may write, friends or not.';
comment on column conversations.requested_by is 'Who asked; null once the other accepted, or where both were friends from the start.';

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
comment on column messages.cover is 'Why the text may hurt, so that its reader sees it after a press; null: it is not covered.';

-- One row for each of the two: lists read their own rows in order, and nothing else.
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
comment on table conversation_sides is 'A conversation as one of the two has it: their list and their unread count.';
comment on column conversation_sides.declined is 'The request was declined: shown in no list of this side.';
comment on column conversation_sides.read_up_to is 'Id of the newest message read; 0 for none.';
comment on column conversation_sides.request is 'The other''s request waits for this side''s answer.';

create table message_notifications (
  user_id bigint not null references users (id),
  other_id bigint not null references users (id),
  message_id bigint not null,
  at timestamptz not null,
  primary key (user_id, other_id)
);
comment on table message_notifications is 'The last message of a conversation of which the person was told without a page.';

-- Stores one message, and says what became of it: `stored`; `repeated` and `used` where the client id was stored before,
-- for this or another conversation; `hidden`; `first` where the two have no conversation and it is not known whether they
-- have met (p_call_seconds is null; -1: they have not); `unfit` and `asks` where it would be a request and the text is for
-- friends, or nobody has allowed a request yet; `strangers`, `not_friends` or `request_pending` where it is refused. `decideSend` of `message-store.ts` says the same.
create function send_message(
  p_from bigint, p_to bigint, p_client_id text, p_kind text, p_text text, p_cover text, p_for_friends boolean,
  p_call_seconds integer, p_may_request boolean, p_at timestamptz, out outcome text, out message_id bigint
) language plpgsql as $$
#variable_conflict use_variable
declare
  v_hidden boolean;
  v_friends boolean;
  v_conversation_id bigint;
  v_requested_by bigint;
  v_accepted boolean;
  v_requested_after bigint;
  v_accepted_after boolean;
  v_earlier_conversation_id bigint;
  v_read_up_to bigint := 0;
begin
  select
    coalesce((select deleted_at is not null from users where id = p_to), true)
      or coalesce((select true from blocks where user_id = p_from and other_id = p_to), false)
      or coalesce((select true from blocks where user_id = p_to and other_id = p_from), false),
    coalesce((select true from follows where user_id = p_from and other_id = p_to), false)
      and coalesce((select true from follows where user_id = p_to and other_id = p_from), false),
    conversation.id, conversation.requested_by, conversation.accepted, earlier.id, earlier.conversation_id
  into v_hidden, v_friends, v_conversation_id, v_requested_by, v_accepted, message_id, v_earlier_conversation_id
  from (select) as always
  left join conversations as conversation
    on conversation.low_id = least(p_from, p_to) and conversation.high_id = greatest(p_from, p_to)
  left join messages as earlier on earlier.sender_id = p_from and earlier.client_id = p_client_id;
  if v_hidden then
    outcome := 'hidden';
    return;
  end if;
  if message_id is not null then
    outcome := case when v_earlier_conversation_id = v_conversation_id then 'repeated' else 'used' end;
    return;
  end if;
  if v_requested_by = p_to and p_kind = 'text' then
    v_accepted_after := true;
  elsif v_friends then
    v_accepted_after := coalesce(v_accepted, false);
  elsif p_kind <> 'text' then
    outcome := 'not_friends';
    return;
  elsif v_conversation_id is null and p_call_seconds >= 0 then
    v_requested_after := p_from;
    v_accepted_after := false;
  elsif v_requested_by = p_from then
    outcome := 'request_pending';
    return;
  elsif v_accepted then
    v_accepted_after := true;
  elsif v_conversation_id is not null then
    outcome := 'not_friends';
    return;
  elsif p_call_seconds is not null then
    outcome := 'strangers';
    return;
  end if;
  if v_conversation_id is null and p_call_seconds is null then
    outcome := 'first';
    return;
  end if;
  if v_requested_after is not null and (p_for_friends or not p_may_request) then
    outcome := case when p_for_friends then 'unfit' else 'asks' end;
    return;
  end if;
  if v_conversation_id is null then
    insert into conversations (low_id, high_id, requested_by, accepted, created_at)
    values (least(p_from, p_to), greatest(p_from, p_to), v_requested_after, v_accepted_after, p_at)
    returning id into v_conversation_id;
    if p_call_seconds >= 0 then
      insert into messages (conversation_id, sender_id, client_id, kind, text, sent_at)
      values (v_conversation_id, p_from, 'met:' || v_conversation_id, 'met', p_call_seconds, p_at)
      on conflict (sender_id, client_id) do nothing
      returning id into v_read_up_to;
      v_read_up_to := coalesce(v_read_up_to, 0);
    end if;
  elsif v_requested_by is distinct from v_requested_after or v_accepted <> v_accepted_after then
    update conversations set requested_by = v_requested_after, accepted = v_accepted_after where id = v_conversation_id;
  end if;
  insert into messages (conversation_id, sender_id, client_id, kind, text, cover, sent_at)
  values (v_conversation_id, p_from, p_client_id, p_kind, p_text, p_cover, p_at)
  returning id into message_id;
  -- Only the receiver's count grows, and for a text alone: writing does not mean having read.
  insert into conversation_sides
    (user_id, other_id, conversation_id, last_message_id, unread_count, read_up_to, request)
  values
    (p_from, p_to, v_conversation_id, message_id, 0, v_read_up_to, false),
    (
      p_to, p_from, v_conversation_id, message_id, case when p_kind = 'text' then 1 else 0 end, v_read_up_to,
      v_requested_after is not null
    )
  on conflict (user_id, other_id) do update set
    last_message_id = excluded.last_message_id,
    unread_count = conversation_sides.unread_count + excluded.unread_count,
    request = excluded.request,
    declined = false;
  outcome := 'stored';
end $$;

-- Sends messages, each as `send_message` does. Waits for a conversation that another transaction holds where p_waits;
-- else that message is `busy`, so that the others need not wait for it, and so is a second one of a conversation.
-- Each statement sees what was committed before it began: what is read under a lock is read after the lock was had.
create function send_messages(
  p_from bigint[], p_to bigint[], p_client_id text[], p_kind text[], p_text text[], p_cover text[],
  p_for_friends boolean[], p_call_seconds integer[], p_may_request boolean[], p_at timestamptz[], p_waits boolean
) returns table (
  place integer, outcome text, message_id bigint, user_id bigint, conversation_id bigint, requested_by bigint,
  accepted boolean, unread_count integer, other_read_up_to bigint, own_avatar_key text, own_language text,
  unread_total integer, other_id bigint, external_id text, nickname text, avatar_key text, sex smallint,
  country_id integer, follow_status integer, like_status integer
) language plpgsql
-- Every step is a look into an index, for a handful of messages: no plan for whole tables, whatever they held when
-- the connection first asked, and none made anew for each call.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  v_pair text;
  v_place integer;
  v_pairs text[] := '{}';
  v_sent record;
  v_places integer[] := '{}';
  v_ids bigint[] := '{}';
begin
  -- In one order, so that two calls with the same client ids never wait for each other in a circle.
  for v_place in
    select wanted.place::integer from unnest(p_from, p_client_id) with ordinality as wanted (from_id, client_id, place)
    order by from_id, client_id
  loop
    v_pair := 'conversation ' || least(p_from[v_place], p_to[v_place]) || ' ' || greatest(p_from[v_place], p_to[v_place]);
    if p_waits then
      perform pg_advisory_xact_lock(hashtextextended(v_pair, 0));
    elsif v_pair = any (v_pairs) or not pg_try_advisory_xact_lock(hashtextextended(v_pair, 0)) then
      place := v_place;
      outcome := 'busy';
      return next;
      continue;
    end if;
    v_pairs := v_pairs || v_pair;
    select * into v_sent from send_message(
      p_from[v_place], p_to[v_place], p_client_id[v_place], p_kind[v_place], p_text[v_place], p_cover[v_place],
      p_for_friends[v_place], p_call_seconds[v_place], p_may_request[v_place], p_at[v_place]
    );
    if v_sent.outcome = 'stored' then
      v_places := v_places || v_place;
      v_ids := v_ids || v_sent.message_id;
    else
      place := v_place;
      outcome := v_sent.outcome;
      message_id := v_sent.message_id;
      return next;
    end if;
  end loop;
  -- Two rows for each message that was stored, the entry of either side as it stands with the message in it, with the
  -- total of that side's unread messages and the other's card: what `conversation-rows.ts` and `directory-store.ts` read
  -- singly. Whoever has deleted the account meanwhile is shown to nobody.
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

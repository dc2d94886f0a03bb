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

-- Stores messages of conversations that stand, all of them in one go: two people who may write to each other, and have
-- before. A message of which anything else is true has no rows in the answer, and leaves nothing behind; it takes the
-- way of several statements (`server/src/people/message-store.ts`), which decides the same for it alone.
-- Each statement sees what was committed before it began: what is read under a lock is read after the lock was had.
create function send_messages(
  p_from bigint[], p_to bigint[], p_client_id text[], p_text text[], p_at timestamptz[]
) returns table (
  place integer, user_id bigint, message_id bigint, conversation_id bigint, accepted boolean,
  unread_count integer, other_read_up_to bigint, own_avatar_key text, own_language text, unread_total integer,
  other_id bigint, external_id text, nickname text, avatar_key text, sex smallint, country_id integer,
  follow_status integer, like_status integer
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
  v_free boolean[];
  v_places integer[];
  v_ids bigint[];
begin
  -- Never waits for a conversation: whoever holds one may hold it long, and the others of the call would wait as well.
  select array_agg(
    pg_try_advisory_xact_lock(
      hashtextextended('conversation ' || least(from_id, to_id) || ' ' || greatest(from_id, to_id), 0)
    ) and turn = 1 order by place
  ) into v_free
  from (
    select *, row_number() over (partition by least(from_id, to_id), greatest(from_id, to_id) order by place) as turn
    from unnest(p_from, p_to) with ordinality as wanted (from_id, to_id, place)
  ) as wanted;
  with standing as (
    select wanted.*, conversation.id as conversation_id
    from unnest(p_from, p_to, p_client_id, p_text, p_at, v_free)
      with ordinality as wanted (from_id, to_id, client_id, text, at, free, place)
    cross join lateral (
      select id, accepted from conversations
      where low_id = least(from_id, to_id) and high_id = greatest(from_id, to_id) and requested_by is null
      limit 1
    ) as conversation
    where free
      and (conversation.accepted or (
        coalesce((select true from follows where user_id = from_id and other_id = to_id), false)
        and coalesce((select true from follows where user_id = to_id and other_id = from_id), false)
      ))
      and not (
        coalesce((select deleted_at is not null from users where id = to_id), true)
        or coalesce((select true from blocks where user_id = from_id and other_id = to_id), false)
        or coalesce((select true from blocks where user_id = to_id and other_id = from_id), false)
      )
      -- Whoever has deleted the account meanwhile is shown to nobody.
      and (select deleted_at is null from users where id = from_id)
      and (select not request and not declined from conversation_sides where user_id = from_id and other_id = to_id)
      and (select not request and not declined from conversation_sides where user_id = to_id and other_id = from_id)
  ), written as (
    insert into messages (conversation_id, sender_id, client_id, kind, text, sent_at)
    -- In one order, so that two calls with the same client ids never wait for each other in a circle.
    select conversation_id, from_id, client_id, 'text', text, at from standing order by from_id, client_id
    on conflict (sender_id, client_id) do nothing
    returning id, conversation_id
  ), stored as (
    select standing.place, standing.from_id, standing.to_id, written.id
    from written join standing on standing.conversation_id = written.conversation_id
  ), moved as (
    update conversation_sides as side
    set last_message_id = change.id, unread_count = side.unread_count + change.unread
    from (
      select id, from_id as user_id, to_id as other_id, 0 as unread from stored
      union all
      select id, to_id, from_id, 1 from stored
    ) as change
    where side.user_id = change.user_id and side.other_id = change.other_id
  )
  select array_agg(place::integer), array_agg(id) into v_places, v_ids from stored;
  -- Two rows for each message, the entry of either side as it stands with the message in it, with the total of that
  -- side's unread messages and the other's card: what `conversation-rows.ts` and `directory-store.ts` read singly.
  return query
  select stored.place, side.user_id, stored.id, side.conversation_id,
    (select accepted from conversations where id = side.conversation_id),
    side.unread_count,
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
  cross join lateral (select * from users where id = side.user_id limit 1) as owner
  cross join lateral (select * from users where id = side.other_id limit 1) as other;
end $$;

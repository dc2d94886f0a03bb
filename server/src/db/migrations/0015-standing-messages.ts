import { type Kysely, sql } from "kysely";

/**
 * Stores messages of conversations that stand, all of them in one go: two people who may write to each other, and have
 * before. A message of which anything else is true has no rows in the answer, and leaves nothing behind; it takes the
 * way of several statements (`server/src/people/message-store.ts`), which decides the same for it alone.
 *
 * Each statement sees what was committed before it began: what is read under a lock is read after the lock was had.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
      ${locking};
      ${storing};
      return query ${answer};
    end $$`.execute(db);
}

/** Never waits for a conversation: whoever holds one may hold it long, and the others of the call would wait as well. */
const locking = sql`
  select array_agg(
    pg_try_advisory_xact_lock(
      hashtextextended('conversation ' || least(from_id, to_id) || ' ' || greatest(from_id, to_id), 0)
    ) and turn = 1 order by place
  ) into v_free
  from (
    select *, row_number() over (partition by least(from_id, to_id), greatest(from_id, to_id) order by place) as turn
    from unnest(p_from, p_to) with ordinality as wanted (from_id, to_id, place)
  ) as wanted`;

const storing = sql`
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
      and (conversation.accepted or ${areFriends("from_id", "to_id")})
      and not ${isHidden("from_id", "to_id")}
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
  select array_agg(place::integer), array_agg(id) into v_places, v_ids from stored`;

/**
 * Two rows for each message, the entry of either side as it stands with the message in it, with the total of that side's
 * unread messages and the other's card: what `conversation-rows.ts` and `directory-store.ts` read singly.
 */
const answer = sql`
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
          when unread.declined or ${isHidden("unread.user_id", "unread.other_id")} then false
          else not unread.request or ${areFriends("unread.user_id", "unread.other_id")}
        end
    ),
    other.id, other.external_id, other.nickname, other.avatar_key, other.sex, other.country_id,
    case
      when not ${isThere("follows", "side.user_id", "side.other_id")} then 0
      when ${isThere("follows", "side.other_id", "side.user_id")} then 2
      else 1
    end,
    case when ${isThere("likes", "side.user_id", "side.other_id")} then 1 else 0 end
  from unnest(v_places, v_ids) as stored (place, id)
  cross join lateral (
    values (p_from[stored.place], p_to[stored.place]), (p_to[stored.place], p_from[stored.place])
  ) as pair (user_id, other_id)
  cross join lateral (
    select * from conversation_sides where user_id = pair.user_id and other_id = pair.other_id limit 1
  ) as side
  cross join lateral (select * from users where id = side.user_id limit 1) as owner
  cross join lateral (select * from users where id = side.other_id limit 1) as other`;

function areFriends(one: string, other: string) {
  return sql`(${isThere("follows", one, other)} and ${isThere("follows", other, one)})`;
}

/** The other deleted the account, or either has blocked the other. */
function isHidden(one: string, other: string) {
  return sql`(
    coalesce((select deleted_at is not null from users where id = ${sql.ref(other)}), true)
    or ${isThere("blocks", one, other)} or ${isThere("blocks", other, one)}
  )`;
}

function isThere(table: "follows" | "likes" | "blocks", userId: string, otherId: string) {
  return sql`coalesce(
    (select true from ${sql.table(table)} where user_id = ${sql.ref(userId)} and other_id = ${sql.ref(otherId)}), false
  )`;
}

import { type Kysely, sql } from "kysely";
import { mailKinds } from "@fava/wire/mails.ts";
import { notificationKinds } from "@fava/wire/notifications.ts";
import { countryById } from "@fava/wire/countries.ts";
import { interests as interestNames, spokenLanguages } from "@fava/wire/talk.ts";
import type { AddressSeal } from "#db/mail-outbox.ts";
import type { Database } from "#db/schema.ts";

type Db = Kysely<Database>;
export async function* messages(db: Db, userId: bigint): AsyncGenerator<Entry> {
  const conversations = paged<{ id: bigint; with_no: string; with_name: string }>(async (last, limit) => {
    const { rows } = await sql<{ id: bigint; with_no: string; with_name: string }>`
      select conversations.id, users.user_no as with_no, users.nickname as with_name
      from conversations join users on users.id = low_id + high_id - ${userId}
      where (low_id = ${userId} or high_id = ${userId}) and conversations.id > ${last?.id ?? 0n}
      order by conversations.id limit ${limit}`.execute(db);
    return rows;
  });
  for await (const { id, with_no, with_name } of conversations) {
    const lines = paged<{
      id: bigint;
      sender_id: bigint;
      kind: string;
      text: string;
      cover: string | null;
      reaction: string | null;
      sent_at: Date;
    }>((last, limit) =>
      db
        .selectFrom("messages")
        .select(["id", "sender_id", "kind", "text", "cover", "reaction", "sent_at"])
        .where("conversation_id", "=", id)
        .where("id", ">", last?.id ?? 0n)
        .orderBy("id")
        .limit(limit)
        .execute(),
    );
    for await (const line of lines) {
      yield {
        conversation: id,
        with_account: with_no,
        with_nickname: with_name,
        from_me: line.sender_id === userId,
        kind: line.kind,
        text: line.text,
        covered_as: line.cover,
        reaction: line.reaction,
        sent_at: line.sent_at,
      };
    }
  }
}

export async function* relations(db: Db, userId: bigint): AsyncGenerator<Entry> {
  const own = [
    ["follows", "follow"],
    ["likes", "like"],
    ["blocks", "block"],
    ["meet_wishes", "meet_again"],
  ] as const;
  for (const [table, relation] of own) yield* peopleIn(db, { table, relation, userId, own: true });
  yield* notUntil(db, { table: "aparts", relation: "not_again", userId });
  yield* notUntil(db, { table: "ring_mutes", relation: "not_to_be_rung_by", userId });
  yield* kindWords(db, userId);
  yield* rings(db, userId);
  yield* invitations(db, userId);
  yield* peopleIn(db, { table: "follows", relation: "followed_by", userId, own: false });
}

/** Kind words of the last days: the user's own, and those that the user has read. */
async function* kindWords(db: Db, userId: bigint): AsyncGenerator<Entry> {
  const { rows } = await sql<{ mine: boolean; user_no: string; nickname: string; word: number; at: Date }>`
    select kind_words.user_id = ${userId} as mine, users.user_no, users.nickname, kind_words.word, kind_words.at
    from kind_words
    join users on users.id = case when kind_words.user_id = ${userId} then kind_words.other_id else kind_words.user_id end
    where kind_words.user_id = ${userId} or (kind_words.other_id = ${userId} and kind_words.read_at is not null)
    order by kind_words.at, kind_words.user_id limit ${pageRows}`.execute(db);
  for (const { mine, user_no, nickname, word, at } of rows)
    yield { relation: mine ? "kind_word_to" : "kind_word_from", account: user_no, nickname, word, at };
}

/** Rings of the last minutes. A missed ring is also a message of its conversation. */
async function* rings(db: Db, userId: bigint): AsyncGenerator<Entry> {
  const rows = await db
    .selectFrom("rings")
    .innerJoin("users as ringer", "ringer.id", "ringer_id")
    .innerJoin("users as rung", "rung.id", "rung_id")
    .select(["ringer_id", "rings.at", "state", "away"])
    .select(["ringer.user_no as ringer_no", "ringer.nickname as ringer_name"])
    .select(["rung.user_no as rung_no", "rung.nickname as rung_name"])
    .where((where) => where.or([where("ringer_id", "=", userId), where("rung_id", "=", userId)]))
    .orderBy("rings.at")
    .orderBy("rings.id")
    .limit(pageRows)
    .execute();
  for (const { ringer_id, at, state, away, ...who } of rows) {
    // `away`, which tells whether the other user had a page open, is left out here: it is that user's data.
    if (ringer_id === userId) yield { relation: "rang", account: who.rung_no, nickname: who.rung_name, at, state };
    else yield { relation: "was_rung_by", account: who.ringer_no, nickname: who.ringer_name, at, state, away };
  }
}

async function* invitations(db: Db, userId: bigint): AsyncGenerator<Entry> {
  const rows = await db
    .selectFrom("invitations")
    .innerJoin("users as maker", "maker.id", "invitations.user_id")
    .leftJoin("users as opener", "opener.id", "invitations.other_id")
    .select(["invitations.user_id", "invitations.at", "until"])
    .select(["maker.user_no as maker_no", "maker.nickname as maker_name"])
    .select(["opener.user_no as opener_no", "opener.nickname as opener_name"])
    .where((where) => where.or([where("invitations.user_id", "=", userId), where("other_id", "=", userId)]))
    .orderBy("invitations.at")
    .orderBy("invitations.id")
    .limit(pageRows)
    .execute();
  for (const { user_id, at, until, ...who } of rows) {
    if (user_id === userId) yield { relation: "invited", account: who.opener_no, nickname: who.opener_name, at, until };
    else yield { relation: "was_invited_by", account: who.maker_no, nickname: who.maker_name, at, until };
  }
}

async function* notUntil(
  db: Db,
  { table, relation, userId }: { table: "aparts" | "ring_mutes"; relation: string; userId: bigint },
): AsyncGenerator<Entry> {
  const rows = paged<{ id: bigint; user_no: string; nickname: string; until: Date }>((last, limit) =>
    db
      .selectFrom(table)
      .innerJoin("users", "users.id", "other_id")
      .select(["users.id", "users.user_no", "users.nickname", "until"])
      .where("user_id", "=", userId)
      .where("other_id", ">", last?.id ?? 0n)
      .orderBy("other_id")
      .limit(limit)
      .execute(),
  );
  for await (const { user_no, nickname, until } of rows) yield { relation, account: user_no, nickname, until };
}

async function* peopleIn(
  db: Db,
  list: { table: "follows" | "likes" | "blocks" | "meet_wishes"; relation: string; userId: bigint; own: boolean },
): AsyncGenerator<Entry> {
  const [mine, theirs] = list.own ? (["user_id", "other_id"] as const) : (["other_id", "user_id"] as const);
  const rows = paged<{ id: bigint; user_no: string; nickname: string; at: Date }>((last, limit) =>
    db
      .selectFrom(list.table)
      .innerJoin("users", "users.id", theirs)
      .select(["users.id", "users.user_no", "users.nickname", "at"])
      .where(mine, "=", list.userId)
      .where(theirs, ">", last?.id ?? 0n)
      .orderBy(theirs)
      .limit(limit)
      .execute(),
  );
  for await (const { user_no, nickname, at } of rows)
    yield { relation: list.relation, account: user_no, nickname, since: at };
}

/** The user's calls, without the partners, who are other users' data. */
export async function* calls(db: Db, userId: bigint): AsyncGenerator<Entry> {
  for (const [side, price] of [
    ["offerer_id", "offerer_price"],
    ["answerer_id", "answerer_price"],
  ] as const) {
    yield* paged<CallRow>(async (last, limit) => {
      const behind = last ? sql<boolean>`(matched_at, id) > (${last.matched_at}, ${last.id})` : sql<boolean>`true`;
      return db
        .selectFrom("calls")
        .select(["id", "matched_at", "connected_at", "ended_at", "end_reason", `${price} as beans_a_minute`])
        .where(side, "=", userId)
        .where(behind)
        .orderBy("matched_at")
        .orderBy("id")
        .limit(limit)
        .execute();
    });
  }
  // Calls older than the retention period, of which only the price is stored.
  yield* paged<Entry & { id: string }>((last, limit) =>
    db
      .selectFrom("call_prices")
      .select(["call_id as id", "price as beans_a_minute"])
      .where("user_id", "=", userId)
      .where("call_id", ">", last?.id ?? "")
      .orderBy("call_id")
      .limit(limit)
      .execute(),
  );
}

interface CallRow {
  [field: string]: unknown;
  id: string;
  matched_at: Date;
}

export function beans(db: Db, userId: bigint): AsyncGenerator<Entry> {
  return paged<Entry & { id: bigint }>((last, limit) =>
    db
      .selectFrom("bean_accounts")
      .innerJoin("bean_entries", "bean_entries.account_id", "bean_accounts.id")
      .innerJoin("bean_transfers", "bean_transfers.id", "bean_entries.transfer_id")
      .select([
        "bean_transfers.id",
        "bean_transfers.at",
        "bean_transfers.kind",
        "bean_transfers.reason",
        "bean_transfers.reference",
        "bean_entries.amount",
        "bean_entries.balance_after",
      ])
      .where("bean_accounts.user_id", "=", userId)
      .where("bean_entries.transfer_id", ">", last?.id ?? 0n)
      .orderBy("bean_entries.transfer_id")
      .limit(limit)
      .execute(),
  );
}

export function orders(db: Db, userId: bigint): AsyncGenerator<Entry> {
  return paged<Entry & { id: bigint }>((last, limit) =>
    db
      .selectFrom("payment_orders")
      .select([
        "id",
        "order_no",
        "state",
        "beans",
        "amount_minor",
        "currency_code",
        "pay_name",
        "created_at",
        "paid_at",
      ])
      .where("user_id", "=", userId)
      .where("id", ">", last?.id ?? 0n)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );
}

/** Reads the note of a report; null if it has none or it is erased. */
export type ReadNote = (reportId: bigint, caseId: bigint) => Promise<string | null>;

/** The user's own reports with their notes. Reports about the user are data of the reporters. */
export async function* reports(db: Db, userId: bigint, readNote: ReadNote): AsyncGenerator<Entry> {
  const rows = paged<Entry & { id: bigint; case_id: bigint | null }>((last, limit) =>
    db
      .selectFrom("reports")
      .innerJoin("users", "users.id", "reports.reported_id")
      .select(["reports.id", "reports.reason_id", "reports.call_id", "reports.message_id", "reports.at"])
      .select(["users.user_no as about_account", "reports.case_id"])
      .select((query) =>
        query
          .exists(
            query
              .selectFrom("outbox")
              .select("outbox.id")
              .where("kind", "=", "report")
              .where("outbox.user_id", "=", userId)
              .whereRef("about", "=", "reports.case_id"),
          )
          .as("outcome_due"),
      )
      .where("reporter_id", "=", userId)
      .where("reports.id", ">", last?.id ?? 0n)
      .orderBy("reports.id")
      .limit(limit)
      .execute(),
  );
  for await (const { case_id: caseId, ...report } of rows) {
    yield { ...report, note: caseId === null ? null : await readNote(report.id, caseId) };
  }
}

export function signIns(db: Db, userId: bigint): AsyncGenerator<Entry> {
  return paged<Entry & { id: bigint }>((last, limit) =>
    db
      .selectFrom("login_events")
      .select(["id", "at", "ip", "device_id", "user_agent"])
      .where("user_id", "=", userId)
      .where("id", ">", last?.id ?? 0n)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );
}

export function stoppedTexts(db: Db, userId: bigint): AsyncGenerator<Entry> {
  return paged<Entry & { id: bigint }>((last, limit) =>
    db
      .selectFrom("text_findings")
      .select(["id", "place", "kind", "at", "disputed_at"])
      .where("writer_id", "=", userId)
      .where("id", ">", last?.id ?? 0n)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );
}

export async function profile(db: Db, userId: bigint): Promise<Entry> {
  const [user, identities, wish, talk, cap, browsers, answers, subscription, desk, shift] = await Promise.all([
    db
      .selectFrom("users")
      .select([
        "user_no",
        "nickname",
        "sex",
        "birthday",
        "country_id",
        "about",
        "location",
        "searchable",
        "ringable",
        "language",
      ])
      .select(["created_at", "last_login_at", "last_login_ip", "device_id", "nickname_changed_at", "passed_calls"])
      .select(["age_checked_at", "first_search_on"])
      .where("id", "=", userId)
      .executeTakeFirstOrThrow(),
    db.selectFrom("identities").select(["login_type", "third_party_id"]).where("user_id", "=", userId).execute(),
    db.selectFrom("match_filters").select(["sex", "country"]).where("user_id", "=", userId).executeTakeFirst(),
    db
      .selectFrom("talk")
      .select(["languages", "interests", "prefer", "leaves_out"])
      .where("user_id", "=", userId)
      .executeTakeFirst(),
    db
      .selectFrom("bean_caps")
      .select(["beans", "from_at"])
      .where("user_id", "=", userId)
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom("push_subscriptions")
      .select(["kinds", "names", "quiet", "offset_min", "created_at", "used_at"])
      .where("user_id", "=", userId)
      .orderBy("id")
      .execute(),
    db
      .selectFrom("appeal_subscriptions")
      .select(["appeal_id", "language", "offset_min", "created_at"])
      .where("user_id", "=", userId)
      .orderBy("appeal_id")
      .execute(),
    db
      .selectFrom("match_subscriptions")
      .select(["sex", "country_id", "created_at", "until"])
      .where("user_id", "=", userId)
      .executeTakeFirst(),
    db.selectFrom("desk_texts").select(["what", "text", "at"]).where("user_id", "=", userId).orderBy("what").execute(),
    db.selectFrom("desk_shifts").select(["since_at", "seen_at"]).where("user_id", "=", userId).executeTakeFirst(),
  ]);
  return {
    ...user,
    signs_in_with: identities,
    ...(await furtherWaysIn(db, userId)),
    match_wish: wish ?? null,
    talk: talk ? inWords(talk) : null,
    spending_cap: cap ?? null,
    to_be_told_of: subscription ?? null,
    hours_to_be_reminded_of: await reminders(db, userId),
    notifications_of_appeals: answers,
    ...(await ageFacts(db, userId)),
    ...(desk.length > 0 && { texts_at_the_desk: desk }),
    ...(shift && { last_shift_at_the_desk: shift }),
    notifications: browsers.map(({ kinds, ...rest }) => ({ kinds: kinds.map((id) => notificationKinds[id]), ...rest })),
  };
}

/** The user's mail addresses, and the mails of the last 30 days. */
export async function mails(db: Db, userId: bigint, addresses: Pick<AddressSeal, "open">): Promise<Entry> {
  const [address, sent] = await Promise.all([
    db.selectFrom("mail_addresses").selectAll().where("user_id", "=", userId).executeTakeFirst(),
    db
      .selectFrom("mails")
      .select(["template", "matter", "language", "state", "created_at", "ended_at"])
      .where("user_id", "=", userId)
      .orderBy("id")
      .execute(),
  ]);
  const { sealed = null, pending_sealed: pending = null, confirmed_at = null, kinds = [] } = address ?? {};
  return {
    mail_address: sealed && addresses.open(userId, sealed),
    mail_address_confirmed_at: confirmed_at,
    mail_address_to_be_confirmed: pending && addresses.open(userId, pending),
    mails_wanted: kinds.map((id) => mailKinds[id]),
    mails: sent,
  };
}

async function reminders(db: Db, userId: bigint): Promise<Entry[]> {
  const hours = await db
    .selectFrom("topic_hour_reminders")
    .innerJoin("topic_hours", "topic_hours.id", "hour_id")
    .select(["language", "interest", "topic_hour_reminders.starts_at"])
    .where("user_id", "=", userId)
    .orderBy("hour_id")
    .execute();
  return hours.map(({ language, interest, starts_at }) => ({
    language: language === null ? null : spokenLanguages[language],
    interest: interest === null ? null : interestNames[interest],
    starts_at,
  }));
}

async function furtherWaysIn(db: Db, userId: bigint): Promise<Entry> {
  const [passkeys, codes] = await Promise.all([
    db
      .selectFrom("passkeys")
      .select(["browser", "system", "created_at", "used_at"])
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .execute(),
    db.selectFrom("recovery_codes").select("created_at").where("user_id", "=", userId).execute(),
  ]);
  return { passkeys, unused_recovery_codes: codes };
}

async function ageFacts(db: Db, userId: bigint): Promise<Entry> {
  const checks = await db
    .selectFrom("age_checks")
    .select(["vendor", "vendor_ref", "state", "method", "why", "created_at", "decided_at"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
  const session = await db
    .selectFrom("sessions")
    .select("address_country_id")
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return { age_checks: checks, country_of_the_latest_address: session?.address_country_id ?? null };
}

function inWords({
  languages,
  interests,
  prefer,
  leaves_out,
}: {
  languages: number[];
  interests: number[];
  prefer: boolean;
  leaves_out: number[];
}): Entry {
  return {
    languages: languages.map((id) => spokenLanguages[id]),
    interests: interests.map((id) => interestNames[id]),
    prefer,
    leaves_out: leaves_out.map((id) => countryById(id)?.code),
  };
}

export async function pictures(db: Db, userId: bigint): Promise<{ name: string; key: string }[]> {
  const [user, images] = await Promise.all([
    db.selectFrom("users").select("avatar_key").where("id", "=", userId).executeTakeFirstOrThrow(),
    db
      .selectFrom("images")
      .select(["kind", "status", "blob_key"])
      .where("user_id", "=", userId)
      .where("removed_at", "is", null)
      .where("blob_key", "<>", "")
      .orderBy("position")
      .orderBy("id")
      .execute(),
  ]);
  const avatar = user.avatar_key === "" ? [] : [{ name: "avatar.webp", key: user.avatar_key }];
  const others = images
    .filter(({ blob_key }) => blob_key !== user.avatar_key)
    .map(({ kind, status, blob_key }, index) => ({
      name: `${index + 1}-${kind}-${status}.webp`,
      key: blob_key,
    }));
  return [...avatar, ...others];
}

export type Entry = Readonly<Record<string, unknown>>;

const pageRows = 500;

/** Yields a long list with one page in memory. `read` returns at most `limit` rows after `last`, in order. */
export async function* paged<Row>(read: (last: Row | null, limit: number) => Promise<Row[]>): AsyncGenerator<Row> {
  let last: Row | null = null;
  for (;;) {
    const rows: Row[] = await read(last, pageRows);
    yield* rows;
    last = rows.at(-1) ?? null;
    if (rows.length < pageRows) return;
  }
}

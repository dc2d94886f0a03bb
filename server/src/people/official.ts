import { type Kysely, sql } from "kysely";
import type { Conversation, Message } from "@fava/wire/messages.ts";
import type { Database } from "#db/schema.ts";
import { catalogText } from "#lib/catalog-text.ts";
import { siteName } from "#lib/reserved-names.ts";
import type { Clock } from "#ports/clock.ts";
import { type Random, randomId } from "#ports/random.ts";

/** The lowest number. A sign-up that draws it draws again. */
const officialNumber = "10000000";
const conversationId = "official";

export interface OfficialAccount {
  readonly userId: bigint;
  readonly externalId: string;
  readonly email: string;
}

/** Creates the official account, to which nobody can sign in. Idempotent, also across servers. */
export async function ensureOfficial(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  email: string;
}): Promise<OfficialAccount> {
  const { db, clock, random, email } = options;
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('official account', 0))`.execute(trx);
    const existing = await trx
      .selectFrom("users")
      .select(["id", "external_id"])
      .where("official", "=", true)
      .executeTakeFirst();
    const account =
      existing ??
      (await trx
        .insertInto("users")
        .values({
          user_no: officialNumber,
          external_id: randomId(random),
          nickname: siteName,
          avatar_key: "",
          sex: 0,
          birthday: null,
          country_id: 0,
          role: 0,
          language: "en",
          created_at: new Date(clock.nowMs()),
          last_login_at: new Date(clock.nowMs()),
          last_login_ip: "",
          device_id: "",
          official: true,
          searchable: false,
        })
        .returning(["id", "external_id"])
        .executeTakeFirstOrThrow());
    return { userId: account.id, externalId: account.external_id, email };
  });
}

/** The welcome message in the reader's language. It is not stored: it is older than any other and always read. */
export function welcomeMessage({ email }: OfficialAccount, reader: { language: string; since: Date }): Message {
  return {
    id: "0",
    clientId: "welcome",
    conversationID: conversationId,
    msgType: "text",
    // The isolate marks keep the order of the address in right-to-left text.
    text: catalogText(reader.language, "official.welcome", { email: `\u2068${email}\u2069` }),
    avatar: "",
    time: reader.since.getTime(),
    position: "left",
  };
}

export function officialConversation(account: OfficialAccount, lastMessage: Message): Conversation {
  return {
    conversationID: conversationId,
    lastMessage,
    unreadCount: 0,
    userProfile: { nick: siteName, avatar: "", userID: account.externalId },
    externalId: account.externalId,
    userId: Number(account.userId),
    followStatus: 0,
    likeStatus: 0,
    isContact: true,
    country_name: "",
    country_flag: "",
    presence: null,
    state: "official",
    read_up_to: null,
  };
}

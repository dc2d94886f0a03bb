import { type Kysely, sql } from "kysely";
import { mailsPerDayMax } from "@fava/wire/limits.ts";
import { mailKinds } from "@fava/wire/mails.ts";
import { Seal } from "#lib/seal.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import type { Clock } from "#ports/clock.ts";
import { isByChoice, type MailFacts, type MailTemplate, type NewMail } from "#ports/mails.ts";
import type { Random } from "#ports/random.ts";
import { runJobSoon } from "./job-engine.ts";
import type { Database } from "./schema.ts";

type Db = Kysely<Database>;

export const mailsJob = "mails";

interface MailOutboxOptions {
  /** False: the site has no mail server, and nothing is stored. */
  isOn: boolean;
  clock: Clock;
  random: Random;
  serverSecret: ServerSecret;
}

/** The encrypted part of a mail. */
export interface SealedMail<Template extends MailTemplate = MailTemplate> {
  readonly to: string;
  readonly facts: MailFacts[Template];
  /** When the user confirmed the address; null for an address that was given for this matter. */
  readonly confirmedAtMs: number | null;
}

interface Receiver {
  readonly to: string;
  readonly language: string;
  readonly confirmedAtMs: number | null;
}

/** Stores mails in the transaction of what they report; `MailSender` sends them (rules MAIL-2, MAIL-3). */
export class MailOutbox {
  readonly isOn: boolean;
  readonly addresses: AddressSeal;
  readonly #options: MailOutboxOptions;
  readonly #seal: Seal;

  constructor(options: MailOutboxOptions) {
    this.#options = options;
    this.isOn = options.isOn;
    this.addresses = new AddressSeal(options);
    this.#seal = new Seal({ ...options, purpose: "mail/v1" });
  }

  /** Does nothing without a mail server or an address, for a mail that the user did not choose, or for a second one. */
  async add<Template extends MailTemplate>(trx: Db, mail: NewMail<Template>): Promise<void> {
    if (!this.isOn) return;
    const receiver = await this.#receiverOf(trx, mail);
    if (!receiver) return;
    const at = new Date(this.#options.clock.nowMs());
    const { to, language, confirmedAtMs } = receiver;
    const to_hash = this.addresses.hash(to);
    const { template, matter, facts, userId, dueAt = at } = mail;
    const due_at = await freeFrom(trx, to_hash, { dueAt, at });
    if (due_at > dueAt && (isByChoice(template) || template === "confirm")) return;
    const sealed: SealedMail = { to, facts, confirmedAtMs };
    const row = {
      user_id: userId,
      template,
      matter,
      language,
      to_hash,
      sealed: this.#seal.seal(`${template} ${matter}`, Buffer.from(JSON.stringify(sealed))),
      created_at: at,
      due_at,
    };
    await trx
      .insertInto("mails")
      .values(row)
      .onConflict((conflict) => conflict.columns(["template", "matter"]).doNothing())
      .execute();
    await runJobSoon(trx, mailsJob);
  }

  /** Takes back a mail that is not sent yet. */
  async cancel(trx: Db, { template, matter }: Pick<NewMail, "template" | "matter">): Promise<void> {
    await trx
      .deleteFrom("mails")
      .where("template", "=", template)
      .where("matter", "=", matter)
      .where("state", "=", "waiting")
      .execute();
  }

  /** Takes back a user's unsent mails, except those to an address that was given for one matter. */
  async cancelToAccount(trx: Db, userId: bigint): Promise<void> {
    const rows = await trx
      .selectFrom("mails")
      .select(["id", "template", "matter", "sealed"])
      .where("user_id", "=", userId)
      .where("state", "=", "waiting")
      .forUpdate()
      .execute();
    for (const { id, sealed, ...mail } of rows) {
      const isForMatter =
        mail.template !== "confirm" && sealed && this.opened({ ...mail, sealed }).confirmedAtMs === null;
      if (!isForMatter) await trx.deleteFrom("mails").where("id", "=", id).execute();
    }
  }

  opened({ template, matter, sealed }: { template: string; matter: string; sealed: Buffer }): SealedMail {
    return JSON.parse(this.#seal.open(`${template} ${matter}`, sealed).toString("utf8")) as SealedMail;
  }

  async #receiverOf(trx: Db, { template, userId, to, language }: NewMail): Promise<Receiver | null> {
    if (userId === null) return to ? { to, language: language ?? "en", confirmedAtMs: null } : null;
    const user = await trx
      .selectFrom("users")
      .leftJoin("mail_addresses", "mail_addresses.user_id", "users.id")
      .select(["users.language", "mail_addresses.sealed", "mail_addresses.confirmed_at", "mail_addresses.kinds"])
      .where("users.id", "=", userId)
      .executeTakeFirst();
    if (!user) return null;
    const spoken = language ?? user.language;
    if (to) return { to, language: spoken, confirmedAtMs: null };
    const { sealed, confirmed_at, kinds } = user;
    if (!sealed || !confirmed_at) return null;
    if (isByChoice(template) && !kinds?.includes(mailKinds.indexOf(template))) return null;
    return { to: this.addresses.open(userId, sealed), language: spoken, confirmedAtMs: confirmed_at.getTime() };
  }
}

const resealedTogether = 500;

/** Encrypts users' addresses, and hashes addresses to count their mails. */
export class AddressSeal {
  readonly #seal: Seal;
  readonly #secret: ServerSecret;

  constructor(options: { random: Random; serverSecret: ServerSecret }) {
    this.#seal = new Seal({ ...options, purpose: "mail-address/v1" });
    this.#secret = options.serverSecret;
  }

  seal(userId: bigint, address: string): Buffer {
    return this.#seal.seal(String(userId), Buffer.from(address));
  }

  open(userId: bigint, sealed: Buffer): string {
    return this.#seal.open(String(userId), sealed).toString("utf8");
  }

  /** Seals all addresses with the current secret, so that they outlast the other one. Idempotent. */
  async resealAll(db: Db): Promise<void> {
    if (this.#secret.stored.length === 1) return;
    const columns = ["sealed", "pending_sealed"] as const;
    for (let after: bigint | null = 0n; after !== null;) {
      const rows: { user_id: bigint; sealed: Buffer | null; pending_sealed: Buffer | null }[] = await db
        .selectFrom("mail_addresses")
        .select(["user_id", ...columns])
        .where("user_id", ">", after)
        .orderBy("user_id")
        .limit(resealedTogether)
        .execute();
      for (const row of rows) {
        for (const column of columns) {
          const before = row[column];
          const sealed = before && this.#seal.resealed(String(row.user_id), before);
          if (!sealed) continue;
          // The user may have changed the address meanwhile.
          const unchanged = db
            .updateTable("mail_addresses")
            .where("user_id", "=", row.user_id)
            .where(column, "=", before);
          await unchanged.set({ [column]: sealed }).execute();
        }
      }
      after = rows.at(-1)?.user_id ?? null;
    }
  }

  hash(address: string): string {
    return this.#secret.mac(`mail-to/v1\0${address.toLowerCase()}`).toString("hex");
  }
}

/**
 * When the address may receive another mail, from `dueAt` on. Less than a day before and after it the address receives
 * fewer than ten others. Transactions that ask for the same address wait for each other.
 */
async function freeFrom(trx: Db, toHash: string, { dueAt, at }: { dueAt: Date; at: Date }): Promise<Date> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mails:${toHash}`}, 0))`.execute(trx);
  const { rows } = await sql<{ free_at: Date }>`
    with planned as (
      select coalesce(ended_at, greatest(due_at, ${at})) as sent_at from mails where to_hash = ${toHash}
    ), slots as (
      select ${dueAt}::timestamptz as free_at union select sent_at + interval '24 hours' from planned
    )
    select free_at from slots
    where free_at >= ${dueAt} and (
      select count(*) from planned
      where sent_at > free_at - interval '24 hours' and sent_at < free_at + interval '24 hours'
    ) < ${mailsPerDayMax}
    order by free_at limit 1`.execute(trx);
  return rows[0]?.free_at ?? dueAt;
}

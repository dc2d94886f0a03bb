import type { Kysely } from "kysely";
import type { MailChoice } from "@fava/wire/endpoints/mail.ts";
import { mailConfirmMs } from "@fava/wire/limits.ts";
import { type MailKind, mailKinds } from "@fava/wire/mails.ts";
import type { MailOutbox } from "#db/mail-outbox.ts";
import type { Database } from "#db/schema.ts";
import { badInput } from "#lib/errors.ts";
import { mailAddress } from "#lib/mail-address.ts";
import { takeFromLimit } from "#lib/take-from-limit.ts";
import type { Clock } from "#ports/clock.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { MailTokens } from "./mail-tokens.ts";

type Db = Kysely<Database>;

interface MailAddressesOptions {
  db: Db;
  clock: Clock;
  limits: Limits;
  outbox: Pick<MailOutbox, "isOn" | "add" | "cancelToAccount" | "addresses">;
  tokens: MailTokens;
  /** The choice of a user has changed. */
  changed: (userId: bigint) => void;
}

/** Addresses that users type themselves, and which mails they receive (rule MAIL-1). */
export class MailAddresses {
  readonly #options: MailAddressesOptions;

  constructor(options: MailAddressesOptions) {
    this.#options = options;
  }

  async info(userId: bigint): Promise<MailChoice> {
    const { db, clock, outbox } = this.#options;
    const row = await rowOf(db, userId);
    const { sealed = null, pending_sealed: pending = null, pending_at = null, kinds = [] } = row ?? {};
    const isPending = pending_at !== null && pending_at.getTime() + mailConfirmMs > clock.nowMs();
    return {
      on: outbox.isOn,
      email: sealed && outbox.addresses.open(userId, sealed),
      pending: isPending && pending ? outbox.addresses.open(userId, pending) : null,
      kinds,
    };
  }

  /**
   * Stores a new address until it is confirmed, and sends the link. Until then the earlier address stays.
   * @throws EndpointError 400 with the field for an invalid address, or without a mail server; 429.
   */
  async update(userId: bigint, wanted: { email?: string; kinds?: readonly number[] }): Promise<MailChoice> {
    const { db, limits, outbox } = this.#options;
    const { email, kinds } = wanted;
    const address = email === undefined || email.trim() === "" ? null : mailAddress(email.trim());
    if (email?.trim() && (address === null || !outbox.isOn)) throw badInput("not a mail address", "email");
    if (address !== null) await takeFromLimit(limits, "mailChangeByUser", String(userId));
    await db.transaction().execute(async (trx) => {
      await lockUser(trx, userId);
      if (address !== null) await this.#setPending(trx, userId, address);
      else if (email !== undefined) await this.#forget(trx, userId);
      if (kinds) await this.#choose(trx, userId, kinds);
    });
    return this.info(userId);
  }

  /** @returns false for a forged, used or expired link, or one that a newer link replaced. */
  async confirm(token: string): Promise<boolean> {
    const { db, clock, tokens, changed } = this.#options;
    const link = tokens.confirmed(token);
    const nowMs = clock.nowMs();
    if (!link || link.atMs + mailConfirmMs <= nowMs) return false;
    const { userId } = link;
    const { numUpdatedRows } = await db
      .updateTable("mail_addresses")
      .set((row) => ({
        sealed: row.ref("pending_sealed"),
        confirmed_at: new Date(nowMs),
        pending_sealed: null,
        pending_at: null,
      }))
      .where("user_id", "=", userId)
      .where("pending_at", "=", new Date(link.atMs))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    changed(userId);
    return true;
  }

  /**
   * Stops one kind of mails by its link.
   * @returns the kind, also if the user has another address by now; null for a forged link.
   */
  async stop(token: string): Promise<MailKind | null> {
    const { db, tokens, changed } = this.#options;
    const link = tokens.stopped(token);
    if (!link) return null;
    const { userId, atMs, kind } = link;
    const id = mailKinds.indexOf(kind);
    const stopped = await db.transaction().execute(async (trx) => {
      await lockUser(trx, userId);
      const row = await rowOf(trx, userId);
      if (row?.confirmed_at?.getTime() !== atMs || !row.kinds.includes(id)) return false;
      const kinds = row.kinds.filter((other) => other !== id);
      await this.#choose(trx, userId, kinds);
      return true;
    });
    if (stopped) changed(userId);
    return kind;
  }

  /** Whether a link names a kind, without stopping it. */
  kindOf(token: string): MailKind | null {
    return this.#options.tokens.stopped(token)?.kind ?? null;
  }

  async #setPending(trx: Db, userId: bigint, address: string): Promise<void> {
    const { clock, outbox } = this.#options;
    const row = await rowOf(trx, userId);
    const isConfirmed = row?.sealed && outbox.addresses.open(userId, row.sealed) === address;
    const atMs = clock.nowMs();
    const pending = isConfirmed
      ? { pending_sealed: null, pending_at: null }
      : { pending_sealed: outbox.addresses.seal(userId, address), pending_at: new Date(atMs) };
    if (row) await trx.updateTable("mail_addresses").set(pending).where("user_id", "=", userId).execute();
    else
      await trx
        .insertInto("mail_addresses")
        .values({ user_id: userId, ...pending })
        .execute();
    if (isConfirmed) return;
    const matter = `address:${userId}:${atMs}`;
    await outbox.add(trx, { template: "confirm", matter, facts: { atMs }, userId, to: address });
  }

  async #forget(trx: Db, userId: bigint): Promise<void> {
    await trx.deleteFrom("mail_addresses").where("user_id", "=", userId).execute();
    await this.#options.outbox.cancelToAccount(trx, userId);
  }

  /** Also takes back waiting mails of kinds that the user no longer wants. */
  async #choose(trx: Db, userId: bigint, kinds: readonly number[]): Promise<void> {
    await trx
      .updateTable("mail_addresses")
      .set({ kinds: [...kinds] })
      .where("user_id", "=", userId)
      .execute();
    const unwanted = mailKinds.filter((_kind, id) => !kinds.includes(id));
    if (unwanted.length === 0) return;
    await trx
      .deleteFrom("mails")
      .where("user_id", "=", userId)
      .where("state", "=", "waiting")
      .where("template", "in", unwanted)
      .execute();
  }
}

/** Choices are read and then written, so two transactions of one user must not do that side by side. */
async function lockUser(trx: Db, userId: bigint): Promise<void> {
  await trx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
}

function rowOf(db: Db, userId: bigint) {
  return db.selectFrom("mail_addresses").selectAll().where("user_id", "=", userId).executeTakeFirst();
}

/** Deletes addresses that nobody confirmed in time. */
export async function deleteUnconfirmedAddresses(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - mailConfirmMs);
  await db.deleteFrom("mail_addresses").where("sealed", "is", null).where("pending_at", "<", before).execute();
  await db
    .updateTable("mail_addresses")
    .set({ pending_sealed: null, pending_at: null })
    .where("pending_at", "<", before)
    .execute();
}

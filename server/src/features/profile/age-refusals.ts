import { createHmac } from "node:crypto";
import type { CalendarDay } from "@fava/wire/age.ts";
import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";

/** A third-party identity as the database knows it. */
export interface IdentityKey {
  login_type: number;
  third_party_id: string;
}

/**
 * Who was refused for age, as a keyed hash of the third-party identity and the day it may try again: enough that
 * clearing storage or signing in anew gains nothing, and nothing else of the date (rule AGE-6).
 */
export class AgeRefusals {
  readonly #secret: string;

  constructor(serverSecret: string) {
    this.#secret = serverSecret;
  }

  /** The latest day on which one of these identities may try again, where that is after `today`. */
  async tryAgainOn(
    db: Kysely<Database>,
    identities: readonly IdentityKey[],
    today: CalendarDay,
  ): Promise<CalendarDay | null> {
    if (identities.length === 0) return null;
    const refusal = await db
      .selectFrom("age_refusals")
      .select("try_again_on")
      .where(
        "identity_hash",
        "in",
        identities.map((identity) => this.#hash(identity)),
      )
      .where("try_again_on", ">", today)
      .orderBy("try_again_on", "desc")
      .limit(1)
      .executeTakeFirst();
    return refusal?.try_again_on ?? null;
  }

  /** A later refusal replaces one whose day has come. */
  async add(db: Kysely<Database>, identities: readonly IdentityKey[], tryAgainOn: CalendarDay): Promise<void> {
    await db
      .insertInto("age_refusals")
      .values(identities.map((identity) => ({ identity_hash: this.#hash(identity), try_again_on: tryAgainOn })))
      .onConflict((conflict) => conflict.column("identity_hash").doUpdateSet({ try_again_on: tryAgainOn }))
      .execute();
  }

  /** Called once the person is of age: what is no longer needed is not kept. */
  async remove(db: Kysely<Database>, identities: readonly IdentityKey[]): Promise<void> {
    if (identities.length === 0) return;
    await db
      .deleteFrom("age_refusals")
      .where(
        "identity_hash",
        "in",
        identities.map((identity) => this.#hash(identity)),
      )
      .execute();
  }

  #hash({ login_type, third_party_id }: IdentityKey): string {
    return createHmac("sha256", this.#secret).update(`age/v1\0${login_type}\0${third_party_id}`).digest("hex");
  }
}

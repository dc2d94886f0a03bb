import { countryById } from "@fava/wire/countries.ts";
import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import { refused } from "#http/call-error.ts";
import { LruMap } from "#lru-map.ts";
import type { Clock } from "#ports/clock.ts";
import type { TextFinding, TextPlace, TextRules } from "#ports/text-rules.ts";
import { scanAbuse } from "./abuse-scan.ts";
import { scanText } from "./text-scan.ts";

export { scanAbuse };
export { scanText };

/** The text, or a mask in its place where it holds a way to be reached. */
export function maskContacts(text: string): string {
  return scanText(text, undefined).length > 0 ? "•••" : text;
}

const countriesKeptMax = 50_000;

/** The text rules (TEXT-*) with the record of what they stopped: whose, where and what kind, never the text. */
export class TextRulesService implements TextRules {
  readonly #options: { db: Kysely<Database>; clock: Clock };
  /** Country codes of writers; a sign-in from elsewhere rarely matters, so they stay until they are forgotten. */
  readonly #countries = new LruMap<bigint, string>(countriesKeptMax);

  constructor(options: { db: Kysely<Database>; clock: Clock }) {
    this.#options = options;
  }

  findings(text: string): readonly TextFinding[] {
    return scanText(text, undefined);
  }

  /**
   * What `require` would stop.
   *
   * @param userId the writer, whose country says how numbers are dialled.
   */
  async findingsOf(userId: bigint, text: string): Promise<readonly TextFinding[]> {
    return scanText(text, await this.#countryOf(userId));
  }

  async require(userId: bigint, text: string, place: TextPlace): Promise<void> {
    const contacts = await this.findingsOf(userId, text);
    const abuse = scanAbuse(text);
    const findings: readonly TextFinding[] = [...contacts, ...(abuse.isThreat ? ["abuse" as const] : abuse.findings)];
    if (findings.length === 0) return;
    const { db, clock } = this.#options;
    await db
      .insertInto("stopped_texts")
      .values({ user_id: userId, place, findings: findings.join(","), at: new Date(clock.nowMs()) })
      .execute();
    throw refused(contacts.length > 0 ? "personal_data" : "abusive_text", { findings, field: place });
  }

  async #countryOf(userId: bigint): Promise<string | undefined> {
    const known = this.#countries.get(userId);
    if (known !== undefined) return known;
    const row = await this.#options.db
      .selectFrom("users")
      .select("country_id")
      .where("id", "=", userId)
      .executeTakeFirst();
    const code = row && countryById(row.country_id)?.code;
    if (code !== undefined) this.#countries.set(userId, code);
    return code;
  }
}

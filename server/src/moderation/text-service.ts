import { setImmediate as betweenWork } from "node:timers/promises";
import type { Kysely } from "kysely";
import { countryById } from "@fava/wire/countries.ts";
import type { Database } from "#db/schema.ts";
import { refused } from "#lib/errors.ts";
import { PeopleCache } from "#lib/cache.ts";
import type { Clock } from "#ports/clock.ts";
import type { TextFinding, TextPlace, TextRules } from "#ports/text-rules.ts";
import { type Finding, findContacts, scanText } from "./text-scan.ts";

export { scanText };

/** The text, or a mask in its place where it holds a way to be reached. */
export function maskContacts(text: string): string {
  return findContacts(text).length > 0 ? "•••" : text;
}

/** What a text may not hold, each kind once; `country` is the writer's. */
export function findingsIn(text: string, country?: string): readonly TextFinding[] {
  return namedFindings(scanText(text, country === undefined ? {} : { countries: [country] }));
}

/** Findings by what the wire calls them, contacts first, each once; those that are not sure are none. */
export function namedFindings(findings: readonly Finding[]): readonly TextFinding[] {
  const names = new Set(findings.filter(({ confidence }) => confidence === "sure").map(({ kind }) => wireNames[kind]));
  return findingOrder.filter((name) => names.has(name));
}

const wireNames = {
  phone: "phone",
  email: "email",
  link: "link",
  handle: "handle",
  account_number: "account_number",
  address: "address",
  advert: "link",
  insult: "abuse",
  threat: "abuse",
  hate: "abuse",
  solicitation: "solicitation",
  minor: "solicitation",
} as const satisfies Record<Finding["kind"], TextFinding>;
const findingOrder = [
  ...(["phone", "email", "link", "handle", "account_number", "address"] as const),
  ...(["abuse", "solicitation"] as const),
];

const trialLines = [
  "¿what's 12 at home.com?",
  "который час? 12",
  "my number is 0532 123 45 67, insta ana_99, 12 Main Street",
];

/** Has the engine compile what the text rules read texts with, in pieces between other work (rule TEXT-159). */
export async function compileTextRules(): Promise<void> {
  for (const line of [...trialLines, ...trialLines]) {
    findingsIn(line);
    await betweenWork();
  }
}

const countriesKeptMax = 50_000;

/** The text rules (TEXT-*) with the record of what they stopped: whose, where and what kind, never the text. */
export class TextRulesService implements TextRules {
  readonly #options: { db: Kysely<Database>; clock: Clock };
  /** Country codes of writers, until they sign in from elsewhere. */
  readonly countries = new PeopleCache<string>({ entriesMax: countriesKeptMax });

  constructor(options: { db: Kysely<Database>; clock: Clock }) {
    this.#options = options;
  }

  /**
   * What `require` would stop, each kind once.
   *
   * @param userId the writer, whose country says how numbers are dialled.
   */
  async findingsOf(userId: bigint, text: string): Promise<readonly TextFinding[]> {
    return findingsIn(text, await this.#countryOf(userId));
  }

  /** All that `require` would stop, each by its place. */
  async sureFindings(userId: bigint, text: string): Promise<readonly Finding[]> {
    const country = await this.#countryOf(userId);
    const found = scanText(text, country === undefined ? {} : { countries: [country] });
    return found.filter(({ confidence }) => confidence === "sure");
  }

  async require(userId: bigint, text: string, place: TextPlace): Promise<void> {
    const findings = await this.findingsOf(userId, text);
    if (findings.length === 0) return;
    const { db, clock } = this.#options;
    await db
      .insertInto("stopped_texts")
      .values({ user_id: userId, place, findings: findings.join(","), at: new Date(clock.nowMs()) })
      .execute();
    const isAbuseAlone = findings.every((finding) => finding === "abuse" || finding === "solicitation");
    throw refused(isAbuseAlone ? "abusive_text" : "personal_data", { findings, field: place });
  }

  async #countryOf(userId: bigint): Promise<string | undefined> {
    const code = await this.countries.get(userId, async () => {
      const row = await this.#options.db
        .selectFrom("users")
        .select("country_id")
        .where("id", "=", userId)
        .executeTakeFirst();
      return (row && countryById(row.country_id)?.code) ?? null;
    });
    return code ?? undefined;
  }
}

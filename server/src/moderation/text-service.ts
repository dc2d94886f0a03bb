import { setImmediate as betweenWork } from "node:timers/promises";
import type { Kysely } from "kysely";
import { coverMask } from "@fava/wire/messages.ts";
import type { Database } from "#db/schema.ts";
import { type EndpointError, refused } from "#lib/errors.ts";
import { UserCache } from "#lib/cache.ts";
import { userLocaleOf } from "#lib/user-locale.ts";
import type { UserLocale, TextFindingLog, TextPlace, TextReading, TextRules, WrittenText } from "#ports/text-rules.ts";
import {
  coverKindOf,
  isRemovedInCalls,
  namedFindings,
  type RuledSpan,
  ruledSpans,
  spansOf,
  sureFindings,
  writerFor,
} from "./delivered-text.ts";
import { type Finding, findContacts, loadMoreTextRules, scanText } from "./text-scan.ts";

export { namedFindings, type RuledSpan, ruledSpans, scanText };

export function maskContacts(text: string): string {
  return findContacts(text).length > 0 ? coverMask : text;
}

const trialLines = [
  "¿what's 12 at home.com?",
  "который час? 12",
  "my number is 0532 123 45 67, insta ana_99, 12 Main Street",
  "we won 21-19 18-21, so add a_friend on line",
  "我的微信 12 号",
  "حسابي رقم 12",
];

/**
 * Loads the text rules and scans sample lines so that the engine compiles the patterns. Yields between the pieces, and
 * ends early when `signal` is aborted.
 */
export async function compileTextRules(signal: AbortSignal): Promise<void> {
  while (!signal.aborted && loadMoreTextRules()) await betweenWork();
  for (const line of [...trialLines, ...trialLines]) {
    if (signal.aborted) return;
    scanText(line, { countries: ["TR"] });
    await betweenWork();
  }
}

const localesKeptMax = 50_000;

interface TextRulesOptions {
  db: Kysely<Database>;
  /** Records refused and covered texts. */
  log: TextFindingLog;
}

export class TextRulesService implements TextRules {
  readonly #options: TextRulesOptions;
  /** Country and languages of users, cached until a sign-in or a change of language. */
  readonly locales = new UserCache<UserLocale>({ entriesMax: localesKeptMax });

  constructor(options: TextRulesOptions) {
    this.#options = options;
  }

  async read({ writerId, readerId, text }: Omit<WrittenText, "place">): Promise<TextReading> {
    const ids = readerId === null ? [writerId] : [writerId, readerId];
    const people = await Promise.all(ids.map((userId) => this.#userLocaleOf(userId)));
    const found = sureFindings(scanText, text, writerFor(...people));
    return {
      findings: namedFindings(found),
      spans: spansOf(found),
      mayRead: readersOf(found),
      cover: coverKindOf(found),
      noted: found,
    };
  }

  async refusal({ writerId, readerId, place, text }: WrittenText, reading: TextReading): Promise<EndpointError> {
    const { findings, spans, noted } = reading;
    const evidence = noted.some(({ kind }) => kind === "minor") ? { text } : {};
    await this.#options.log.note({ writerId, readerId, place, lineRef: null, findings: noted, ...evidence });
    const isAbuseAlone = findings.every((finding) => finding === "abuse" || finding === "solicitation");
    return refused(isAbuseAlone ? "abusive_text" : "personal_data", { findings, field: place, spans });
  }

  async covered(written: WrittenText & { readonly clientId: string }, { noted }: TextReading): Promise<void> {
    const { writerId, readerId, place, clientId } = written;
    const findings = noted.filter((finding) => !isRemovedInCalls(finding));
    await this.#options.log.note({ writerId, readerId, place, lineRef: clientId, findings });
  }

  async sureFindings(userId: bigint, text: string): Promise<readonly Finding[]> {
    return sureFindings(scanText, text, writerFor(await this.#userLocaleOf(userId)));
  }

  async require(userId: bigint, text: string, place: TextPlace): Promise<void> {
    const written = { writerId: userId, readerId: null, place, text };
    const reading = await this.read(written);
    if (reading.mayRead !== "everybody") throw await this.refusal(written, reading);
  }

  #userLocaleOf(userId: bigint): Promise<UserLocale> {
    return this.locales.get(userId, async () => {
      const row = await this.#options.db
        .selectFrom("users")
        .leftJoin("talk", "talk.user_id", "users.id")
        .select(["users.country_id", "users.language", "talk.languages"])
        .where("users.id", "=", userId)
        .executeTakeFirst();
      const { country_id: countryId = 0, language = "", languages = null } = row ?? {};
      return userLocaleOf({ countryId, language, talk: languages ?? [] });
    });
  }
}

function readersOf(found: readonly Finding[]): TextReading["mayRead"] {
  if (found.some(({ kind }) => kind === "minor")) return "nobody";
  return found.length === 0 ? "everybody" : "friends";
}

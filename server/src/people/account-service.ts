import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { countryByCode } from "@fava/wire/countries.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { accountRestoreMs, addressesKeptMs } from "@fava/wire/limits.ts";
import type { LoginType } from "@fava/wire/people.ts";
import type { Database } from "#db/schema.ts";
import { countryName } from "#lib/country-name.ts";
import { noSession, refused } from "#lib/errors.ts";
import { typedNumber } from "#lib/typed-number.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { Clock } from "#ports/clock.ts";
import type { LiveSession } from "#ports/handlers.ts";
import type { CountryLookup } from "#ports/country-lookup.ts";
import { type SessionDataRow, sessionsSince, userNoAndLoginType } from "./account-data-store.ts";

interface Purchases {
  unused(
    userId: bigint,
  ): Promise<readonly { orderNo: string; beans: bigint; amountMinor: bigint; currencyCode: string }[]>;
  /** Rejects if the refund is impossible now. The background retries a provider that does not answer. */
  refund(userId: bigint, orderNo: string): Promise<void>;
}

export interface AccountServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  countryLookup: CountryLookup;
  logger: Pick<Logger, "warn" | "error">;
  purchases: Purchases;
  balances: { account(userId: bigint): Promise<{ balance: bigint }> };
  calls: { stop(userId: bigint): void };
  sessions: { deleteAccount(userId: bigint): Promise<Date> };
  people: { announceDeletion(userId: bigint): Promise<void> };
}

type AccountInfo = OutputOf<Endpoints["accountInfo"]>;

export class AccountService {
  readonly #options: AccountServiceOptions;

  constructor(options: AccountServiceOptions) {
    this.#options = options;
  }

  /** The sign-ins that are stored with their addresses (rule PRIV-3), and what a deletion would refund and end. */
  async info(session: LiveSession, language: string): Promise<AccountInfo> {
    const { db, clock } = this.#options;
    const now = clock.nowMs();
    const [owner, rows, deletion] = await Promise.all([
      userNoAndLoginType(db, session.userId),
      sessionsSince(db, session.userId, new Date(now - addressesKeptMs)),
      this.#deletion(session.userId),
    ]);
    if (!owner?.loginType) throw noSession("deleted");
    const loginType = owner.loginType as LoginType;
    const sessions = rows.map((row) => this.#sessionView(row, { current: session.id, loginType, language }));
    return { sessions, deletion: { ...deletion, until: now + accountRestoreMs } };
  }

  /**
   * Ends the call, refunds unused purchases and hides the user from everyone (rules DATA-3 to DATA-5). A failed refund
   * does not stop the deletion.
   * @param userNo the account number as the user typed it.
   * @returns until when the user can restore the account, in milliseconds since the epoch.
   * @throws EndpointError 406 `wrong_number`.
   */
  async delete({ userId }: LiveSession, userNo: string): Promise<number> {
    const { db, calls, sessions, people, logger } = this.#options;
    const owner = await userNoAndLoginType(db, userId);
    if (typedNumber(userNo) !== owner?.userNo) throw refused("wrong_number");
    calls.stop(userId);
    await this.refundUnused(userId);
    const deletedAt = await sessions.deleteAccount(userId);
    await people
      .announceDeletion(userId)
      .catch((error: unknown) =>
        logger.error({ err: error, userId: String(userId) }, "failed to notify users of a deleted account"),
      );
    return deletedAt.getTime() + accountRestoreMs;
  }

  async refundUnused(userId: bigint): Promise<void> {
    const { purchases, logger } = this.#options;
    for (const { orderNo } of await purchases.unused(userId)) {
      await purchases
        .refund(userId, orderNo)
        .catch((error: unknown) =>
          logger.warn({ err: error, order: orderNo }, "failed to refund a purchase of a deleted account"),
        );
    }
  }

  async #deletion(userId: bigint): Promise<Omit<AccountInfo["deletion"], "until">> {
    const { purchases, balances } = this.#options;
    const [unused, { balance }] = await Promise.all([purchases.unused(userId), balances.account(userId)]);
    const lost = unused.reduce((left, { beans }) => left - beans, balance);
    return {
      refunds: unused.map(({ beans, amountMinor, currencyCode }) => ({
        beans: wireInteger(beans),
        price_minor: wireInteger(amountMinor),
        currency_code: currencyCode,
      })),
      beans_lost: wireInteger(lost > 0n ? lost : 0n),
    };
  }

  #sessionView(
    row: SessionDataRow,
    shown: { current: string; loginType: LoginType; language: string },
  ): AccountInfo["sessions"][number] {
    const country = countryByCode(this.#options.countryLookup.countryOf(row.ip) ?? "");
    return {
      current: row.id === shown.current ? 1 : 0,
      source: row.source,
      login_type: shown.loginType,
      ...readUserAgent(row.user_agent),
      country_name: country ? countryName(country.id, shown.language) : "",
      at: row.created_at.getTime(),
      ended_at: row.ended_at?.getTime() ?? null,
      end_reason: row.end_reason,
    };
  }
}

/** In this order, since a user agent also names the browsers that its own descends from. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera|OPT)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bYaBrowser\//, "Yandex"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bUCBrowser\//, "UC Browser"],
  [/\bMicroMessenger\//, "WeChat"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];
const systems: readonly [RegExp, string][] = [
  [/\bHarmonyOS\b/, "HarmonyOS"],
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPod)\b/, "iOS"],
  [/\biPad\b/, "iPadOS"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\b(?:Macintosh|Mac OS X)\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

export function readUserAgent(userAgent: string): { browser: string; system: string } {
  return { browser: firstIn(browsers, userAgent), system: firstIn(systems, userAgent) };
}

function firstIn(names: readonly [RegExp, string][], userAgent: string): string {
  return names.find(([shape]) => shape.test(userAgent))?.[1] ?? "";
}

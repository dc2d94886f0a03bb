import type { OutputOf } from "@fava/wire/endpoint.ts";
import { setupItems } from "@fava/wire/endpoints/operator.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { holdMs } from "@fava/wire/limits.ts";
import { type OwnUser, roles } from "@fava/wire/people.ts";
import { interests, spokenLanguages } from "@fava/wire/talk.ts";
import type { Answers } from "#testing/fixture-world.ts";
import { ana, portraitOf, settings } from "#testing/fixtures.ts";
import { authorityRows } from "#testing/notice-fixtures.ts";
import { sixPacks } from "#testing/shop-fixtures.ts";

type ShopInfo = OutputOf<Endpoints["adminShopInfo"]>;
type CspReports = OutputOf<Endpoints["adminCspReports"]>;
type Hours = OutputOf<Endpoints["adminHourList"]>;
type Jobs = OutputOf<Endpoints["adminJobs"]>;

export const ada: OwnUser = {
  ...ana,
  user_id: 21,
  user_no: "10480021",
  nickname: "Ada",
  avatar: portraitOf("ada"),
  externalId: "x-ada",
  role: roles.administrator,
};

const dayMs = 86_400_000;

/** A new installation: no changes, and nothing waits. */
export function newShop(change: Partial<ShopInfo> = {}): ShopInfo {
  const packs = sixPacks.list.map(({ id, golds, price_minor }) => ({
    id,
    country_id: 18,
    golds,
    price_minor,
    currency_code: sixPacks.currency_code,
  }));
  return { prices: settings.prices, packs, history: [], reviews: [], ...change };
}

/** An order whose amount does not match. */
export function reviewOf(nowMs: number): ShopInfo["reviews"][number] {
  return {
    order_no: "fv26112m9t4c7x3k",
    user_no: "10481234",
    provider: "sandbox",
    beans: 10_000,
    price_minor: 999,
    currency_code: "USD",
    reason: "amount_mismatch",
    at: nowMs - 3_600_000,
  };
}

/** Every kind of change, newest first. */
export function changesOf(nowMs: number): ShopInfo["history"] {
  const by = { user_no: ada.user_no, nickname: ada.nickname };
  return [
    { id: "3", at: nowMs - dayMs, ...by, change: "prices", before: "1600 / 900 / 2000", after: "1600 / 800 / 2000" },
    { id: "2", at: nowMs - 2 * dayMs, ...by, change: "pack_removed", before: "US: 20000 = 18.99 USD", after: null },
    { id: "1", at: nowMs - 3 * dayMs, ...by, change: "pack_added", before: null, after: "US: 20000 = 18.99 USD" },
  ];
}

/** A job that has failed, one that is running, and one that never ran. */
export function jobsOf(nowMs: number): Jobs["rows"] {
  const hourMs = 3_600_000;
  const healthy = { is_running: false, failures: 0, last_failed_at: null, held: null };
  return [
    { ...healthy, name: "order checks", ran_at: nowMs - 9_000, next_at: nowMs + 6_000, is_running: true, runs: 40_312 },
    {
      ...healthy,
      name: "exports",
      ran_at: nowMs - 60_000,
      next_at: nowMs + 540_000,
      runs: 1_008,
      failures: 3,
      last_failed_at: nowMs - 2 * hourMs,
    },
    { ...healthy, name: "erasure", ran_at: nowMs - 60_000, next_at: nowMs + 540_000, runs: 900, held: 1 },
    { ...healthy, name: "reconciliation", ran_at: null, next_at: nowMs + 5 * hourMs, runs: 0 },
  ];
}

/** A script of a stranger, and a style of an extension. */
export const cspReports: CspReports["rows"] = [
  { directive: "script-src-elem", blocked: "cdn.example", path: "/", count: 1_204, last_on: "2026-11-28" },
  { directive: "style-src-attr", blocked: "inline", path: "/communityRules", count: 3, last_on: "2026-11-20" },
];

/** A weekly hour for Portuguese, and one hour for chess. */
function hoursOf(nowMs: number): Hours["rows"] {
  const hourMs = 3_600_000;
  const times = (hoursAhead: number) => ({
    starts_at: nowMs + hoursAhead * hourMs,
    ends_at: nowMs + (hoursAhead + 1) * hourMs,
  });
  return [
    { id: 10, language: spokenLanguages.indexOf("pt"), interest: null, ...times(5), is_weekly: 1 },
    { id: 11, language: null, interest: interests.indexOf("chess"), ...times(30), is_weekly: 0 },
  ];
}

/** A shop that stores what an administrator changes. */
export function adminAnswers(change: Partial<ShopInfo> = {}, nowMs: number = Date.now()) {
  let info = newShop(change);
  let hours = hoursOf(nowMs);
  return {
    adminShopInfo: () => info,
    adminJobs: { rows: jobsOf(nowMs) },
    adminCspReports: { rows: cspReports },
    adminSetup: { items: setupItems.map((item) => ({ item, is_done: item === "identity" || item === "contact" })) },
    adminMailTest: { outcome: "sent" },
    adminAuthorityList: { rows: authorityRows(nowMs) },
    adminAuthorityAdd: { id: "104" },
    adminAuthorityHold: { hold_until: nowMs + holdMs },
    adminAuthorityClose: { state: "closed" },
    adminPricesUpdate: (prices) => {
      info = { ...info, prices, history: [...changesOf(nowMs).slice(0, 1), ...info.history] };
      return prices;
    },
    adminPackAdd: (pack) => {
      const added = { ...pack, id: 77 };
      info = { ...info, packs: [...info.packs, added] };
      return added;
    },
    adminPackRemove: ({ id }) => {
      info = { ...info, packs: info.packs.filter((pack) => pack.id !== id) };
      return {};
    },
    adminHourList: () => ({ rows: hours }),
    adminHourAdd: ({ spoken, interest, starts_at, minutes, is_weekly }) => {
      const topic = { language: spoken === -1 ? null : spoken, interest: interest === -1 ? null : interest };
      const added = { id: 12, ...topic, starts_at, ends_at: starts_at + minutes * 60_000, is_weekly };
      hours = [...hours, added];
      return added;
    },
    adminHourRemove: ({ id }) => {
      hours = hours.filter((hour) => hour.id !== id);
      return {};
    },
    adminOrderResolve: ({ order_no, decision }) => {
      info = { ...info, reviews: info.reviews.filter((review) => review.order_no !== order_no) };
      return { state: decision === 1 ? "paid" : "failed" };
    },
  } as const satisfies Answers;
}

import type { OutputOf } from "@fava/wire/endpoint.ts";
import { liveQueues, liveWishes } from "@fava/wire/endpoints/operator.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { liveSlotMs, liveSlots } from "@fava/wire/limits.ts";

type Daily = OutputOf<Endpoints["adminDaily"]>;
type Live = OutputOf<Endpoints["adminLive"]>;

const none = { half: null, most: null };

/** A site on which nobody is yet. */
export function quietLive(nowMs: number): Live {
  return {
    at: nowMs,
    servers: 1,
    answered: 1,
    calls: 0,
    is_relayed: false,
    searching: ([1, 2] as const).flatMap((sex) => liveWishes.map((wish) => ({ sex, wish, people: 0 }))),
    matches_per_second: 0,
    reports_per_minute: 0,
    waits_by_wish: liveWishes.map((wish) => ({ wish, found: 0, ...none })),
    waits_by_country: [],
    never_connected: { share: null, of: 0 },
    first_picture: { of: 0, ...none },
    rungs: ([0, 1, 2, 3, 4] as const).map((rung) => ({ rung, people: 0 })),
    queues: liveQueues.map((queue) => ({ queue, waiting: 0, oldest_at: null, overdue: null })),
    over_time: [],
  };
}

const people = [41, 96, 12, 6, 22, 9, 3, 2];
const sent = [3, 8, 22, 61, 310];

/** A busy evening, of which two of three servers answered. */
export function busyLive(nowMs: number): Live {
  const quiet = quietLive(nowMs);
  const wave = (index: number, most: number) => Math.round(most * (0.7 + 0.3 * Math.sin(index / 9)));
  return {
    ...quiet,
    servers: 3,
    answered: 2,
    calls: 202,
    is_relayed: true,
    searching: quiet.searching.map((row, index) => ({ ...row, people: people[index] ?? 0 })),
    matches_per_second: 3.4166,
    reports_per_minute: 2,
    waits_by_wish: [
      { wish: "any", found: 2_410, half: 0.75, most: 5 },
      { wish: "men", found: 180, half: 0.5, most: 2 },
      { wish: "women", found: 970, half: 7, most: 90 },
      { wish: "country", found: 3, ...none },
    ],
    waits_by_country: [
      { country_id: 18, found: 1_204, half: 1, most: 20 },
      { country_id: 77, found: 440, half: 1.5, most: 45 },
    ],
    never_connected: { share: 0.0312, of: 1_730 },
    first_picture: { of: 1_676, half: 1, most: 3 },
    rungs: quiet.rungs.map((row, index) => ({ ...row, people: sent[index] ?? 0 })),
    queues: quiet.queues.map((row) => {
      if (row.queue === "reports") return { ...row, waiting: 14, oldest_at: nowMs - 22 * 60_000, overdue: 5 };
      return row.queue === "avatars" ? { ...row, waiting: 31, oldest_at: nowMs - 3 * 3_600_000 } : row;
    }),
    over_time: Array.from({ length: liveSlots }, (_, index) => ({
      at: nowMs - (liveSlots - index) * liveSlotMs,
      searching: wave(index, 240),
      calls: wave(index + 5, 210),
      matches_per_second: wave(index, 40) / 10,
      reports_per_minute: index % 4 === 0 ? 6 : 0,
    })),
  };
}

const dayMs = 86_400_000;

/** Two weeks of a site that grows, with one quiet day. */
export function dailyOf(nowMs: number): Daily {
  const counts = (index: number) => (index === 3 ? null : 20 + index * 3);
  return {
    funnel: [
      { step: "new", people: 604, of: 604 },
      { step: "profile", people: 571, of: 604 },
      { step: "search", people: 190, of: 220 },
      { step: "match", people: 430, of: 604 },
      { step: "call", people: 402, of: 604 },
    ],
    back: [
      { after: 1, people: 212, of: 590 },
      { after: 7, people: 96, of: 410 },
      { after: 30, people: null, of: 45 },
    ],
    calls: { matches: 18_204, connected: 17_640, short: 3_104, reported: 61, cut: null },
    beans_back: 48_200,
    money: [
      { currency: "USD", sold: 1_204_871, orders: 418, refunded: 7_996, refunds: 4 },
      { currency: "TRY", sold: 89_970, orders: 3, refunded: 0, refunds: 0 },
    ],
    relay: { bytes_per_call: 24_310_000, thousand_calls: 219, currency: "EUR" },
    waits: [
      { wish: "any", found: 30_104, searches: 32_020, matched: 30_099, half: 0.75, most: 7 },
      { wish: "men", found: 2_410, searches: 2_511, matched: 2_410, half: 0.5, most: 3 },
      { wish: "women", found: 3_870, searches: 6_242, matched: 3_870, half: 10, most: 120 },
      { wish: "country", found: null, searches: 31, matched: null, half: null, most: null },
    ],
    over_time: Array.from({ length: 14 }, (_, index) => ({
      day: new Date(nowMs - (14 - index) * dayMs).toISOString().slice(0, 10),
      new: counts(index),
      connected: 900 + index * 60,
    })),
  };
}

/** A site before its first night. */
export function noDaily(): Daily {
  const nobody = { people: null, of: null };
  return {
    funnel: (["new", "profile", "match", "call"] as const).map((step) => ({ step, ...nobody })),
    back: ([1, 7, 30] as const).map((after) => ({ after, ...nobody })),
    calls: { matches: null, connected: null, short: null, reported: null, cut: null },
    beans_back: 0,
    money: [],
    relay: null,
    waits: liveWishes.map((wish) => ({ wish, found: null, searches: null, matched: null, ...none })),
    over_time: [],
  };
}

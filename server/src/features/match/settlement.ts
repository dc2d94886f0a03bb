import type { Matched } from "#features/call/service.ts";
import type { Allowances } from "#ports/balances.ts";
import type { Clock } from "#ports/clock.ts";
import { isPaused, pauseEnd } from "./gate.ts";
import type { MatchGate, MatchPeople, Search } from "./search.ts";

/** One side of a found pair: ready for its room, without the beans for its filters, or not to be matched at present. */
export type Settled =
  | { readonly search: Search; readonly matched: Matched; readonly why?: never }
  | { readonly search: Search; readonly matched: null; readonly why: "beans" }
  | { readonly search: Search; readonly matched: null; readonly why: "paused"; readonly until: number | null };

interface SettlementPorts {
  people: MatchPeople;
  allowances: Allowances;
  gate: MatchGate;
  clock: Clock;
}

/** Reads what the room of a pair needs, and asks again whether a paid filter can be paid (rule BEANS-63). */
export async function settlePair(
  pair: { longer: Search; newer: Search },
  ports: SettlementPorts,
): Promise<{ longer: Settled; newer: Settled }> {
  const [longer, newer] = await Promise.all([
    settleOne(pair.longer, pair.newer.language, ports),
    settleOne(pair.newer, pair.longer.language, ports),
  ]);
  return { longer, newer };
}

async function settleOne(
  search: Search,
  otherLanguage: string,
  { people, allowances, gate, clock }: SettlementPorts,
): Promise<Settled> {
  const { userId, price, sinceMs } = search;
  const [card, { have }, standing] = await Promise.all([
    people.remoteUser(userId, otherLanguage),
    price === 0 ? { have: 0n } : allowances.spendable(userId),
    gate.standing(userId),
  ]);
  if (isPaused(standing, clock.nowMs())) return { search, matched: null, why: "paused", until: pauseEnd(standing) };
  if (have < BigInt(price)) return { search, matched: null, why: "beans" };
  const isEnough = have >= 2n * BigInt(price) ? 1 : 0;
  return { search, matched: { userId, card, price, isEnough, sinceMs } };
}

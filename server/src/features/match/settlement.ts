import type { Matched } from "#features/call/service.ts";
import type { Allowances } from "#ports/balances.ts";
import type { MatchPeople, Search } from "./search.ts";

/** One side of a found pair: ready for its room, or without the beans for its filters. */
export type Settled =
  | { readonly search: Search; readonly matched: Matched }
  | { readonly search: Search; readonly matched: null };

/** Reads what the room of a pair needs, and asks again whether a paid filter can be paid (rule BEANS-63). */
export async function settlePair(
  pair: { longer: Search; newer: Search },
  ports: { people: MatchPeople; allowances: Allowances },
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
  { people, allowances }: { people: MatchPeople; allowances: Allowances },
): Promise<Settled> {
  const { userId, price, sinceMs } = search;
  const [card, { have }] = await Promise.all([
    people.remoteUser(userId, otherLanguage),
    price === 0 ? { have: 0n } : allowances.spendable(userId),
  ]);
  if (have < BigInt(price)) return { search, matched: null };
  const isEnough = have >= 2n * BigInt(price) ? 1 : 0;
  return { search, matched: { userId, card, price, isEnough, sinceMs } };
}

import { rechargeTokenMs } from "@fava/wire/limits.ts";

/** Kind of entry; each has its own TTL and capacity. */
export type MemoryUse = "rechargeToken" | "priceListVisit" | "foundPerson" | "browsedPerson";

/** An entry only grants access: a lost one makes the user ask again, and never opens anything. */
export interface TemporaryStore {
  /**
   * Replaces earlier entries.
   * @throws EndpointError 503 where nothing can be stored; `recall` throws it too.
   */
  remember(use: MemoryUse, words: ReadonlyMap<string, string>): Promise<void>;
  /** The last entry of the key; null where there is none or it has expired. */
  recall(use: MemoryUse, key: string): Promise<string | null>;
}

const minuteMs = 60_000;

/** TTL of entries, milliseconds. */
export const memoryLifeMs: Readonly<Record<MemoryUse, number>> = {
  rechargeToken: rechargeTokenMs,
  priceListVisit: 10 * minuteMs,
  foundPerson: 60 * minuteMs,
  browsedPerson: 24 * 60 * minuteMs,
};

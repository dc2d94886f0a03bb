import { rechargeTokenMs } from "@fava/wire/limits.ts";

/** Kinds of entries. Each has its own TTL and capacity. */
export type MemoryUse = "rechargeToken" | "priceListVisit" | "foundPerson" | "browsedPerson";

/** Short-lived entries that only grant access. If one is lost, the user must repeat a step; nothing else opens. */
export interface TemporaryStore {
  /**
   * Stores entries in place of earlier ones.
   * @throws EndpointError 503 if storing is impossible; `recall` throws it too.
   */
  remember(use: MemoryUse, words: ReadonlyMap<string, string>): Promise<void>;
  /** The entry of the key; null if there is none or it has expired. */
  recall(use: MemoryUse, key: string): Promise<string | null>;
}

const minuteMs = 60_000;

/** TTL by kind, in milliseconds. */
export const memoryLifeMs: Readonly<Record<MemoryUse, number>> = {
  rechargeToken: rechargeTokenMs,
  priceListVisit: 10 * minuteMs,
  foundPerson: 60 * minuteMs,
  browsedPerson: 24 * 60 * minuteMs,
};

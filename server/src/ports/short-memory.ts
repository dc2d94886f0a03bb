import { rechargeTokenMs } from "@fava/wire/limits.ts";

/** Which kind of word: each has a life and room of its own. */
export type MemoryUse = "rechargeToken" | "priceListVisit" | "foundPerson" | "browsedPerson";

/**
 * Words about keys that every process of a site may have to know for minutes or hours. A word opens something, so whoever
 * loses one loses access and asks anew, and nobody gains any by a loss.
 */
export interface ShortMemory {
  /**
   * From now on, for as long as the use says, this is the word about each key; the word before is forgotten.
   *
   * @throws EndpointError 503 where nothing can be kept at present; of `recall`, too.
   */
  remember(use: MemoryUse, words: ReadonlyMap<string, string>): Promise<void>;
  /** The last word about the key; null where there is none, or its time is over. */
  recall(use: MemoryUse, key: string): Promise<string | null>;
}

const minuteMs = 60_000;

/** How long a word holds, milliseconds. */
export const memoryLifeMs: Readonly<Record<MemoryUse, number>> = {
  rechargeToken: rechargeTokenMs,
  priceListVisit: 10 * minuteMs,
  foundPerson: 60 * minuteMs,
  browsedPerson: 24 * 60 * minuteMs,
};

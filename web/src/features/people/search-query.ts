import { searchAge } from "@fava/wire/limits.ts";

/** What is searched for; `maxAge` at its highest means that age and over. */
export interface Query {
  readonly text: string;
  readonly sex: 0 | 1 | 2;
  readonly minAge: number;
  readonly maxAge: number;
  /** 0: any. */
  readonly country: number;
}

export const firstQuery: Query = { text: "", sex: 0, minAge: searchAge.min, maxAge: searchAge.max, country: 0 };

/** Changes one end of the ages; the other end goes along, so that the youngest is never above the oldest. */
export function changeQuery(query: Query, change: { minAge: number } | { maxAge: number }): Query {
  if ("minAge" in change) return { ...query, ...change, maxAge: Math.max(query.maxAge, change.minAge) };
  return { ...query, ...change, minAge: Math.min(query.minAge, change.maxAge) };
}

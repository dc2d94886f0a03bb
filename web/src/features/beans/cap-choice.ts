import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { beanCap } from "@fava/wire/endpoints/beans.ts";
import { spendingCapBeansMax } from "@fava/wire/limits.ts";
import { typedDigits } from "#lib/digits.ts";

export type Cap = OutputOf<typeof beanCap>;

/**
 * What asking for another cap does: a lower one holds at once, a higher one or none after 24 hours, and asking for the
 * present one only drops a raise that is on its way.
 */
export type CapChange = "wrong" | "same" | "keep" | "at-once" | "later";

/** What is typed as a cap: one digit more than could be right, so that too much is seen. */
export function typedCap(text: string): string {
  return typedDigits(text, String(spendingCapBeansMax).length + 1);
}

/** Beans a day; null where the digits are none, or more than a cap may be. */
export function capBeans(digits: string): number | null {
  const beans = Number.parseInt(digits, 10);
  return beans <= spendingCapBeansMax ? beans : null;
}

/** `wanted` null: no cap; undefined: nothing that could be asked for. */
export function capChange(cap: Pick<Cap, "beans" | "pending">, wanted: number | null | undefined): CapChange {
  if (wanted === undefined) return "wrong";
  if (wanted === cap.beans) return cap.pending ? "keep" : "same";
  if (cap.pending?.beans === wanted) return "same";
  const isLower = wanted !== null && (cap.beans === null || wanted < cap.beans);
  return isLower ? "at-once" : "later";
}

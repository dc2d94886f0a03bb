import { exactBeansMax, exactBeansMin } from "@fava/wire/limits.ts";
import { typedDigits } from "#lib/digits.ts";

const digitsMax = String(exactBeansMax).length;

/** What is typed as a number of beans. */
export function typedBeans(text: string): string {
  return typedDigits(text, digitsMax);
}

/** Null while it is not an amount that can be bought (rule BEANS-12). */
export function exactBeans(digits: string): number | null {
  const beans = Number(digits);
  return digits !== "" && beans >= exactBeansMin && beans <= exactBeansMax ? beans : null;
}

/** Whether typing on cannot make it right, so that it is worth saying. */
export function isOutOfRange(digits: string): boolean {
  return digits !== "" && exactBeans(digits) === null && digits.length >= String(exactBeansMin).length;
}

import { exactBeansMax, exactBeansMin } from "@fava/wire/limits.ts";

const digitsMax = String(exactBeansMax).length;

/** What is typed as a number of beans, in whatever digits of the five languages; everything else is left out. */
export function typedDigits(text: string): string {
  const latin = text.replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
  return latin.replace(/\D/g, "").slice(0, digitsMax);
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

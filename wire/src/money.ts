import { currencyExponent } from "./currency.ts";

/**
 * Money is integer minor units (cents, or whole yen) with a currency. Never convert an amount to a fraction: 19.99 *
 * 100 is 1998.9999999999998 in floating point.
 */

/** Formats minor units as a decimal number with all digits: `999n` US dollar cents are `9.99`. */
export function majorText(minor: bigint, currencyCode: string): string {
  const exponent = currencyExponent(currencyCode);
  const sign = minor < 0n ? "-" : "";
  const digits = String(minor < 0n ? -minor : minor).padStart(exponent + 1, "0");
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** Parses a decimal number into minor units; null for too many digits (`9.990` is valid, `9.995` is not). */
export function minorFromText(text: string, currencyCode: string): bigint | null {
  const match = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) return null;
  const exponent = currencyExponent(currencyCode);
  const fraction = match[2] ?? "";
  if (/[^0]/.test(fraction.slice(exponent))) return null;
  return BigInt(match[1] + fraction.slice(0, exponent).padEnd(exponent, "0"));
}

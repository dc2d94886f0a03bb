import { currencyExponent } from "./currency.ts";

/**
 * Money in integer minor units (cents, or whole yen) and its currency. Nothing here or on the server ever turns an
 * amount into a fraction: 19.99 * 100 is 1998.9999999999998 in floating point.
 */

/** Minor units as a decimal number with all its digits, `999n` US dollar cents as `9.99`. */
export function majorText(minor: bigint, currencyCode: string): string {
  const exponent = currencyExponent(currencyCode);
  const sign = minor < 0n ? "-" : "";
  const digits = String(minor < 0n ? -minor : minor).padStart(exponent + 1, "0");
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** The way back; null for anything but a plain decimal number that the currency can express (`9.990` is, `9.995` is not). */
export function minorFromText(text: string, currencyCode: string): bigint | null {
  const match = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) return null;
  const exponent = currencyExponent(currencyCode);
  const fraction = match[2] ?? "";
  if (/[^0]/.test(fraction.slice(exponent))) return null;
  return BigInt(match[1] + fraction.slice(0, exponent).padEnd(exponent, "0"));
}

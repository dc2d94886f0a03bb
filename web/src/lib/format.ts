import { currencyExponent } from "@fava/wire/currency.ts";
import { shownDigits } from "@fava/wire/exact-price.ts";
import { currentLanguage } from "#lib/i18n.ts";
import { numberFormat, type Numeric } from "#lib/intl.ts";
import { directionOf } from "#lib/languages.ts";

/**
 * Numbers, money and durations in the active language; dates are in `format-date.ts`. In a right-to-left language,
 * invisible marks isolate each number alone: isolating a whole phrase would take its direction from the number.
 */

/** Isolates a number, amount or name, so that it does not change the order of the text around it. */
export function isolate(text: string): string {
  const firstStrongIsolate = "\u2068";
  const popIsolate = "\u2069";
  return directionOf(currentLanguage()) === "rtl" ? `${firstStrongIsolate}${text}${popIsolate}` : text;
}

export function formatNumber(value: number): string {
  return isolate(shortText(value) ?? numbers({ maximumFractionDigits: 2 })(value));
}

/** An amount of beans, a whole number. */
export function formatBeans(beans: number): string {
  return isolate(shortText(beans) ?? numbers({ maximumFractionDigits: 0 })(beans));
}

/** Every language writes these the same; the browser's formatter costs a slow phone 20 ms on first use. */
function shortText(value: number): string | null {
  return Number.isInteger(value) && value >= 0 && value < 1_000 ? String(value) : null;
}

/** An amount reads from left to right in every language: Arabic's own mark would turn US$ into $US. */
export function isolateLeftToRight(text: string): string {
  const leftToRightIsolate = "\u2066";
  const popIsolate = "\u2069";
  return directionOf(currentLanguage()) === "rtl" ? `${leftToRightIsolate}${text}${popIsolate}` : text;
}

/** Money from integer minor units of an ISO 4217 currency: 999 USD is 9.99, 999 JPY is 999, 99900 ISK is 999. */
export function formatMoney(minorUnits: number, currency: string): string {
  const shown = shownDigits(BigInt(minorUnits), currency);
  return moneyText(minorUnits, { currency, digits: currencyExponent(currency), shown });
}

/** A price that is finer than its currency, from tenths of a minor unit: 999 USD is 0.999. */
export function formatFineMoney(tenths: number, currency: string): string {
  const digits = currencyExponent(currency) + 1;
  return moneyText(tenths, { currency, digits, shown: digits });
}

interface MoneyDigits {
  currency: string;
  /** Fraction digits of `units`, and how many of them are shown: the rest is zeros. */
  digits: number;
  shown: number;
}

/** Passes the digits to the formatter as text: money is never a floating-point number. */
function moneyText(units: number, { currency, digits, shown }: MoneyDigits): string {
  const format = numbers({
    style: "currency",
    currency,
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  });
  const sign = units < 0 ? "-" : "";
  const all = String(Math.abs(units)).padStart(digits + 1, "0");
  const text = digits === 0 ? all : `${all.slice(0, -digits)}.${all.slice(-digits)}`;
  return isolateLeftToRight(format(`${sign}${text}` as Intl.StringNumericLiteral));
}

/** A duration in its two largest relevant units: 10 hr 43 min, 6 min, 45 sec. Fractions are cut off. */
export function formatSpan(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return isolate(unit(Math.max(0, Math.floor(seconds)), "second"));
  if (minutes < 60) return isolate(unit(minutes, "minute"));
  const rest = minutes % 60;
  const hours = unit(Math.floor(minutes / 60), "hour");
  return isolate(rest === 0 ? hours : `${hours} ${unit(rest, "minute")}`);
}

/** A duration with seconds below an hour: 10 min 26 sec, 45 sec, 1 hr 5 min. Fractions are cut off. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const rest = whole % 60;
  if (whole < 60 || whole >= 3_600 || rest === 0) return formatSpan(whole);
  return isolate(`${unit((whole - rest) / 60, "minute")} ${unit(rest, "second")}`);
}

function unit(value: number, name: "hour" | "minute" | "second"): string {
  return numbers({ style: "unit", unit: name, unitDisplay: "short", maximumFractionDigits: 0 })(value);
}

/** Elapsed time as a clock: 2:05, 1:02:05. Fractions of a second are cut off. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = numbers({ minimumIntegerDigits: 2 });
  const plain = numbers({});
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const head = hours > 0 ? `${plain(hours)}:${two(minutes)}` : plain(minutes);
  return isolate(`${head}:${two(whole % 60)}`);
}

function numbers(options: Intl.NumberFormatOptions): (value: Numeric) => string {
  return numberFormat(currentLanguage(), options);
}

/** The text of a badge; above 99 it is "99+". */
export function badgeText(total: number): string {
  return total > 99 ? "99+" : String(total);
}

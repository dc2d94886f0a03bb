import type { Language } from "#lib/languages.ts";
import { nextTask } from "#lib/when-idle.ts";

/**
 * The only door to the browser's locale data. Chromium 156 leaves the data of four of our languages out, and says of two of
 * them, az and uz, that it has them: those four write numbers and dates by hand.
 */
const handWritten: ReadonlySet<Language> = new Set(["az", "uz", "ga", "is"]);

/** How a date is written, by where it stands. */
export const dateStyles = {
  /** 5 November 2026 */
  long: { dateStyle: "long" },
  /** 5 Nov 2026 */
  medium: { dateStyle: "medium" },
  /** 5 Nov 2026, 18:07 */
  moment: { dateStyle: "medium", timeStyle: "short" },
  /** 5 November 2026 at 18:07 */
  longMoment: { dateStyle: "long", timeStyle: "short" },
  /** 5 Nov */
  day: { day: "numeric", month: "short" },
  /** 5 Nov 2026, where `day` stands beside it */
  dayOfYear: { day: "numeric", month: "short", year: "numeric" },
  /** Thu, 5 Nov */
  weekdayAndDay: { weekday: "short", day: "numeric", month: "short" },
  /** November, as it stands alone in a list */
  month: { month: "long" },
  /** Thursday */
  weekday: { weekday: "long" },
  /** 18:07 or 6:07 PM */
  time: { timeStyle: "short" },
  /** 18:07:09 or 6:07:09 PM */
  second: { timeStyle: "medium" },
  /** The same as `time`, without a zero before the hour */
  hour: { hour: "numeric", minute: "2-digit" },
  /** 18:07 in every language */
  clock: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;
export type DateStyle = keyof typeof dateStyles;

/** A number, or a decimal number in digits: money is never a fraction on its way. */
export type Numeric = number | Intl.StringNumericLiteral;
export type Ago = "minute" | "hour";

/** What a hand-written language knows by itself. */
export interface HandFormats {
  number: (options: Intl.NumberFormatOptions) => (value: Numeric) => string;
  date: (style: DateStyle, timeZone?: string) => (atMs: number) => string;
  ago: (count: number, unit: Ago) => string;
  /** Undefined for one that people cannot choose. */
  languageName: (code: string) => string | undefined;
}

const byHand = new Map<Language, HandFormats>();

/** Gets what a language needs besides the browser's own data; formats of the language are right afterwards. */
export async function loadFormats(language: Language): Promise<void> {
  if (!handWritten.has(language) || byHand.has(language)) return;
  const { handFormats } = await import("#lib/hand-formats.ts");
  byHand.set(language, handFormats(language));
}

/**
 * Has the browser find its locale data before the first format is written: it looks through all of them then, 15 ms of a
 * fast processor, which is halved here and done in tasks that do nothing else.
 */
export async function findLocaleData(): Promise<void> {
  Intl.Collator.supportedLocalesOf("en");
  await nextTask();
  Intl.NumberFormat.supportedLocalesOf("en");
  await nextTask();
}

/** Writes numbers, with Western digits everywhere (docs/i18n/glossary.md). */
export function numberFormat(language: Language, options: Intl.NumberFormatOptions): (value: Numeric) => string {
  return remembered(`${language} number ${JSON.stringify(options)}`, () => {
    const hand = byHand.get(language);
    if (hand) return hand.number(options);
    const format = new Intl.NumberFormat(language, { ...options, numberingSystem: "latn" });
    return (value) => format.format(value as number);
  });
}

/** Writes moments in milliseconds. `timeZone`: where the browser is unless told. */
export function dateFormat(language: Language, style: DateStyle, timeZone?: string): (atMs: number) => string {
  return remembered(`${language} date ${style} ${timeZone ?? ""}`, () => {
    const hand = byHand.get(language);
    if (hand) return hand.date(style, timeZone);
    const place = timeZone === undefined ? {} : { timeZone };
    const options = { ...dateStyles[style], ...place, calendar: "gregory", numberingSystem: "latn" };
    const format = new Intl.DateTimeFormat(language, options);
    return (atMs) => format.format(atMs);
  });
}

/** How long ago something was: 18 min ago. */
export function agoText(language: Language, count: number, unit: Ago): string {
  const hand = byHand.get(language);
  if (hand) return hand.ago(count, unit);
  const options = { style: "short", numeric: "always", numberingSystem: "latn" } as const;
  return new Intl.RelativeTimeFormat(language, options).format(-count, unit);
}

/** The order in which the language writes a date in digits. */
export function dateOrder(language: Language): readonly ("year" | "month" | "day")[] {
  if (byHand.has(language)) return ["day", "month", "year"];
  const parts = new Intl.DateTimeFormat(language).formatToParts(0).map((part) => part.type);
  return parts.filter((type) => type === "year" || type === "month" || type === "day");
}

/** Name of a language in another, or its code where the browser knows none. */
export function languageName(language: Language, code: string): string {
  const byName = byHand.get(language)?.languageName(code);
  if (byName !== undefined) return byName;
  try {
    return new Intl.DisplayNames(language, { type: "language" }).of(code) ?? code;
  } catch {
    // A code that is no language tag at all.
    return code;
  }
}

/** Things one after the other, as in "a, b and c"; written by hand with commas alone. */
export function listText(language: Language, items: readonly string[]): string {
  if (byHand.has(language)) return items.join(", ");
  return remembered(`${language} list`, () => {
    const format = new Intl.ListFormat(language, { type: "conjunction" });
    return (listed: readonly string[]) => format.format(listed);
  })(items);
}

/** Formatters are dear to make and few in number: one a language and option set. */
const formats = new Map<string, (value: never) => string>();
const formatsMax = 100;

function remembered<Format extends (value: never) => string>(name: string, make: () => Format): Format {
  const known = formats.get(name) as Format | undefined;
  if (known) return known;
  if (formats.size > formatsMax) formats.clear();
  const made = make();
  formats.set(name, made);
  return made;
}

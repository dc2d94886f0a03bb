import type { Language } from "#lib/languages.ts";
import { nextTask } from "#lib/when-idle.ts";

/**
 * The only access to the browser's locale data. Chromium 156 lacks the data of four of our languages, and claims to
 * have it for two of them, az and uz: `handwritten-formats.ts` formats those four.
 */
const handWritten: ReadonlySet<Language> = new Set(["az", "uz", "ga", "is"]);

/** How a date is written, by its place on the screen. */
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
  /** 5 Nov 2026, where dates of this year use `day` */
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
  /** The same as `time`, without a leading zero */
  hour: { hour: "numeric", minute: "2-digit" },
  /** 18:07 in every language */
  clock: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;
export type DateStyle = keyof typeof dateStyles;

/** A number, or a decimal number as text: money is never a floating-point number. */
export type Numeric = number | Intl.StringNumericLiteral;
export type Ago = "minute" | "hour";

/** The formats that a hand-written language provides. */
export interface HandwrittenFormats {
  number: (options: Intl.NumberFormatOptions) => (value: Numeric) => string;
  date: (style: DateStyle, timeZone?: string) => (atMs: number) => string;
  ago: (count: number, unit: Ago) => string;
  /** Undefined for a language that users cannot choose. */
  languageName: (code: string) => string | undefined;
}

const byHand = new Map<Language, HandwrittenFormats>();

/** Loads what a language needs besides the browser's data; formats of the language are correct only after that. */
export async function loadFormats(language: Language): Promise<void> {
  if (!handWritten.has(language) || byHand.has(language)) return;
  const { handwrittenFormats } = await import("#lib/handwritten-formats.ts");
  byHand.set(language, handwrittenFormats(language));
}

/**
 * Makes the browser load its locale data before the first format is needed. At the first format the browser would scan
 * all of the data, which takes 15 ms of a fast processor. This halves that time and splits it into tasks.
 */
export async function findLocaleData(): Promise<void> {
  Intl.Collator.supportedLocalesOf("en");
  await nextTask();
  Intl.NumberFormat.supportedLocalesOf("en");
  await nextTask();
}

/** Formats numbers, with Western digits in every language (docs/i18n/glossary.md). */
export function numberFormat(language: Language, options: Intl.NumberFormatOptions): (value: Numeric) => string {
  return remembered(`${language} number ${JSON.stringify(options)}`, () => {
    const hand = byHand.get(language);
    if (hand) return hand.number(options);
    const format = new Intl.NumberFormat(language, { ...options, numberingSystem: "latn" });
    return (value) => format.format(value as number);
  });
}

/** Formats moments in milliseconds since the epoch. `timeZone`: by default that of the browser. */
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

/** The order of the parts in a numeric date. */
export function dateOrder(language: Language): readonly ("year" | "month" | "day")[] {
  if (byHand.has(language)) return ["day", "month", "year"];
  const parts = new Intl.DateTimeFormat(language).formatToParts(0).map((part) => part.type);
  return parts.filter((type) => type === "year" || type === "month" || type === "day");
}

/** The name of a language in another one, or its code if the browser has no name. */
export function languageName(language: Language, code: string): string {
  const byName = byHand.get(language)?.languageName(code);
  if (byName !== undefined) return byName;
  try {
    return new Intl.DisplayNames(language, { type: "language" }).of(code) ?? code;
  } catch {
    // The code is not a language tag.
    return code;
  }
}

/** A list such as "a, b and c"; in a hand-written language with commas only. */
export function listText(language: Language, items: readonly string[]): string {
  if (byHand.has(language)) return items.join(", ");
  return remembered(`${language} list`, () => {
    const format = new Intl.ListFormat(language, { type: "conjunction" });
    return (listed: readonly string[]) => format.format(listed);
  })(items);
}

/** Formatters are expensive to create and few: one per language and options. */
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

import { createStore } from "zustand";
import { spokenLanguageId } from "@fava/wire/talk.ts";
import type { Language } from "#lib/languages.ts";

/**
 * Translation by the browser itself: no text leaves the device. Chrome and Edge have it on desktops; other browsers
 * lack both interfaces.
 */

type Availability = "unavailable" | "downloadable" | "downloading" | "available";

interface Download {
  addEventListener(type: "downloadprogress", listener: (event: { readonly loaded: number }) => void): void;
}

export interface CreateOptions {
  readonly signal?: AbortSignal;
  readonly monitor?: (download: Download) => void;
}

interface Detector {
  detect(text: string): Promise<readonly { readonly detectedLanguage?: string; readonly confidence?: number }[]>;
}

interface Pair {
  readonly sourceLanguage: string;
  readonly targetLanguage: string;
}

interface PairTranslator {
  translate(text: string, options: { readonly signal: AbortSignal }): Promise<string>;
  destroy?: () => void;
}

/** The two interfaces of the browser, as far as they are used. */
export interface TranslatingBrowser {
  readonly LanguageDetector?: {
    availability(): Promise<Availability>;
    create(options: CreateOptions): Promise<Detector>;
  };
  readonly Translator?: {
    availability(pair: Pair): Promise<Availability>;
    create(options: Pair & CreateOptions): Promise<PairTranslator>;
  };
}

/** The reader of texts. Texts in one of `speaks`, ids of spoken languages, are not translated. */
export interface Reader {
  /** The language of translations. */
  readonly language: Language;
  readonly speaks: ReadonlySet<number>;
}

/**
 * What the browser can do for a text. `none`: it is too short, of unknown language, or in a language of the reader.
 * `downloadable`: the browser needs a press to download a language pack, or with `from` null its language detector.
 */
export type Offer =
  | { readonly is: "none" }
  | { readonly is: "unavailable" | "downloadable"; readonly from: string | null }
  | { readonly is: "ready"; readonly from: string };

const lettersMin = 4;
const confidenceMin = 0.6;
/** Each loaded pair of languages takes tens of megabytes. */
const translatorsMax = 3;

const detectors = new WeakMap<object, Promise<Detector>>();
const translators = new WeakMap<object, Map<string, Promise<PairTranslator>>>();

/** Counts finished downloads: after one the browser may be able to translate further texts. */
export const downloads = createStore(() => ({ count: 0 }));

export function hasBrowserTranslator({ LanguageDetector, Translator }: TranslatingBrowser): boolean {
  return LanguageDetector !== undefined && Translator !== undefined;
}

function hasWords(text: string): boolean {
  return (text.match(/\p{L}/gu)?.length ?? 0) >= lettersMin;
}

/** What the browser can do for a text of this reader. Never downloads anything. */
export async function offerOf(browser: TranslatingBrowser, text: string, reader: Reader): Promise<Offer> {
  const { LanguageDetector: detection, Translator: translation } = browser;
  if (!hasWords(text)) return { is: "none" };
  if (!detection || !translation) return { is: "unavailable", from: null };
  if (!detectors.has(detection)) {
    const state = await detection.availability();
    if (state === "unavailable") return { is: "unavailable", from: null };
    if (state !== "available") return { is: "downloadable", from: null };
  }
  const from = await languageOf(await detectorOf(detection), text);
  if (from === null || isSpoken(from, reader)) return { is: "none" };
  const pair = pairOf(from, reader);
  if (translators.get(translation)?.has(nameOf(pair))) return { is: "ready", from };
  const state = await translation.availability(pair);
  if (state === "unavailable") return { is: "unavailable", from };
  return state === "available" ? { is: "ready", from } : { is: "downloadable", from };
}

/**
 * Downloads what an offer lacks; only right after a press, which the browser uses up. `onProgress` receives the share of
 * the download, 0 to 1. Rejects as the browser does, also when `signal` aborts.
 */
export async function download(
  { LanguageDetector: detection, Translator: translation }: TranslatingBrowser,
  from: string | null,
  options: { reader: Reader; signal: AbortSignal; onProgress: (share: number) => void },
): Promise<void> {
  if (!detection || !translation) throw new Error("the browser cannot translate");
  const { reader, signal, onProgress } = options;
  const monitor = (running: Download) =>
    running.addEventListener("downloadprogress", ({ loaded }) => onProgress(loaded));
  if (from === null) detectors.set(detection, Promise.resolve(await detection.create({ signal, monitor })));
  else {
    const pair = pairOf(from, reader);
    keep(translation, pair, Promise.resolve(await translation.create({ ...pair, signal, monitor })));
  }
  downloads.setState(({ count }) => ({ count: count + 1 }));
}

/** Translates a text of a `ready` offer. Rejects as the browser does, also when `signal` aborts. */
export async function translate(
  { Translator: translation }: TranslatingBrowser,
  text: string,
  { from, reader, signal }: { from: string; reader: Reader; signal: AbortSignal },
): Promise<string> {
  if (!translation) throw new Error("the browser cannot translate");
  const pair = pairOf(from, reader);
  const known = translators.get(translation)?.get(nameOf(pair));
  const translator = known ?? translation.create(pair);
  if (!known) keep(translation, pair, translator);
  try {
    return await (await translator).translate(text, { signal });
  } catch (error) {
    // A broken translator would fail for the next text as well.
    if (!signal.aborted) translators.get(translation)?.delete(nameOf(pair));
    throw error;
  }
}

/** Whether a language is one of the reader's. */
export function isSpoken(from: string, { language, speaks }: Reader): boolean {
  const id = spokenLanguageId(from);
  return baseOf(from) === baseOf(language) || (id !== null && speaks.has(id));
}

function detectorOf(detection: NonNullable<TranslatingBrowser["LanguageDetector"]>): Promise<Detector> {
  const known = detectors.get(detection);
  if (known) return known;
  const creating = detection.create({});
  detectors.set(detection, creating);
  creating.catch(() => detectors.delete(detection));
  return creating;
}

function keep(
  translation: NonNullable<TranslatingBrowser["Translator"]>,
  pair: Pair,
  creating: Promise<PairTranslator>,
): void {
  const kept = translators.get(translation) ?? new Map<string, Promise<PairTranslator>>();
  translators.set(translation, kept);
  const [oldest] = kept;
  if (oldest && kept.size >= translatorsMax) {
    kept.delete(oldest[0]);
    void oldest[1].then(
      (translator) => translator.destroy?.(),
      () => undefined,
    );
  }
  kept.set(nameOf(pair), creating);
}

async function languageOf(detector: Detector, text: string): Promise<string | null> {
  const [best] = await detector.detect(text);
  const { detectedLanguage: language = "und", confidence = 0 } = best ?? {};
  return language === "und" || confidence < confidenceMin ? null : language;
}

function pairOf(from: string, { language }: Reader): Pair {
  return { sourceLanguage: baseOf(from), targetLanguage: baseOf(language) };
}

function nameOf({ sourceLanguage, targetLanguage }: Pair): string {
  return `${sourceLanguage} ${targetLanguage}`;
}

/** The browser's translators know languages without regions. */
function baseOf(language: string): string {
  return language.split("-", 1)[0] ?? language;
}

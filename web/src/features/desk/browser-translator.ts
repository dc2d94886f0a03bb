/**
 * Translation by the browser itself: no text leaves the device. Chrome and Edge have it on desktops; other browsers
 * lack both interfaces.
 */

type Availability = "unavailable" | "downloadable" | "downloading" | "available";

interface Download {
  addEventListener(type: "downloadprogress", listener: (event: { readonly loaded: number }) => void): void;
}

interface CreateOptions {
  readonly signal: AbortSignal;
  readonly monitor: (download: Download) => void;
}

interface Detector {
  detect(text: string): Promise<readonly { readonly detectedLanguage?: string; readonly confidence?: number }[]>;
}

interface Pair {
  readonly sourceLanguage: string;
  readonly targetLanguage: string;
}

/** The two interfaces of the browser, as far as they are used. */
export interface TranslatingBrowser {
  readonly LanguageDetector?: {
    availability(): Promise<Availability>;
    create(options: CreateOptions): Promise<Detector>;
  };
  readonly Translator?: {
    availability(pair: Pair): Promise<Availability>;
    create(options: Pair & CreateOptions): Promise<{
      translate(text: string, options: { readonly signal: AbortSignal }): Promise<string>;
      destroy?: () => void;
    }>;
  };
}

const lettersMin = 4;
const confidenceMin = 0.6;

/** A text that the browser can translate. `from`: its language; null while the browser cannot tell yet. */
export interface Offer {
  readonly from: string | null;
}

/** Whether the browser can translate a text for a reader; null: it offers nothing. Never downloads anything. */
export async function offerOf(
  browser: TranslatingBrowser,
  text: string,
  { reader, signal }: { reader: string; signal: AbortSignal },
): Promise<Offer | null> {
  const { LanguageDetector: detectors, Translator: translators } = browser;
  if (!detectors || !translators || (text.match(/\p{L}/gu)?.length ?? 0) < lettersMin) return null;
  const state = await detectors.availability();
  if (state === "unavailable") return null;
  // The detector itself has to be downloaded, which needs a press.
  if (state !== "available") return { from: null };
  const from = await languageOf(await detectors.create({ signal, monitor: () => undefined }), text);
  const pair = from === null ? null : pairOf(from, reader);
  if (!pair || (await translators.availability(pair)) === "unavailable") return null;
  return { from };
}

/** A translation with the language of the original. */
export interface Translated {
  readonly text: string;
  readonly from: string;
}

/**
 * Translates a text after a press of the user, and downloads what the browser needs for it; `onProgress` receives the
 * share of the download, 0 to 1. Null: the browser cannot tell the language, or the text is in the reader's own.
 * Rejects as the browser does, also when `signal` aborts.
 */
export async function translate(
  { LanguageDetector: detectors, Translator: translators }: TranslatingBrowser,
  text: string,
  options: { reader: string; signal: AbortSignal; onProgress: (share: number) => void },
): Promise<Translated | null> {
  if (!detectors || !translators) return null;
  const { reader, signal, onProgress } = options;
  const monitor = (download: Download) =>
    download.addEventListener("downloadprogress", ({ loaded }) => onProgress(loaded));
  const from = await languageOf(await detectors.create({ signal, monitor }), text);
  const pair = from === null ? null : pairOf(from, reader);
  if (from === null || !pair) return null;
  const translator = await translators.create({ ...pair, signal, monitor });
  try {
    return { text: await translator.translate(text, { signal }), from };
  } finally {
    translator.destroy?.();
  }
}

async function languageOf(detector: Detector, text: string): Promise<string | null> {
  const [best] = await detector.detect(text);
  const { detectedLanguage: language = "und", confidence = 0 } = best ?? {};
  return language === "und" || confidence < confidenceMin ? null : language;
}

/** Null for the reader's own language. */
function pairOf(from: string, reader: string): Pair | null {
  const [sourceLanguage, targetLanguage] = [baseOf(from), baseOf(reader)];
  return sourceLanguage === targetLanguage ? null : { sourceLanguage, targetLanguage };
}

/** The browser's translators know languages without regions. */
function baseOf(language: string): string {
  return language.split("-", 1)[0] ?? language;
}

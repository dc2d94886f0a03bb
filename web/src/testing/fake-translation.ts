type State = "unavailable" | "downloadable" | "downloading" | "available";

/** A text that the stand-in knows: its language, and its translations by language. */
type KnownText = readonly [language: string, translations: Readonly<Record<string, string>>];

export interface FakeTranslationOptions {
  readonly texts: Readonly<Record<string, KnownText>>;
  readonly detector?: State;
  /** State of the language packs by the language of the texts; available by default. */
  readonly packs?: Readonly<Record<string, State>>;
}

/** As a test sees and controls it. */
export interface FakeTranslation {
  /** What it was asked to translate. */
  readonly translated: string[];
  /** Signals of the downloads. */
  readonly downloads: AbortSignal[];
  finishDownload: () => void;
  isBroken: boolean;
}

interface CreateOptions {
  signal?: AbortSignal;
  monitor?: (download: { addEventListener: (type: string, listener: (event: object) => void) => void }) => void;
}

declare global {
  interface Window {
    fakeTranslation?: FakeTranslation;
  }
}

/**
 * Gives the page a stand-in for the browser's two interfaces, because language packs come from the browser's vendor;
 * also sent to a page as text. It knows `texts` only. What was downloaded is available.
 */
export function installFakeTranslation({ texts, detector = "available", packs = {} }: FakeTranslationOptions): void {
  const states: Record<string, State> = { ...packs, detector };
  const fake: FakeTranslation = {
    translated: [],
    downloads: [],
    finishDownload: () => undefined,
    isBroken: false,
  };
  const prepare = async (what: string, { signal, monitor }: CreateOptions) => {
    if ((states[what] ?? "available") === "available") return;
    if (!signal) throw new DOMException("a download needs a press", "NotAllowedError");
    fake.downloads.push(signal);
    monitor?.({ addEventListener: (_type, listener) => listener({ loaded: 0.4 }) });
    await new Promise<void>((resolve, reject) => {
      fake.finishDownload = resolve;
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
    states[what] = "available";
  };
  const interfaces = {
    LanguageDetector: {
      availability: async () => states["detector"],
      create: async (options: CreateOptions) => {
        await prepare("detector", options);
        return { detect: async (text: string) => [{ detectedLanguage: texts[text]?.[0] ?? "und", confidence: 0.9 }] };
      },
    },
    Translator: {
      availability: async ({ sourceLanguage: from }: { sourceLanguage: string }) => states[from] ?? "available",
      create: async (options: CreateOptions & { sourceLanguage: string; targetLanguage: string }) => {
        const { sourceLanguage, targetLanguage } = options;
        await prepare(sourceLanguage, options);
        return {
          translate: async (text: string) => {
            fake.translated.push(text);
            const found = texts[text]?.[1][targetLanguage];
            if (fake.isBroken || found === undefined) throw new DOMException("no translation", "UnknownError");
            return found;
          },
        };
      },
    },
  };
  for (const [name, value] of Object.entries(interfaces))
    Object.defineProperty(globalThis, name, { configurable: true, value });
  window.fakeTranslation = fake;
}

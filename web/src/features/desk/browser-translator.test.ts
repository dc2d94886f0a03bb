import { expect, test } from "vitest";
import { offerOf, translate, type TranslatingBrowser } from "./browser-translator.ts";

type State = Awaited<ReturnType<NonNullable<TranslatingBrowser["Translator"]>["availability"]>>;

/** A browser with both interfaces in the given states; it finds every text to be Turkish. */
function browserWith(
  change: { detector?: State; translator?: State; language?: string; confidence?: number; fails?: boolean } = {},
) {
  const { detector = "available", translator = "available", language = "tr", confidence = 0.9, fails = false } = change;
  const created: string[] = [];
  const progress = (options: { monitor: (download: never) => void }, shares: readonly number[]) => {
    const addEventListener = (_type: string, listener: (event: { loaded: number }) => void) =>
      shares.forEach((loaded) => listener({ loaded }));
    options.monitor({ addEventListener } as never);
  };
  const browser: TranslatingBrowser = {
    LanguageDetector: {
      availability: async () => detector,
      create: async (options) => {
        created.push("detector");
        if (detector === "downloadable") progress(options, [0.25]);
        return { detect: async () => [{ detectedLanguage: language, confidence }] };
      },
    },
    Translator: {
      availability: async () => translator,
      create: async (options) => {
        created.push(`${options.sourceLanguage} to ${options.targetLanguage}`);
        if (fails) throw new DOMException("no network", "NetworkError");
        if (translator === "downloadable") progress(options, [0.5, 1]);
        return {
          translate: async (text, { signal }) => {
            signal.throwIfAborted();
            return `translated ${text}`;
          },
        };
      },
    },
  };
  return { browser, created };
}

const text = "Merhaba, nasılsın?";
const offered = (browser: TranslatingBrowser, of = text, reader = "en") =>
  offerOf(browser, of, { reader, signal: new AbortController().signal });

test("offers nothing in a browser without the interfaces", async () => {
  const { browser } = browserWith();
  expect(await offered({})).toBeNull();
  const { LanguageDetector, Translator } = browser;
  expect(await offered(LanguageDetector ? { LanguageDetector } : {})).toBeNull();
  expect(await offered(Translator ? { Translator } : {})).toBeNull();
});

test("offers nothing where the browser has no such languages", async () => {
  expect(await offered(browserWith({ detector: "unavailable" }).browser)).toBeNull();
  expect(await offered(browserWith({ translator: "unavailable" }).browser)).toBeNull();
});

test("offers nothing for a short text, an uncertain language and the reader's own language", async () => {
  const { browser, created } = browserWith();
  expect(await offered(browser, "abc 12345 !!!")).toBeNull();
  expect(created).toEqual([]);
  expect(await offered(browserWith({ confidence: 0.59 }).browser)).toBeNull();
  expect(await offered(browserWith({ language: "und", confidence: 1 }).browser)).toBeNull();
  expect(await offered(browser, text, "tr")).toBeNull();
  expect(await offered(browserWith({ language: "zh-Hant" }).browser, text, "zh-CN")).toBeNull();
});

test("offers a translation with its language, and downloads nothing for that", async () => {
  expect(await offered(browserWith({ confidence: 0.6 }).browser)).toEqual({ from: "tr" });
  expect(await offered(browserWith({ translator: "downloadable" }).browser)).toEqual({ from: "tr" });
  for (const detector of ["downloadable", "downloading"] as const) {
    const { browser, created } = browserWith({ detector });
    expect(await offered(browser)).toEqual({ from: null });
    expect(created).toEqual([]);
  }
});

const run = (browser: TranslatingBrowser, signal = new AbortController().signal) => {
  const shares: number[] = [];
  const onProgress = (share: number) => void shares.push(share);
  return translate(browser, text, { reader: "zh-CN", signal, onProgress }).then((done) => ({ done, shares }));
};

test("translates after a press, and reports the progress of each download", async () => {
  const { browser, created } = browserWith({ detector: "downloadable", translator: "downloadable" });
  expect(await run(browser)).toEqual({ done: { text: `translated ${text}`, from: "tr" }, shares: [0.25, 0.5, 1] });
  expect(created).toEqual(["detector", "tr to zh"]);
});

test("translates nothing if the language is uncertain after the download", async () => {
  expect((await run(browserWith({ detector: "downloadable", confidence: 0.2 }).browser)).done).toBeNull();
});

test("rejects as the browser does, and when it is aborted", async () => {
  await expect(run(browserWith({ fails: true }).browser)).rejects.toThrow("no network");
  await expect(run(browserWith().browser, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
});

import { spokenLanguages } from "@fava/wire/talk.ts";
import { expect, test } from "vitest";
import {
  type CreateOptions,
  download,
  downloads,
  offerOf,
  translate,
  type TranslatingBrowser,
} from "./browser-translator.ts";
import { readerOf } from "./reader.ts";

type State = Awaited<ReturnType<NonNullable<TranslatingBrowser["Translator"]>["availability"]>>;

/** A browser with both interfaces in the given states; it finds every text to be Turkish. */
function browserWith(
  change: { detector?: State; translator?: State; language?: string; confidence?: number; fails?: boolean } = {},
) {
  const { detector = "available", translator = "available", language = "tr", confidence = 0.9, fails = false } = change;
  const created: string[] = [];
  const destroyed: string[] = [];
  const progress = ({ monitor }: CreateOptions, shares: readonly number[]) =>
    monitor?.({ addEventListener: (_type, listener) => shares.forEach((loaded) => listener({ loaded })) });
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
        const name = `${options.sourceLanguage} to ${options.targetLanguage}`;
        created.push(name);
        if (fails) throw new DOMException("no network", "NetworkError");
        if (translator === "downloadable") progress(options, [0.5, 1]);
        return {
          translate: async (text, { signal }) => {
            signal.throwIfAborted();
            return `translated ${text}`;
          },
          destroy: () => void destroyed.push(name),
        };
      },
    },
  };
  return { browser, created, destroyed };
}

const text = "Merhaba, nasılsın?";
const english = readerOf("en");
const none = { is: "none" } as const;
const offered = (browser: TranslatingBrowser, of = text, reader = english) => offerOf(browser, of, reader);

test("offers nothing in a browser without the interfaces", async () => {
  const { LanguageDetector, Translator } = browserWith().browser;
  for (const browser of [{}, LanguageDetector ? { LanguageDetector } : {}, Translator ? { Translator } : {}])
    expect(await offered(browser)).toEqual({ is: "unavailable", from: null });
});

test("offers nothing where the browser has no such languages", async () => {
  expect(await offered(browserWith({ detector: "unavailable" }).browser)).toEqual({ is: "unavailable", from: null });
  expect(await offered(browserWith({ translator: "unavailable" }).browser)).toEqual({ is: "unavailable", from: "tr" });
});

test("offers nothing for a short text, an uncertain language and a language of the reader", async () => {
  const { browser, created } = browserWith();
  expect(await offered(browser, "abc 12345 !!!")).toEqual(none);
  expect(created).toEqual([]);
  expect(await offered(browserWith({ confidence: 0.59 }).browser)).toEqual(none);
  expect(await offered(browserWith({ language: "und", confidence: 1 }).browser)).toEqual(none);
  expect(await offered(browser, text, readerOf("tr"))).toEqual(none);
  expect(await offered(browser, text, readerOf("en", [spokenLanguages.indexOf("tr")]))).toEqual(none);
  expect(await offered(browserWith({ language: "zh-Hant" }).browser, text, readerOf("zh-CN"))).toEqual(none);
  // Browsers name it by another code.
  expect(await offered(browserWith({ language: "tl" }).browser, text, readerOf("fil"))).toEqual(none);
});

test("offers a translation with its language, and downloads nothing for that", async () => {
  expect(await offered(browserWith({ confidence: 0.6 }).browser)).toEqual({ is: "ready", from: "tr" });
  for (const translator of ["downloadable", "downloading"] as const) {
    const { browser, created } = browserWith({ translator });
    expect(await offered(browser)).toEqual({ is: "downloadable", from: "tr" });
    expect(created).toEqual(["detector"]);
  }
  for (const detector of ["downloadable", "downloading"] as const) {
    const { browser, created } = browserWith({ detector });
    expect(await offered(browser)).toEqual({ is: "downloadable", from: null });
    expect(created).toEqual([]);
  }
});

test("downloads detector and pack one after the other, with their progress, and is ready then", async () => {
  const { browser, created } = browserWith({ detector: "downloadable", translator: "downloadable" });
  const shares: number[] = [];
  const before = downloads.getState().count;
  const options = {
    reader: readerOf("zh-CN"),
    signal: new AbortController().signal,
    onProgress: (share: number) => void shares.push(share),
  };
  await download(browser, null, options);
  expect(await offered(browser, text, options.reader)).toEqual({ is: "downloadable", from: "tr" });
  await download(browser, "tr", options);
  expect(await offered(browser, text, options.reader)).toEqual({ is: "ready", from: "tr" });
  expect(shares).toEqual([0.25, 0.5, 1]);
  expect(created).toEqual(["detector", "tr to zh"]);
  expect(downloads.getState().count).toBe(before + 2);
});

const run = (browser: TranslatingBrowser, from = "tr", signal = new AbortController().signal) =>
  translate(browser, text, { from, reader: english, signal });

test("translates with one translator for each pair of languages, and keeps three", async () => {
  const { browser, created, destroyed } = browserWith();
  expect(await Promise.all([run(browser), run(browser)])).toEqual([`translated ${text}`, `translated ${text}`]);
  expect(created).toEqual(["tr to en"]);
  for (const from of ["id", "ar", "de"]) await run(browser, from);
  expect(destroyed).toEqual(["tr to en"]);
  await run(browser);
  expect(created).toEqual(["tr to en", "id to en", "ar to en", "de to en", "tr to en"]);
});

test("rejects as the browser does, and when it is aborted; the next text gets a new translator", async () => {
  const failing = browserWith({ fails: true });
  await expect(run(failing.browser)).rejects.toThrow("no network");
  await expect(run(failing.browser)).rejects.toThrow("no network");
  expect(failing.created).toHaveLength(2);
  const { browser, created } = browserWith();
  await expect(run(browser, "tr", AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
  await run(browser);
  expect(created).toHaveLength(1);
});

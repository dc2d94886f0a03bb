import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { PhraseScanner } from "@fava/server/moderation/phrase-scan.ts";
import { readTextRuleFiles } from "@fava/server/moderation/text-rule-files.ts";
import { scanText } from "@fava/server/moderation/text-scan.ts";
import { percentile } from "./percentile.ts";
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";

const corpora = new URL("../server/test/corpus/", import.meta.url);
const repeats = 7;
const goals = { stepMs: 50, lineUs: 100, worstMs: 2, hugeMs: 5 } as const;

const repeated = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length);
/** Lines of the greatest length in a call, full of what the rules look for. */
const worstLines: Readonly<Record<string, string>> = {
  "Latin, 500 letters": repeated("kill you show me your send nudes i will ", 500),
  "Turkish, 500 letters": repeated("sik seni oldururum am ", 500),
  "Arabic, 500 letters": repeated("اقتل نفسك يا كلب انت ", 500),
  "Chinese, 500 letters": repeated("你妈死全家去死我要杀你", 500),
  "everyday Chinese, 500 letters": repeated("昨天我去看奶奶，她做了很多好吃的，我们聊了很久。", 500),
  "mixed scripts, 500 letters": repeated("kill 你妈死 sik انت i will send nudes 去死 ", 500),
  "letters one by one, 500 letters": repeated("k y s ", 500),
  "letters with zero-width signs, 500 letters": repeated("a\u200b\u200b\u200b", 500),
  "digits, 500 letters": repeated("1 ", 500),
  "digits in words, 500 letters": repeated("one seven ", 500),
  "numbers, 500 letters": repeated("0532 123 45 67 or ", 500),
  "signs of addresses, 500 letters": repeated("@.:/", 500),
};
/** Longer than any text that the wire schemas accept: the server refuses such a request before a scan. */
const hugeTexts: Readonly<Record<string, string>> = {
  "10,000 letters": repeated("i will send you my pictures tomorrow ", 10_000),
  "2,000 combining marks": `a${"\u0301".repeat(2_000)}`,
  "10,000 lone surrogates": "\ud800".repeat(10_000),
  "1,000,000 zero-width signs": "\u200b".repeat(1_000_000),
};

/** Measures reading the text rules, and scanning everyday lines and the worst ones. */
export async function benchTextRules({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const load = measureLoad();
  const everyday = everydayLines(isQuick ? 100 : 1_000).map(([name, lines]) => {
    const us = lines.map((line) => shortestUs(() => scanText(line)));
    const cutUs = lines.map((line) => shortestUs(() => cut(line)));
    return { name, p50: percentile(us, 50), p95: percentile(us, 95), cut: percentile(cutUs, 50) };
  });
  const hard = Object.entries({ ...worstLines, ...hugeTexts }).map(([name, text]) => ({
    name,
    ms: shortestUs(() => scanText(text)) / 1_000,
    // The segmenter takes minutes for a million invisible characters.
    cutMs: name in worstLines ? shortestUs(() => cut(text)) / 1_000 : "",
    reach: name in worstLines ? goals.worstMs : goals.hugeMs,
  }));
  return {
    title: `Text rules: reading them, and scanning a text; processor time of reading, and the shortest of ${repeats} times of scanning`,
    columns: ["what", "p50 or all", "p95 or longest step", "floor", "unit"],
    rows: [
      ["reading all rules; floor: the files alone", load.ms, load.longestStepMs, load.filesMs, "ms"],
      ...everyday.map(({ name, p50, p95, cut: floor }) => [`everyday line, ${name}`, p50, p95, floor, "us"]),
      ...hard.map(({ name, ms, cutMs }) => [name, ms, "", cutMs, "ms"]),
    ],
    goals: [
      {
        name: "longest step of reading",
        unit: "ms",
        better: "lower",
        reach: goals.stepMs,
        measured: load.longestStepMs,
      },
      ...everyday.map(({ name, p95 }) => ({
        name: `everyday line, ${name}, p95`,
        unit: "us",
        better: "lower" as const,
        reach: goals.lineUs,
        measured: p95,
      })),
      ...hard.map(({ name, ms, reach }) => ({ name, unit: "ms", better: "lower" as const, reach, measured: ms })),
    ],
    notes: [
      "floor of a text: cutting it into words with Intl.Segmenter",
      `load average at the end ${loadavg()[0]!.toFixed(1)}`,
    ],
  };
}

/** Processor time, including garbage collection and compilation meanwhile. */
function measureLoad(): { ms: number; longestStepMs: number; filesMs: number } {
  const began = processorMs();
  const scanner = new PhraseScanner(readTextRuleFiles(), { words: [], digits: [] });
  let longestStepMs = 0;
  for (let isMore = true; isMore;) {
    const before = processorMs();
    isMore = scanner.loadMore();
    longestStepMs = Math.max(longestStepMs, processorMs() - before);
  }
  const ms = processorMs() - began;
  return { ms, longestStepMs, filesMs: shortestUs(() => [...readTextRuleFiles()]) / 1_000 };
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Sentences of each language from the tests. */
function everydayLines(linesMax: number): (readonly [name: string, lines: string[]])[] {
  return readdirSync(corpora).map((name) => {
    const lines = readFileSync(new URL(name, corpora), "utf8").split("\n");
    const sentences = lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
    return [name.replace(".txt", ""), sentences.slice(0, linesMax)] as const;
  });
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

function cut(text: string): number {
  let words = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words += 1;
  return words;
}

function shortestUs(run: () => unknown): number {
  let shortest = Infinity;
  for (let time = 0; time < repeats; time += 1) {
    const before = performance.now();
    run();
    shortest = Math.min(shortest, performance.now() - before);
  }
  return shortest * 1_000;
}

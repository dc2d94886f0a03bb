import { loadavg } from "node:os";
import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig, type Flags, type RunnerResult } from "lighthouse";
import { chromium as chromiumOptions } from "../browser.config.ts";
import { percentile } from "./percentile.ts";
import type { BenchmarkOptions, BenchmarkReport, Goal } from "./report.ts";
import { serveProduct } from "./served-product.ts";

const runs = 5;
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
type Category = (typeof categories)[number];
type FormFactor = "mobile" | "desktop";

const otherPages = ["/safety", "/aboutUs", "/communityRules", "/transparency", "/privacyPolicy", "/accessibility"];
const largestPaintGoalMs = 1_500;

interface Visit {
  readonly scores: Readonly<Record<Category, number>>;
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  readonly blockedMs: number;
  readonly shift: number;
  /** Audits below full marks, in the categories that require full marks. */
  readonly faults: readonly string[];
}

interface Measured {
  readonly page: string;
  readonly formFactor: FormFactor;
  readonly visits: readonly Visit[];
}

/**
 * Lighthouse with its two own profiles: the home screen five times each, the other open pages once. Mobile: a slow
 * phone (processor four times slower) over 1.6 Mbit/s with 150 ms, as Lighthouse computes it from an unthrottled visit.
 */
export async function benchLighthouse({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  await using product = await serveProduct({ program: ["tools/start.mjs"] });
  const loads = [loadavg()[0] ?? 0];
  const measured: Measured[] = [];
  const measure = async (page: string, formFactor: FormFactor, times: number) => {
    const visits: Visit[] = [];
    for (let run = 0; run < times; run += 1) visits.push(await visitTwice(product.url + page, formFactor));
    measured.push({ page, formFactor, visits });
    loads.push(loadavg()[0] ?? 0);
  };
  for (const formFactor of ["mobile", "desktop"] as const) {
    // The first visitor waits until the server has compressed the page.
    if (!isQuick) await visit(product.url, formFactor);
    await measure("/", formFactor, isQuick ? 1 : runs);
  }
  for (const page of otherPages) await measure(page, "mobile", 1);
  return report(measured, loads);
}

/** Lighthouse sometimes loses the beginning of its own recording, and asks for another run. */
async function visitTwice(url: string, formFactor: FormFactor): Promise<Visit> {
  try {
    return await visit(url, formFactor);
  } catch (error) {
    console.log(`visited again: ${String(error)}`);
    return visit(url, formFactor);
  }
}

/** A new browser for each visit, so that nothing is cached. */
async function visit(url: string, formFactor: FormFactor): Promise<Visit> {
  const { executablePath } = chromiumOptions;
  const chrome = await launch({
    chromePath: executablePath,
    chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"],
  });
  try {
    const flags: Flags = { port: chrome.port, onlyCategories: [...categories], logLevel: "error" };
    const result = await lighthouse(url, flags, formFactor === "desktop" ? desktopConfig : undefined);
    if (!result) throw new Error(`Lighthouse has no result for ${url}`);
    return visitOf(result);
  } finally {
    chrome.kill();
  }
}

function visitOf({ lhr }: RunnerResult): Visit {
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  const value = (audit: string) => lhr.audits[audit]?.numericValue ?? Number.NaN;
  const scores = Object.fromEntries(
    categories.map((category) => [category, Math.round((lhr.categories[category]?.score ?? 0) * 100)]),
  ) as Record<Category, number>;
  const strict = categories.filter((category) => category !== "performance");
  const audits = strict.flatMap((category) => lhr.categories[category]?.auditRefs ?? []);
  const faults = audits.filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 1).map(({ id }) => id);
  return {
    scores,
    firstPaintMs: value("first-contentful-paint"),
    largestPaintMs: value("largest-contentful-paint"),
    blockedMs: value("total-blocking-time"),
    shift: value("cumulative-layout-shift"),
    faults,
  };
}

function report(measured: readonly Measured[], loads: readonly number[]): BenchmarkReport {
  const median = (visits: readonly Visit[], read: (one: Visit) => number) => percentile(visits.map(read), 50);
  const faults = measured.flatMap(({ page, formFactor, visits }) =>
    visits.flatMap((one) => one.faults.map((fault) => `${page} (${formFactor}): ${fault}`)),
  );
  return {
    title: "Lighthouse: a first visit, nothing cached; medians",
    columns: ["page", "profile", "visits", ...categories, "first paint ms", "largest paint ms", "blocked ms", "shift"],
    rows: measured.map(({ page, formFactor, visits }) => [
      page,
      formFactor,
      visits.length,
      ...categories.map((category) => median(visits, ({ scores }) => scores[category])),
      median(visits, (one) => one.firstPaintMs),
      median(visits, (one) => one.largestPaintMs),
      median(visits, (one) => one.blockedMs),
      median(visits, (one) => one.shift),
    ]),
    goals: measured.filter(({ page }) => page === "/").flatMap(({ formFactor, visits }) => goalsOf(formFactor, visits)),
    notes: [
      `Load average of a minute during the run: ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}.`,
      ...new Set(faults),
    ],
  };
}

function goalsOf(formFactor: FormFactor, visits: readonly Visit[]): readonly Goal[] {
  const goals = categories.map((category): Goal => {
    const measured = percentile(
      visits.map(({ scores }) => scores[category]),
      50,
    );
    const reach = category === "performance" ? 95 : 100;
    return { name: `${category}, ${formFactor}`, unit: "of 100", better: "higher", reach, measured };
  });
  if (formFactor === "desktop") return goals;
  const measured = percentile(
    visits.map(({ largestPaintMs }) => largestPaintMs),
    50,
  );
  return [
    ...goals,
    { name: "largest paint, mobile", unit: "ms", better: "lower", reach: largestPaintGoalMs, measured },
  ];
}

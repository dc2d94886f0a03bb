import { chromium } from "@playwright/test";
import { serveBareFaces } from "./bare-face.ts";
import {
  covered,
  faceLaunchOptions,
  type MatchNotes,
  measureRounds,
  openBareFaces,
  openFaces,
  pressToClear,
  type Rounds,
  sidesOf,
  toClear,
  toFrame,
  toPush,
} from "./face-rounds.ts";
import type { FaceNotes } from "./face-watch.ts";
import { measureTimeToHide } from "./time-to-hide.ts";
import { percentile } from "./percentile.ts";
import type { BenchmarkOptions, BenchmarkReport, Goal, PeerFigure } from "./report.ts";
import { serveProduct } from "./served-product.ts";

const rounds = 20;
const quickRounds = 3;
const goalMs = {
  pushToClear: { p50: 300, p95: 600 },
  pressToPush: 60,
  nextToClear: 400,
  exposure: 4_000,
} as const;

/** Measures the time from the press to a clear face, and how long pictures are shown that should be hidden, with three Chromium pages. */
export async function benchFirstFace({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const measured = await measurePages(isQuick ? quickRounds : rounds);
  return report(measured, await measureTimeToHide({ isQuick }));
}

async function measurePages(count: number): Promise<Rounds> {
  // `npm start` builds the web app if it is stale: an older build may lack what this looks for.
  await using product = await serveProduct({ program: ["tools/start.mjs"], environment: { MODERATION: "auto" } });
  await using bareHost = await serveBareFaces();
  const browser = await chromium.launch(faceLaunchOptions());
  try {
    const browsers = [browser, browser, browser] as const;
    const people = await openFaces(browsers, { product });
    return await measureRounds({ people, bare: await openBareFaces(browsers, bareHost), count });
  } finally {
    await browser.close();
  }
}

type HideFigures = Awaited<ReturnType<typeof measureTimeToHide>>;

function report(measured: Rounds, exposure: HideFigures): BenchmarkReport {
  const ours = figuresOf(measured.matches);
  const bare = figuresOf(measured.bare);
  return {
    title: `First face: ${measured.matches.length} matches of three Chromium pages of 1000x700, models on, beside ${measured.bare.length} of three bare pages`,
    columns: [
      "",
      "values",
      "least ms",
      "p50 ms",
      "p95 ms",
      "most ms",
      "bare p50 ms",
      "bare p95 ms",
      "ours to bare, p50",
    ],
    rows: [
      ...ours.map(({ name, valuesMs }, index) => besideBare(name, { valuesMs, bareMs: bare[index]!.valuesMs })),
      ...exposure.rows.map(({ name, valuesMs }) => row(name, valuesMs)),
    ],
    goals: [...goalsOf(ours), ...exposure.rows.map(hideGoal)],
    peers: [besidePeer(named.clear, { ours, bare })],
    notes: [...notesOn(measured), ...exposure.notes],
  };
}

interface Figure {
  readonly name: string;
  readonly valuesMs: readonly number[];
}

const named = {
  clear: "match push to clear face, both pages",
  startToPush: "press Start to match push, partner waiting",
  nextToPush: "press Next to match push, partner waiting",
  nextToClear: "press Next to clear face of a third person",
} as const;

/** The figures that both the product and the bare pages have. */
function figuresOf(matches: readonly MatchNotes[]): Figure[] {
  const start = sidesOf(matches.filter(({ kind }) => kind === "start"));
  const next = sidesOf(matches.filter(({ kind }) => kind === "next"));
  const pages = [start.pressers, start.partners, next.pressers, next.partners].flat();
  const figure = (name: string, notes: readonly FaceNotes[], time: (notes: FaceNotes) => number) => ({
    name,
    valuesMs: notes.map(time),
  });
  return [
    figure(named.clear, pages, toClear),
    figure("- after Start, who pressed", start.pressers, toClear),
    figure("- after Start, who waited", start.partners, toClear),
    figure("- after Next, who pressed", next.pressers, toClear),
    figure("- after Next, who waited", next.partners, toClear),
    figure("match push to first frame, both pages", pages, toFrame),
    figure("first frame to clear face, both pages", pages, covered),
    figure(named.startToPush, start.pressers, toPush),
    figure(named.nextToPush, next.pressers, toPush),
    figure("press Start to clear face", start.pressers, pressToClear),
    figure(named.nextToClear, next.pressers, pressToClear),
  ];
}

function goalsOf(figures: readonly Figure[]): Goal[] {
  const valuesOf = (name: string) => figures.find((figure) => figure.name === name)?.valuesMs ?? [];
  const { pushToClear, pressToPush, nextToClear } = goalMs;
  const clear = valuesOf(named.clear);
  return [
    goal(named.clear, { valuesMs: clear, percent: 50, reach: pushToClear.p50 }),
    goal(named.clear, { valuesMs: clear, percent: 95, reach: pushToClear.p95 }),
    goal("press Start to match push", { valuesMs: valuesOf(named.startToPush), percent: 50, reach: pressToPush }),
    goal("press Next to match push", { valuesMs: valuesOf(named.nextToPush), percent: 50, reach: pressToPush }),
    goal("press Next to clear face", { valuesMs: valuesOf(named.nextToClear), percent: 50, reach: nextToClear }),
  ];
}

function besidePeer(name: string, figures: { ours: readonly Figure[]; bare: readonly Figure[] }): PeerFigure {
  const p50 = (of: readonly Figure[]) => percentile(of.find((figure) => figure.name === name)?.valuesMs ?? [], 50);
  const bars = [
    { name: "Fava", value: p50(figures.ours) },
    { name: "bare pages", value: p50(figures.bare) },
  ];
  return { name: `${name}, p50`, unit: "ms", bars };
}

function hideGoal({ name, valuesMs }: Figure): Goal {
  return goal(name, { valuesMs, percent: 95, reach: goalMs.exposure });
}

function notesOn({ matches, loads, first }: Rounds): string[] {
  const pages = matches.flatMap(({ presser, partner: other }) => [presser, other]);
  const load = [0, 50, 100].map((percent) => percentile(loads, percent).toFixed(1)).join(" / ");
  const long = pages.flatMap(({ longTasksMs }) => (longTasksMs.length > 0 ? [Math.max(...longTasksMs)] : []));
  const [presser, partner] = [first.presser, first.partner].map((one) => Math.round(toClear(one)));
  return [
    "bare: two buttons, two pictures, the browser's own connection and a relay, in the same browser and the same turns",
    "fake cameras of 30 pictures a second, loopback, no relay; a page that was inspected during its search or last call",
    "the database marks the accounts as a month and ten calls old",
    `load average of one minute, after each round: ${load} (least / p50 / most)`,
    `${long.length} of ${pages.length} pages had a task over 50 ms, at most ${Math.round(Math.max(0, ...long))} ms`,
    `the very first match, before which the presser was never inspected: push to clear face ${presser} ms for the presser, ${partner} ms for the waiting page`,
    `offers inside the match push: ${matches.filter((match) => match.presser.hadOffer).length} of ${matches.length}`,
  ];
}

function goal(
  name: string,
  { valuesMs, percent, reach }: { valuesMs: readonly number[]; percent: number; reach: number },
): Goal {
  const measured = percentile(valuesMs, percent);
  return { name: `${name}, p${percent}`, unit: "ms", better: "lower", reach, measured };
}

function row(name: string, values: readonly number[]): (string | number)[] {
  return [name, String(values.length), ...[0, 50, 95, 100].map((percent) => percentile(values, percent))];
}

function besideBare(
  name: string,
  { valuesMs, bareMs }: { valuesMs: readonly number[]; bareMs: readonly number[] },
): (string | number)[] {
  const [bareP50, bareP95] = [percentile(bareMs, 50), percentile(bareMs, 95)];
  return [...row(name, valuesMs), bareP50, bareP95, percentile(valuesMs, 50) / bareP50];
}

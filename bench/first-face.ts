import { loadavg } from "node:os";
import { type Browser, chromium } from "@playwright/test";
import { chromium as chromiumOptions } from "../browser.config.ts";
import { FacePerson } from "./face-person.ts";
import { faceMarks, type FaceNotes } from "./face-watch.ts";
import { measureExposure } from "./exposure.ts";
import { signInAsKnown } from "./known-people.ts";
import { percentile } from "./percentile.ts";
import type { BenchmarkOptions, BenchmarkReport, Goal } from "./report.ts";
import { serveProduct } from "./served-product.ts";
import { longestTasks } from "./task-trace.ts";

const rounds = 20;
const quickRounds = 3;
/** Of one round in so many the browser is traced, for the length of its tasks; its times are left out. */
const tracedEvery = 4;
/**
 * Between two matches: the last connection is closed, the next offers are prepared, whoever searches was looked at. Three
 * people take turns, so that the same two meet again after three of them; the matcher keeps them apart for 15 s.
 */
const betweenMatchesMs = 6_500;
/**
 * After a match: the call's own first look comes within 3 s and is judged, as in any call that is not left at once; a few
 * that were left before it would open the next ones covered.
 */
const settleMs = 4_000;
/** As cameras make them; the tests' camera makes fewer, and a picture would wait for the next one. */
const framesPerSecond = 30;
const goalMs = {
  pushToClear: { p50: 300, p95: 600 },
  pressToPush: 60,
  nextToClear: 400,
  longestTask: 50,
  exposure: 4_000,
} as const;

interface MatchNotes {
  readonly kind: "start" | "next";
  /** Whoever pressed, and whoever waited. */
  readonly presser: FaceNotes;
  readonly partner: FaceNotes;
  /** Of both pages, where the browser was traced. */
  readonly longestTasksMs: readonly number[] | null;
}

interface Measured {
  readonly matches: readonly MatchNotes[];
  readonly loads: readonly number[];
  /** The very first match: nobody had been looked at before it. */
  readonly first: MatchNotes;
}

/** From the press to a clear face: three Chromium pages with cameras that meet in turns, and what is shown too long. */
export async function benchFirstFace({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const measured = await measurePages(isQuick ? quickRounds : rounds);
  return report(measured, await measureExposure({ isQuick }));
}

async function measurePages(count: number): Promise<Measured> {
  // `npm start` builds the web app where it is stale: an older one may lack what this looks for.
  await using product = await serveProduct({ program: ["tools/start.mjs"], environment: { MODERATION: "auto" } });
  const names = ["Wanda", "Carl", "Nuria"].map((name) => ({ name: `Face ${name}` }));
  await signInAsKnown(product, names);
  const browser = await openBrowser();
  try {
    const people: FacePerson[] = [];
    for (const who of names) people.push(await FacePerson.open(browser, { url: product.url, who }));
    return await measureRounds(browser, { people, count });
  } finally {
    await browser.close();
  }
}

function openBrowser(): Promise<Browser> {
  const { args, ...launchOptions } = chromiumOptions;
  const camera = "--use-fake-device-for-media-stream";
  return chromium.launch({
    ...launchOptions,
    args: [...args.filter((argument) => !argument.startsWith(camera)), `${camera}=fps=${framesPerSecond}`],
  });
}

/**
 * Two talk, and the third waits. The two leave; one presses Start and meets the third, and the other waits. The third
 * presses Next and meets that one, and whoever is left waits.
 */
async function measureRounds(
  browser: Browser,
  { people, count }: { people: readonly FacePerson[]; count: number },
): Promise<Measured> {
  let [talking, other, waiting] = people as [FacePerson, FacePerson, FacePerson];
  const meet = meetings(browser);
  await other.wait();
  const first = await meet({ kind: "start", presser: talking, partner: other, isTraced: false });
  await waiting.wait();
  const matches: MatchNotes[] = [];
  const loads: number[] = [];
  // The first round is nobody's: what a page compiles once it has compiled.
  for (let round = 0; round <= count; round += 1) {
    const isTraced = round % tracedEvery === tracedEvery - 1;
    // One after the other, and nobody searches while somebody else does: they would meet unmeasured.
    for (const person of [waiting, talking, other]) await person.goHome();
    await waiting.wait();
    const start = await meet({ kind: "start", presser: talking, partner: waiting, isTraced });
    await other.wait();
    const next = await meet({ kind: "next", presser: waiting, partner: other, isTraced });
    [talking, other, waiting] = [other, waiting, talking];
    if (round === 0) continue;
    matches.push(start, next);
    loads.push(loadavg()[0]!);
  }
  return { matches, loads, first };
}

interface Meeting {
  kind: MatchNotes["kind"];
  presser: FacePerson;
  partner: FacePerson;
  isTraced: boolean;
}

/** Makes one match after the other, with enough time between them. */
function meetings(browser: Browser): (meeting: Meeting) => Promise<MatchNotes> {
  let lastMs = performance.now();
  return async ({ kind, presser, partner, isTraced }) => {
    const button = await presser.findButton(kind);
    await new Promise((resolve) => setTimeout(resolve, lastMs + betweenMatchesMs - performance.now()));
    const match = async () => {
      lastMs = performance.now();
      const bothClear = Promise.all([presser.untilClear(kind), partner.untilClear(kind)]);
      await button.press();
      await bothClear;
    };
    const longestTasksMs = isTraced
      ? await longestTasks(browser, { from: faceMarks.matched, to: faceMarks.frame, during: match })
      : (await match(), null);
    await presser.page.waitForTimeout(settleMs);
    return { kind, presser: await presser.notes(), partner: await partner.notes(), longestTasksMs };
  };
}

type ExposureFigures = Awaited<ReturnType<typeof measureExposure>>;

function report(measured: Measured, exposure: ExposureFigures): BenchmarkReport {
  const { matches } = measured;
  const untraced = matches.filter(({ longestTasksMs }) => longestTasksMs === null);
  const start = sidesOf(untraced.filter(({ kind }) => kind === "start"));
  const next = sidesOf(untraced.filter(({ kind }) => kind === "next"));
  const pages = [start.pressers, start.partners, next.pressers, next.partners].flat();
  const clear = pages.map(toClear);
  const [startToPush, nextToPush] = [start.pressers.map(toPush), next.pressers.map(toPush)];
  const nextToClear = next.pressers.map(pressToClear);
  const tasks = matches.flatMap(({ longestTasksMs }) => longestTasksMs ?? []);
  return {
    title: `First face: ${untraced.length} matches of three Chromium pages of 1000x700, models on`,
    columns: ["", "values", "least ms", "p50 ms", "p95 ms", "most ms"],
    rows: [
      row("match push to clear face, both pages", clear),
      row("- after Start, who pressed", start.pressers.map(toClear)),
      row("- after Start, who waited", start.partners.map(toClear)),
      row("- after Next, who pressed", next.pressers.map(toClear)),
      row("- after Next, who waited", next.partners.map(toClear)),
      row("match push to first frame, both pages", pages.map(toFrame)),
      row("first frame to clear face, both pages", pages.map(covered)),
      row("press Start to match push, partner waiting", startToPush),
      row("press Next to match push, partner waiting", nextToPush),
      row("press Start to clear face", start.pressers.map(pressToClear)),
      row("press Next to clear face of a third person", nextToClear),
      row("longest task between push and first frame", tasks),
      ...exposure.rows.map(({ name, valuesMs }) => row(name, valuesMs)),
    ],
    goals: [
      goal("match push to clear face, both pages", { valuesMs: clear, percent: 50, reach: goalMs.pushToClear.p50 }),
      goal("match push to clear face, both pages", { valuesMs: clear, percent: 95, reach: goalMs.pushToClear.p95 }),
      goal("press Start to match push", { valuesMs: startToPush, percent: 50, reach: goalMs.pressToPush }),
      goal("press Next to match push", { valuesMs: nextToPush, percent: 50, reach: goalMs.pressToPush }),
      goal("press Next to clear face", { valuesMs: nextToClear, percent: 50, reach: goalMs.nextToClear }),
      goal("longest task", { valuesMs: tasks, percent: 50, reach: goalMs.longestTask }),
      ...exposure.rows.map(({ name, valuesMs }) => goal(name, { valuesMs, percent: 95, reach: goalMs.exposure })),
    ],
    notes: [...notesOn(measured, pages), ...exposure.notes],
  };
}

function notesOn({ matches, loads, first }: Measured, pages: readonly FaceNotes[]): string[] {
  const load = [0, 50, 100].map((percent) => percentile(loads, percent).toFixed(1)).join(" / ");
  const long = pages.flatMap(({ longTasksMs }) => (longTasksMs.length > 0 ? [Math.max(...longTasksMs)] : []));
  const [presser, partner] = [first.presser, first.partner].map((one) => Math.round(toClear(one)));
  return [
    "fake cameras of 30 pictures a second, loopback, no relay; a page that was looked at while searching or in its last call",
    "the accounts were made a month and ten calls old in the database",
    `load average of one minute, after each round: ${load} (least / p50 / most)`,
    `one round of ${tracedEvery} is traced, for its tasks alone; of the others ${long.length} of ${pages.length} pages had a task over 50 ms, at most ${Math.round(Math.max(0, ...long))} ms`,
    `the first match of all, before which who pressed was never looked at: push to clear face ${presser} ms there, ${partner} ms where somebody waited`,
    `offers that travelled inside the match push: ${matches.filter((match) => match.presser.hadOffer).length} of ${matches.length}`,
  ];
}

function sidesOf(matches: readonly MatchNotes[]): { pressers: FaceNotes[]; partners: FaceNotes[] } {
  return { pressers: matches.map(({ presser }) => presser), partners: matches.map(({ partner }) => partner) };
}

function goal(
  name: string,
  { valuesMs, percent, reach }: { valuesMs: readonly number[]; percent: number; reach: number },
): Goal {
  const measured = percentile(valuesMs, percent);
  return { name: `${name}, p${percent}`, unit: "ms", better: "lower", reach, measured };
}

const toPush = ({ pressedMs, matchedMs }: FaceNotes) => matchedMs - pressedMs;
const toFrame = ({ matchedMs, frameMs }: FaceNotes) => frameMs - matchedMs;
const toClear = ({ matchedMs, clearMs }: FaceNotes) => clearMs - matchedMs;
const covered = ({ frameMs, clearMs }: FaceNotes) => clearMs - frameMs;
const pressToClear = ({ pressedMs, clearMs }: FaceNotes) => clearMs - pressedMs;

function row(name: string, values: readonly number[]): (string | number)[] {
  return [name, String(values.length), ...[0, 50, 95, 100].map((percent) => percentile(values, percent))];
}

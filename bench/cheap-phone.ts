import type { Browser, Page } from "@playwright/test";
import { wordsIn } from "../e2e/support/words.ts";
import { rowsOf } from "../e2e/support/product-database.ts";
import { serveBareFaces } from "./bare-face.ts";
import { type FaceMeeter, newFacePage } from "./face-person.ts";
import {
  type MatchNotes,
  type Meeting,
  measureRounds,
  meetings,
  openBareFaces,
  openFaces,
  pressToClear,
  type RoundHooks,
  toClear,
  toFrame,
  toPush,
  type Trio,
} from "./face-rounds.ts";
import { percentile } from "./percentile.ts";
import {
  type CallTotals,
  callTotals,
  goFirst,
  openPhones,
  phone,
  type Phones,
  slowDown,
  slowNetwork,
  taskMs,
} from "./phone.ts";
import type { BenchmarkOptions, BenchmarkReport, Goal } from "./report.ts";
import { type ServedProduct, serveProduct } from "./served-product.ts";

/** The processor of the phones, times slower; and of those whose calls must not be ended. */
const slowRate = 6;
const slowestRate = 12;
const sizes = {
  full: { rounds: 20, visits: 6, calls: 3, callS: 30, longCallS: 90 },
  quick: { rounds: 2, visits: 2, calls: 1, callS: 15, longCallS: 15 },
} as const;
/** `BENCH_CALLS` is the number of long calls on the slowest phones. */
const longCalls = Number(process.env["BENCH_CALLS"] ?? 1);
/** Before a call counts as running: its first look is judged, and the next offer is prepared. */
const callSettleMs = 6_000;
/** The matcher keeps two people apart for as long. */
const apartMs = 16_000;
/**
 * How long the messages of a person who is about to be left wait, from the search before Next on. Sent earlier, their
 * search would come before that of the slow one who pressed Next, and take their next partner.
 */
const heldMs = 6_500;
const visitTimeoutMs = 60_000;
const goals = {
  homeMs: 1_500,
  slowHomeMs: 2_500,
  toClear: 2,
  nextToClear: 2,
  pressToPush: 2,
  longestTaskMs: 100,
  callBusyPercent: 10,
  processorSeconds: 1.1,
} as const;

interface Figure {
  readonly name: string;
  readonly values: readonly number[];
}

/** How Chromium as a cheap phone gets from Home to a running call, beside the bare pages on the same phone. */
export async function benchCheapPhone({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const size = isQuick ? sizes.quick : sizes.full;
  await using product = await serveProduct({
    program: ["tools/start.mjs"],
    environment: { MODERATION: "auto", RATE_LIMIT_FACTOR: "1000" },
  });
  await using bareHost = await serveBareFaces();
  await using phones = await openPhones();
  await using barePhones = await openPhones();
  const home = { ours: [] as Visits[], bare: [] as Visits[] };
  for (let visit = 0; visit < size.visits; visit += 1) {
    home.ours.push(await visitHome(phones.browsers[0], product.url));
    home.bare.push(await visitHome(barePhones.browsers[0], bareHost.url));
  }
  const people = await openFaces(phones.browsers, { product, device: phone });
  const bare = await openBareFaces(barePhones.browsers, { url: bareHost.url, device: phone });
  const watch = new RoundWatch(people, bare);
  const rounds = await measureRounds({ people, bare, count: size.rounds, hooks: watch });
  for (const { page } of [...people, ...bare]) {
    await slowDown(page, 1);
    goFirst(page, false);
  }
  const calls = { ours: [] as CallFigures[], bare: [] as CallFigures[] };
  // In turns, since the machine's speed drifts.
  for (let call = 0; call < size.calls; call += 1) {
    calls.bare.push(await measureCall({ people: bare, phones: barePhones, seconds: size.callS }));
    calls.ours.push(await measureCall({ people, phones, seconds: size.callS }));
  }
  const ended = await endedCalls({ product, people, seconds: size.longCallS });
  const figures = {
    ours: [...homeFigures(home.ours), ...matchFigures(rounds.matches, watch.ours), ...callFigures(calls.ours)],
    bare: [...homeFigures(home.bare), ...matchFigures(rounds.bare, watch.bare), ...callFigures(calls.bare)],
  };
  const { searchesMs, isFirst } = watch;
  return report(figures, { searchesMs, isFirst, ended, loads: rounds.loads });
}

interface Visit {
  /** From the navigation to the effect of the first press on Start that has one. */
  readonly usableMs: number;
  /** From the navigation to the ways to sign in. */
  readonly choicesMs: number;
  readonly seenMs: number;
  readonly longestTaskMs: number;
}

interface Visits {
  readonly fast: Visit;
  /** With a slow network as well. */
  readonly slow: Visit;
}

/** Two first visits with an empty cache; Start is pressed every 50 ms from its first appearance on. */
async function visitHome(browser: Browser, url: string): Promise<Visits> {
  return { fast: await firstVisit(browser, url), slow: await firstVisit(browser, url, slowNetwork) };
}

async function firstVisit(browser: Browser, url: string, prepare?: (page: Page) => Promise<void>): Promise<Visit> {
  const page = await newFacePage(browser, url, phone);
  try {
    await page.addInitScript(pressEarly, { label: wordsIn("en", "home.start") });
    await slowDown(page, slowRate);
    await prepare?.(page);
    await page.goto("/", { waitUntil: "commit" });
    await page.waitForFunction(() => window.early.choicesMs > 0, null, { timeout: visitTimeoutMs });
    return await page.evaluate(() => ({
      ...window.early,
      longestTaskMs: Math.max(0, ...window.longTasks.map(({ duration }) => duration)),
    }));
  } finally {
    await page.context().close();
  }
}

declare global {
  interface Window {
    early: { usableMs: number; choicesMs: number; seenMs: number };
  }
}

/** Runs in the page. The effect is a dialog; on the bare page, that its script receives the press. */
function pressEarly({ label }: { label: string }): void {
  const early = { usableMs: 0, choicesMs: 0, seenMs: 0 };
  window.early = early;
  let isPressed = false;
  document.addEventListener("DOMContentLoaded", () => {
    if (document.title === "Bare")
      document.querySelector("#start")!.addEventListener("click", () => (isPressed = true));
  });
  const timer = setInterval(() => {
    if (isPressed || document.querySelector("dialog[open], [role=dialog]")) {
      early.usableMs ||= performance.now();
      if (!isPressed && !document.querySelector("[role=dialog] [data-login-type]")) return;
      early.choicesMs = performance.now();
      clearInterval(timer);
      return;
    }
    const button =
      document.querySelector<HTMLElement>("#start") ??
      [...document.querySelectorAll("button")].find(({ textContent }) => textContent.trim() === label);
    if (!button || button.getBoundingClientRect().width === 0) return;
    early.seenMs ||= performance.now();
    button.click();
  }, 50);
}

type Side = "presser" | "partner";

/**
 * Slows one page of each match down, in turns: who presses, then who waits. The loop of a second one would take the
 * processor from everything else on a machine with two cores, so that the figures would show the machine.
 */
class RoundWatch implements RoundHooks {
  readonly ours = new TrioWatch();
  readonly bare = new TrioWatch();
  readonly searchesMs: number[] = [];
  /** Whether the system lets the slow phone go before other processes. */
  isFirst = false;
  readonly #people: Trio;
  readonly #bare: Trio;
  #beganMs = 0;

  constructor(people: Trio, bare: Trio) {
    this.#people = people;
    this.#bare = bare;
  }

  async seat({ presser, partner }: Parameters<NonNullable<RoundHooks["seat"]>>[0]): Promise<void> {
    const slow = this.#of(presser).nextSlow() === "presser" ? presser : partner;
    for (const person of [...this.#people, ...this.#bare]) {
      await slowDown(person.page, person === slow ? slowRate : 1);
      const isAllowed = goFirst(person.page, person === slow);
      if (person === slow) this.isFirst = isAllowed;
    }
  }

  async searching({ kind, presser, partner }: Meeting): Promise<void> {
    if (kind === "next") await this.#setThirdAside(presser, partner);
  }

  async begin({ presser, partner }: Meeting): Promise<void> {
    if (this.#people.includes(presser)) {
      this.searchesMs.push(await partner.page.evaluate(() => window.phone.searchMs));
    }
    this.#beganMs = await taskMs(presser.page);
  }

  async end({ presser }: Meeting): Promise<void> {
    this.#of(presser).busyMs.push((await taskMs(presser.page)) - this.#beganMs);
    for (const { page } of this.#trioOf(presser))
      await page.evaluate(() => void document.documentElement.style.removeProperty("display"));
  }

  #of(presser: FaceMeeter): TrioWatch {
    return this.#people.includes(presser) ? this.ours : this.bare;
  }

  #trioOf(presser: FaceMeeter): Trio {
    return this.#people.includes(presser) ? this.#people : this.#bare;
  }

  /**
   * The person whom the presser will leave; on this machine the drawing of their page would take time from the two
   * others. Not with the press, since hiding a page takes time as well.
   */
  async #setThirdAside(presser: FaceMeeter, partner: FaceMeeter): Promise<void> {
    const third = this.#trioOf(presser).find((person) => person !== presser && person !== partner);
    await third?.page.evaluate((ms) => {
      window.phone.heldUntilMs = performance.now() + ms;
      document.documentElement.style.display = "none";
    }, heldMs);
  }
}

/** The matches of one trio, with those that do not count. */
class TrioWatch {
  readonly slow: Side[] = [];
  /** How long the main thread of each presser was busy from before the press until the match had settled. */
  readonly busyMs: number[] = [];

  /** A round has two matches, in which the same side is slow. */
  nextSlow(): Side {
    const side = Math.floor(this.slow.length / 2) % 2 === 0 ? "presser" : "partner";
    this.slow.push(side);
    return side;
  }
}

interface CallFigures {
  readonly slow: readonly Spent[];
  /** Of all three browsers at full speed, for a minute. */
  readonly processorSeconds: number;
}

/** What one page of a call did in a minute. */
interface Spent extends Omit<CallTotals, "taskMs"> {
  readonly busyPercent: number;
}

/** The call of two slow phones, then the same call at full speed: a slow page's loop would count as processor time. */
async function measureCall(options: { people: Trio; phones: Phones; seconds: number }): Promise<CallFigures> {
  const { people, phones, seconds } = options;
  const [one, other] = people;
  const pages = [one.page, other.page];
  for (const page of pages) await slowDown(page, slowRate);
  await meet(one, other);
  const before = await Promise.all(pages.map(callTotals));
  await pause(seconds * 1_000);
  const after = await Promise.all(pages.map(callTotals));
  for (const page of pages) await slowDown(page, 1);
  await pause(callSettleMs);
  const processorBefore = phones.processorSeconds();
  await pause(seconds * 1_000);
  const processorSeconds = ((phones.processorSeconds() - processorBefore) * 60) / seconds;
  await leave(one, other);
  return { slow: after.map((totals, index) => spent(before[index]!, totals, seconds)), processorSeconds };
}

function spent(before: CallTotals, after: CallTotals, seconds: number): Spent {
  const perMinute = (key: "frames" | "droppedFrames" | "bytes") => ((after[key] - before[key]) * 60) / seconds;
  return {
    busyPercent: (after.taskMs - before.taskMs) / (seconds * 10),
    frames: perMinute("frames"),
    droppedFrames: perMinute("droppedFrames"),
    bytes: perMinute("bytes"),
    longTasksMs: after.longTasksMs.slice(before.longTasksMs.length),
  };
}

async function meet(one: FaceMeeter, other: FaceMeeter): Promise<void> {
  await other.wait();
  const meetNow = meetings({ searchedMs: { start: 0, next: 0 }, settleMs: callSettleMs });
  await meetNow({ kind: "start", presser: one, partner: other });
}

/** The second person searches when the first has left, and goes home from there. */
async function leave(one: FaceMeeter, other: FaceMeeter): Promise<void> {
  await one.goHome();
  await other.goHome();
}

interface Ended {
  readonly calls: number;
  /** Why calls ended otherwise than by the press on End. */
  readonly byProduct: readonly string[];
}

async function endedCalls(options: { product: ServedProduct; people: Trio; seconds: number }): Promise<Ended> {
  const { product, people, seconds } = options;
  const [one, other] = people;
  const began = new Date();
  for (let call = 0; call < longCalls; call += 1) {
    await pause(apartMs);
    for (const { page } of [one, other]) await slowDown(page, slowestRate);
    await meet(one, other);
    await pause(seconds * 1_000);
    for (const { page } of [one, other]) await slowDown(page, 1);
    await leave(one, other);
  }
  // The server writes ends of calls a moment later.
  await pause(callSettleMs);
  const rows = await rowsOf(product, "select end_reason from calls where matched_at >= $1", [began]);
  const reasons = rows.map(({ end_reason: reason }) => String(reason));
  return { calls: rows.length, byProduct: reasons.filter((reason) => reason !== "stop") };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const named = {
  home: "home: navigation to effect of Start",
  slowHome: "home: navigation to effect of Start, slow network",
  startToPush: "press Start to match push, partner waiting",
  toClear: "match push to clear face",
  nextToClear: "press Next to clear face of a third person",
  longest: "longest task from match push to first frame",
  busy: "call: main thread busy, percent",
  processor: "call: processor seconds a minute, whole browser, full speed",
} as const;

function homeFigures(visits: readonly Visits[]): Figure[] {
  return [
    { name: named.home, values: visits.map(({ fast }) => fast.usableMs) },
    { name: named.slowHome, values: visits.map(({ slow }) => slow.usableMs) },
    { name: "home: navigation to ways to sign in", values: visits.map(({ fast }) => fast.choicesMs) },
    { name: "home: the same, slow network", values: visits.map(({ slow }) => slow.choicesMs) },
    { name: "home: navigation to visible Start", values: visits.map(({ fast }) => fast.seenMs) },
    { name: "home: longest task", values: visits.map(({ fast }) => fast.longestTaskMs) },
  ];
}

function matchFigures(matches: readonly MatchNotes[], watch: TrioWatch): Figure[] {
  // The first values are of matches that do not count.
  const slow = watch.slow.slice(-matches.length);
  const busyMs = watch.busyMs.slice(-matches.length);
  const pressed = (kind: MatchNotes["kind"]) =>
    matches.filter((one, index) => one.kind === kind && slow[index] === "presser").map(({ presser }) => presser);
  const pages = matches.map((one, index) => one[slow[index] ?? "presser"]);
  return [
    { name: named.startToPush, values: pressed("start").map(toPush) },
    { name: "press Next to match push, partner waiting", values: pressed("next").map(toPush) },
    { name: "match push to first frame", values: pages.map(toFrame) },
    { name: named.toClear, values: pages.map(toClear) },
    { name: "press Start to clear face", values: pressed("start").map(pressToClear) },
    { name: named.nextToClear, values: pressed("next").map(pressToClear) },
    { name: named.longest, values: pages.map(({ longTasksMs }) => Math.max(0, ...longTasksMs)) },
    {
      name: "main thread busy for a match, who pressed",
      values: busyMs.filter((_, index) => slow[index] === "presser"),
    },
  ];
}

function callFigures(calls: readonly CallFigures[]): Figure[] {
  const slow = calls.flatMap((call) => call.slow);
  return [
    { name: named.busy, values: slow.map(({ busyPercent }) => busyPercent) },
    { name: "call: longest task", values: slow.map(({ longTasksMs }) => Math.max(0, ...longTasksMs)) },
    { name: "call: frames a minute", values: slow.map(({ frames }) => frames) },
    { name: "call: dropped frames a minute", values: slow.map(({ droppedFrames }) => droppedFrames) },
    { name: "call: megabytes a minute, both ways", values: slow.map(({ bytes }) => bytes / 1e6) },
    { name: named.processor, values: calls.map(({ processorSeconds }) => processorSeconds) },
  ];
}

interface Figures {
  readonly ours: readonly Figure[];
  readonly bare: readonly Figure[];
}

interface Rest {
  readonly searchesMs: readonly number[];
  readonly isFirst: boolean;
  readonly ended: Ended;
  readonly loads: readonly number[];
}

function report(figures: Figures, { searchesMs, isFirst, ended, loads }: Rest): BenchmarkReport {
  const rows = figures.ours.map(({ name, values }, index) => [
    ...row(name, values),
    ...[50, 95].map((percent) => percentile(figures.bare[index]!.values, percent)),
    ratio(figures, name),
  ]);
  const load = [0, 50, 100].map((percent) => percentile(loads, percent).toFixed(1)).join(" / ");
  return {
    title: `A cheap phone: Chromium of 390x844, its main thread ${slowRate} times slower, beside bare pages`,
    columns: [
      "ms, unless it says otherwise",
      "values",
      "p50",
      "p95",
      "most",
      "bare p50",
      "bare p95",
      "ours to bare, p50",
    ],
    rows: [...rows, row("press Start to search on the screen", searchesMs)],
    goals: goalsOf(figures, ended),
    notes: [
      "the slow processor is a loop in the main thread of a page, also while it is idle; other threads have full speed",
      "of the two pages of a match one is slow: in half of the rounds who presses, in half who waits",
      isFirst
        ? "the slow page's browser goes before all other processes, and its main threads before its other threads, as if on cores of their own"
        : "without root the slow page's browser waits for its cores as all other processes do",
      "whom the presser left draws nothing until the match is over: that page would be on another phone",
      "not measured: calls over a slow network, because Chromium slows only HTTP",
      `load average of one minute, after each round: ${load} (least / p50 / most)`,
      `calls with a processor ${slowestRate} times slower: ${ended.calls}, of which the product ended ${[ended.byProduct.length, ...ended.byProduct].join(", ")}`,
    ],
  };
}

function goalsOf(figures: Figures, ended: Ended): Goal[] {
  const measured = (name: string, percent: number) => percentile(valuesOf(figures.ours, name), percent);
  const times = (name: string, reach: number): Goal => ({
    name: `${name}, p50, times bare`,
    unit: "x",
    better: "lower",
    reach,
    measured: ratio(figures, name),
  });
  const ms = (name: string, percent: number, reach: number): Goal => ({
    name: `${name}, p${percent}`,
    unit: "ms",
    better: "lower",
    reach,
    measured: measured(name, percent),
  });
  return [
    ms(named.home, 50, goals.homeMs),
    ms(named.slowHome, 50, goals.slowHomeMs),
    times(named.startToPush, goals.pressToPush),
    times(named.toClear, goals.toClear),
    times(named.nextToClear, goals.nextToClear),
    ms(named.longest, 95, goals.longestTaskMs),
    { name: named.busy, unit: "%", better: "lower", reach: goals.callBusyPercent, measured: measured(named.busy, 100) },
    times(named.processor, goals.processorSeconds),
    {
      name: `calls ended by the product, ${slowestRate} times slower`,
      unit: "",
      better: "lower",
      reach: 0,
      measured: ended.byProduct.length,
    },
  ];
}

function valuesOf(figures: readonly Figure[], name: string): readonly number[] {
  return figures.find((figure) => figure.name === name)?.values ?? [];
}

/** The product's median to the bare pages'. */
function ratio({ ours, bare }: Figures, name: string): number {
  return percentile(valuesOf(ours, name), 50) / percentile(valuesOf(bare, name), 50);
}

function row(name: string, values: readonly number[]): (string | number)[] {
  return [name, String(values.length), ...[50, 95, 100].map((percent) => percentile(values, percent))];
}

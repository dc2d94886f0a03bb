import { loadavg } from "node:os";
import type { Browser } from "@playwright/test";
import { chromium as chromiumOptions } from "../browser.config.ts";
import { BareFacePerson } from "./bare-face.ts";
import { type FaceDevice, type FaceMeeter, FacePerson } from "./face-person.ts";
import type { FaceNotes } from "./face-watch.ts";
import { signInAsKnown } from "./known-people.ts";
import type { ServedProduct } from "./served-product.ts";

interface Pace {
  /** How long the partner searches before each press. */
  readonly searchedMs: Readonly<Record<MatchNotes["kind"], number>>;
  /** Time to stay in a match. */
  readonly settleMs: number;
}

/**
 * A search is long enough to close the last connection, prepare the next offers and inspect the partner, also on a slow
 * page. Three people take turns, so the same two meet again after three matches; the matcher keeps them apart for 15 s.
 * The call's first look comes within 3 s and is judged: after a few calls that ended before it, the next ones would
 * start covered. The second comes 9 s after the match or later, and Next is pressed before it: the server's models would
 * take the cores from the two pages.
 */
const productPace: Pace = { searchedMs: { start: 6_500, next: 2_500 }, settleMs: 4_000 };
/** Pace of the bare pages, which inspect no one: enough to close the connection and start the encoders. */
const barePace: Pace = { searchedMs: { start: 2_000, next: 2_000 }, settleMs: 1_000 };
/** As real cameras do; the tests' camera makes fewer, and a picture would wait for the next frame. */
const framesPerSecond = 30;

export interface MatchNotes {
  readonly kind: "start" | "next";
  /** The page that pressed, and the page that waited. */
  readonly presser: FaceNotes;
  readonly partner: FaceNotes;
}

/** The tests' browser with a camera of `framesPerSecond`. */
export function faceLaunchOptions(): { executablePath: string; args: string[] } {
  const { args, executablePath } = chromiumOptions;
  const camera = "--use-fake-device-for-media-stream";
  const others = args.filter((argument) => !argument.startsWith(camera));
  return { executablePath, args: [...others, `${camera}=fps=${framesPerSecond}`] };
}

/** The last two partners, and the third person. */
export type Trio<Person extends FaceMeeter = FaceMeeter> = readonly [talking: Person, other: Person, waiting: Person];

/** A browser for each person of a trio; all three may be the same one, and then share its camera. */
export type FaceBrowsers = readonly [Browser, Browser, Browser];

/** Three people with known accounts and no past partners, each in their own page, at home. */
export async function openFaces(
  browsers: FaceBrowsers,
  { product, device }: { product: ServedProduct; device?: FaceDevice },
): Promise<Trio<FacePerson>> {
  const whos = ["Wanda", "Carl", "Nuria"].map((name) => ({ name: `Face ${name}` }));
  await signInAsKnown(product, whos);
  return trio((index) =>
    FacePerson.open(browsers[index]!, { url: product.url, who: whos[index]!, ...(device && { device }) }),
  );
}

/** Three people in the bare pages at `url`. */
export function openBareFaces(
  browsers: FaceBrowsers,
  options: { url: string; device?: FaceDevice },
): Promise<Trio<BareFacePerson>> {
  return trio((index) => BareFacePerson.open(browsers[index]!, options));
}

async function trio<Person extends FaceMeeter>(open: (index: number) => Promise<Person>): Promise<Trio<Person>> {
  return [await open(0), await open(1), await open(2)];
}

export interface Rounds {
  readonly matches: readonly MatchNotes[];
  /** Of the bare pages; one of their rounds precedes each round of the product. */
  readonly bare: readonly MatchNotes[];
  readonly loads: readonly number[];
  /** The very first match: the server had inspected no one before it. */
  readonly first: MatchNotes;
}

interface RoundsOptions {
  readonly people: Trio;
  readonly bare: Trio;
  readonly count: number;
  readonly hooks?: RoundHooks;
}

export interface RoundHooks {
  /** Called before the partner of each match begins to wait. */
  seat?(seats: { presser: FaceMeeter; partner: FaceMeeter }): Promise<void>;
  /** Called when the partner of each match has begun to search. */
  searching?(meeting: Meeting): Promise<void>;
  /** Called before the press of each match, and when it has settled. */
  begin?(meeting: Meeting): Promise<void>;
  end?(meeting: Meeting): Promise<void>;
}

/**
 * Runs the rounds in order, each after a bare one, during which the product's pages are at home with closed cameras.
 * All pages are at home when it resolves.
 */
export async function measureRounds({ people, bare, count, hooks = {} }: RoundsOptions): Promise<Rounds> {
  const meetBare = meetings(barePace, hooks);
  const meet = meetings(productPace, hooks);
  let [now, bareNow] = [people, bare];
  await now[1].wait();
  const first = await meet({ kind: "start", presser: now[0], partner: now[1] });
  await now[2].wait();
  const measured = { matches: [] as MatchNotes[], bare: [] as MatchNotes[], loads: [] as number[] };
  // The first round does not count: the page compiles its code in it.
  for (let round = 0; round <= count; round += 1) {
    await allHome(now);
    const bareMatches = await meetInTurns(bareNow, meetBare, hooks);
    await allHome(bareNow);
    const matches = await meetInTurns(now, meet, hooks);
    [now, bareNow] = [turned(now), turned(bareNow)];
    if (round === 0) continue;
    measured.matches.push(...matches);
    measured.bare.push(...bareMatches);
    measured.loads.push(loadavg()[0]!);
  }
  await allHome(now);
  await allHome(bareNow);
  return { ...measured, first };
}

/** Sends one person home after the other, since two searches at once would match outside the measurement. */
async function allHome([talking, other, waiting]: Trio): Promise<void> {
  for (const person of [waiting, talking, other]) await person.goHome();
}

function turned([talking, other, waiting]: Trio): Trio {
  return [other, waiting, talking];
}

/**
 * All three are at home; the first two had the last call, after which a slow machine may take longer than a verdict is
 * valid. One presses Start and meets the third. The third presses Next and meets the second, and the first waits.
 */
async function meetInTurns(
  [talking, other, waiting]: Trio,
  meet: ReturnType<typeof meetings>,
  hooks: RoundHooks,
): Promise<[start: MatchNotes, next: MatchNotes]> {
  await talking.beInspected();
  await hooks.seat?.({ presser: talking, partner: waiting });
  await waiting.wait();
  const start = await meet({ kind: "start", presser: talking, partner: waiting });
  await hooks.seat?.({ presser: waiting, partner: other });
  await other.wait();
  const next = await meet({ kind: "next", presser: waiting, partner: other });
  return [start, next];
}

export interface Meeting {
  kind: MatchNotes["kind"];
  presser: FaceMeeter;
  partner: FaceMeeter;
}

/** Makes matches in order; the partner of each has just begun to search. */
export function meetings(pace: Pace, hooks: RoundHooks = {}): (meeting: Meeting) => Promise<MatchNotes> {
  return async (meeting) => {
    const { kind, presser, partner } = meeting;
    const button = await presser.findButton(kind);
    await hooks.searching?.(meeting);
    await presser.page.waitForTimeout(pace.searchedMs[kind]);
    await hooks.begin?.(meeting);
    const bothClear = Promise.all([presser.untilClear(kind), partner.untilClear(kind)]);
    await button.press();
    await bothClear;
    await presser.page.waitForTimeout(pace.settleMs);
    await hooks.end?.(meeting);
    return { kind, presser: await presser.notes(), partner: await partner.notes() };
  };
}

export function sidesOf(matches: readonly MatchNotes[]): { pressers: FaceNotes[]; partners: FaceNotes[] } {
  return { pressers: matches.map(({ presser }) => presser), partners: matches.map(({ partner }) => partner) };
}

export const toPush = ({ pressedMs, matchedMs }: FaceNotes) => matchedMs - pressedMs;
export const toFrame = ({ matchedMs, frameMs }: FaceNotes) => frameMs - matchedMs;
export const toClear = ({ matchedMs, clearMs }: FaceNotes) => clearMs - matchedMs;
export const covered = ({ frameMs, clearMs }: FaceNotes) => clearMs - frameMs;
export const pressToClear = ({ pressedMs, clearMs }: FaceNotes) => clearMs - pressedMs;

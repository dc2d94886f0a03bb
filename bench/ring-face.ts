import { loadavg } from "node:os";
import { befriend } from "../e2e/support/friends.ts";
import { openPeoplePanel, peopleTab, rowOf } from "../e2e/support/people-panel.ts";
import { words } from "../e2e/support/words.ts";
import { type FacePerson } from "./face-person.ts";
import type { FaceNotes } from "./face-watch.ts";
import { openFaceBrowser, openFaces } from "./first-face.ts";
import { percentile } from "./percentile.ts";
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";
import { serveProduct } from "./served-product.ts";

const rounds = 12;
const quickRounds = 3;
/** The matcher keeps two who have met apart for 15 s. */
const betweenMs = 16_000;
/** What a page had to do after its last call is done, and the camera closed. */
const settleMs = 3_000;

interface Round {
  /** Of whoever pressed Start where the other waited, and of whoever pressed Accept. */
  readonly match: FaceNotes;
  readonly ring: FaceNotes;
}

/** From Accept to the first picture of a friend, beside Start to that of somebody who waits, in turns: two Chromium pages. */
export async function benchRingFace({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  await using product = await serveProduct({ program: ["tools/start.mjs"], environment: { MODERATION: "auto" } });
  const browser = await openFaceBrowser();
  const loads: number[] = [];
  try {
    const [ana, bo] = await openFaces(browser, product, ["Ringer", "Taker"]);
    if (!ana || !bo) throw new Error("a ring takes two");
    await befriend(ana.page, bo.page);
    const measured: Round[] = [];
    // The first round is nobody's: what a page compiles once it has compiled.
    for (let round = 0; round <= (isQuick ? quickRounds : rounds); round += 1) {
      const ring = await afterAccept(ana, bo);
      await ana.page.waitForTimeout(betweenMs);
      const match = await afterStart(ana, bo);
      await ana.page.waitForTimeout(settleMs);
      if (round > 0) measured.push({ match, ring });
      loads.push(loadavg()[0]!);
    }
    return report(measured, loads);
  } finally {
    await browser.close();
  }
}

/** One searches, the other presses Start; answers what the page of the one who pressed has noted. */
async function afterStart(ana: FacePerson, bo: FacePerson): Promise<FaceNotes> {
  await ana.wait();
  const button = await bo.findButton("start");
  const bothClear = Promise.all([ana.untilClear("start"), bo.untilClear("start")]);
  await button.press();
  await bothClear;
  const notes = await bo.notes();
  // Whoever is left searches on.
  for (const person of [ana, bo]) await person.goHome();
  return notes;
}

/** One rings the other, who accepts; the same of whoever accepted. */
async function afterAccept(ana: FacePerson, bo: FacePerson): Promise<FaceNotes> {
  const panel = await openPeoplePanel(ana.page);
  await peopleTab(ana.page, "friends").click();
  const bothClear = Promise.all([ana.untilClear("ring"), bo.untilClear("ring")]);
  await rowOf(panel, bo.name)
    .getByRole("button", { name: words("ring.callName", { name: bo.name }) })
    .click();
  await bo.page.getByRole("button", { name: words("ring.accept") }).click();
  await bothClear;
  const notes = await bo.notes();
  // The call with a friend ends for both.
  await bo.goHome();
  await ana.untilHome();
  return notes;
}

const figures = {
  "press to match push": ({ pressedMs, matchedMs }: FaceNotes) => matchedMs - pressedMs,
  "match push to first frame": ({ matchedMs, frameMs }: FaceNotes) => frameMs - matchedMs,
  "press to first frame": ({ pressedMs, frameMs }: FaceNotes) => frameMs - pressedMs,
  "press to clear face": ({ pressedMs, clearMs }: FaceNotes) => clearMs - pressedMs,
} as const;

function report(measured: readonly Round[], loads: readonly number[]): BenchmarkReport {
  const valuesOf = (name: keyof typeof figures, of: keyof Round) => measured.map((round) => figures[name](round[of]));
  const names = Object.keys(figures) as (keyof typeof figures)[];
  const load = [0, 50, 100].map((percent) => percentile(loads, percent).toFixed(1)).join(" / ");
  const midOf = (of: keyof Round) => percentile(valuesOf("press to first frame", of), 50);
  return {
    title: `Ring: ${measured.length} rings that were accepted, beside as many matches in turns, two Chromium pages of 1000x700`,
    columns: ["", "ring p50 ms", "ring p95 ms", "match p50 ms", "match p95 ms", "ring to match, p50"],
    rows: names.map((name) => {
      const [ring, match] = [valuesOf(name, "ring"), valuesOf(name, "match")];
      const [ringMid, matchMid] = [percentile(ring, 50), percentile(match, 50)];
      return [name, ringMid, percentile(ring, 95), matchMid, percentile(match, 95), ringMid / matchMid];
    }),
    goals: [
      {
        name: "accept to first picture, p50, beside a match's",
        unit: "ms",
        better: "lower",
        reach: midOf("match"),
        measured: midOf("ring"),
      },
    ],
    notes: [
      "of the page that pressed Accept, or Start where the other waited; both open their camera by that press",
      "whoever is rung was not looked at before the call, and so begins covered",
      `load average of one minute, after each round: ${load} (least / p50 / most)`,
    ],
  };
}

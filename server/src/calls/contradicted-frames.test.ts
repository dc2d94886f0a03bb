import { expect, test } from "vitest";
import { comparedFrames } from "@fava/wire/limits.ts";
import { PictureBench, verdictOf } from "#test/fixtures/picture-bench.ts";
import { inspectionSettingsDefault } from "./inspection-settings.ts";
import { shownKindOf } from "./inspection-state.ts";

const [mine, theirs] = ["ffffffffffffffff", "0000000000000000"];
/** As unlike as a weak network makes two frames of one moment. */
const alike = ((1n << BigInt(comparedFrames.hashBits)) - 1n).toString(16).padStart(16, "0");
const clean = { phash: mine };

function rulesOf(bench: PictureBench): string[] {
  return bench.effects("case").map(({ rule }) => rule);
}

/** A bench whose own frames have contradicted the received ones three times. The partner receives clean frames. */
function contradicted(): PictureBench {
  const bench = new PictureBench({}, 0);
  while (rulesOf(bench).length === 0) bench.sendNext(clean, { phash: theirs });
  return bench;
}

const meters = ({ state }: PictureBench) => shownKindOf(state);

test("[SAFE-511] opens one case when own and received frames differ in three of five moments", () => {
  const bench = new PictureBench({}, 0);
  const turns = [theirs, mine, theirs, mine, mine, theirs, theirs];
  for (const phash of turns.slice(0, 6)) bench.sendNext(clean, { phash });
  expect(rulesOf(bench)).toEqual([]);
  for (let turn = 0; turn < 12; turn += 1) bench.sendNext(clean, { phash: theirs });
  expect(rulesOf(bench)).toEqual(["views_differ"]);
});

test("[SAFE-511] compares every moment, each 3 s, after one that differed", () => {
  const bench = new PictureBench({}, 0);
  bench.sendNext(clean, { phash: theirs });
  expect(bench.dueInMs).toBeLessThanOrEqual(inspectionSettingsDefault.alertMs);
  const before = bench.asked.length;
  for (let turn = 0; turn < 5; turn += 1) bench.sendNext(clean, clean);
  expect(bench.asked.slice(before).map(({ view }) => view)).toEqual(Array(5).fill(["own", "received"]).flat());
  bench.sendNext(clean, clean);
  expect(bench.dueInMs).toBeGreaterThan(inspectionSettingsDefault.alertMs);
});

test.each([
  ["hash", { phash: theirs }],
  ["brightness", { phash: mine, luma: 120 + comparedFrames.luma + 1 }],
  ["shape", { phash: mine, aspect: 9 / 16 }],
])("[SAFE-511] finds a moment different by its %s", (_by, received) => {
  const bench = new PictureBench({}, 0);
  for (let turn = 0; turn < 3; turn += 1) bench.sendNext({ ...clean, aspect: 4 / 3 }, received);
  expect(rulesOf(bench)).toEqual(["views_differ"]);
});

test.each([
  ["a weak network", { phash: alike, luma: 120 + comparedFrames.luma, aspect: 1.5 }, {}],
  ["a received frame too blurred to tell", { phash: mine, sharpness: 3 }, {}],
  ["a received frame too dark to tell", { phash: mine, luma: 10 }, {}],
])("[SAFE-511] finds no moment different because of %s", (_why, received, own) => {
  const bench = new PictureBench({}, 0);
  for (let turn = 0; turn < 24; turn += 1) bench.sendNext({ phash: theirs, aspect: 4 / 3, ...own }, received);
  expect([rulesOf(bench), bench.shown]).toEqual([[], "clear"]);
});

test("[SAFE-511] compares a flat own frame, which could hide what is sent", () => {
  const bench = new PictureBench({}, 0);
  for (let turn = 0; turn < 3; turn += 1) bench.sendNext({ phash: theirs, sharpness: 0 }, clean);
  expect(rulesOf(bench)).toEqual(["views_differ"]);
});

test("[SAFE-511] finds a received frame of some seconds ago alike, and none while the partner's picture stands still", () => {
  const bench = new PictureBench({}, 0);
  const scenes = [mine, theirs, "00000000ffffffff", "ffff0000ffff0000", "0f0f0f0f0f0f0f0f"];
  for (let turn = 0; turn < 25; turn += 1)
    bench.sendNext({ phash: scenes[turn % 5] ?? mine }, { phash: scenes[Math.max(0, turn - 2) % 5] ?? mine });
  expect(rulesOf(bench)).toEqual([]);
  const still = new PictureBench({}, 0);
  still.send({ type: "viewed", isViewed: false });
  for (let turn = 0; turn < 9; turn += 1) still.sendNext(clean, { phash: theirs });
  expect(rulesOf(still)).toEqual([]);
});

test("[SAFE-511] compares frames that arrive after later requests", () => {
  const bench = new PictureBench({}, 0);
  for (let turn = 0; turn < 3; turn += 1) {
    bench.toNext();
    bench.answerReceived({ phash: theirs });
    const { pair = 0 } = bench.asked.findLast(({ view }) => view === "received") ?? {};
    bench.missNext();
    bench.toNext();
    bench.send({ type: "verdict", view: "own", pair, codes: false, verdict: verdictOf(clean, turn) });
    bench.answer(clean);
  }
  expect(rulesOf(bench)).toEqual(["views_differ"]);
});

test("[SAFE-511] shows and hides the video by received frames alone, and tells its owner nothing", () => {
  const bench = contradicted();
  expect([bench.shown, bench.own, meters(bench)]).toEqual(["clear", "clear", "shown"]);
  bench.sendNext(clean, { phash: theirs, explicit: 0.7 });
  expect([bench.shown, bench.own, meters(bench)]).toEqual(["hidden", "clear", "doubted"]);
  for (let turn = 0; turn < 5; turn += 1) bench.sendNext(clean, { phash: theirs, explicit: 0.7 });
  expect([bench.shown, bench.own]).toEqual(["hidden", "clear"]);
  for (let turn = 0; turn < 2; turn += 1) bench.sendNext(clean, { phash: theirs });
  expect([bench.shown, bench.own, meters(bench)]).toEqual(["clear", "clear", "shown"]);
});

test("[SAFE-511] suspends nobody and opens no other case by received frames", () => {
  const bench = contradicted();
  for (let turn = 0; turn < 30; turn += 1) {
    const says = turn % 3 === 0 ? { code: "https://t.me/x" } : { explicit: 0.99 };
    bench.sendNext(clean, { phash: theirs, ...says });
  }
  const notes = bench.effects("note").filter(({ rule }) => rule !== "frozen_picture");
  expect([rulesOf(bench), bench.effects("suspend"), bench.effects("code"), notes]).toEqual([
    ["views_differ"],
    [],
    [],
    [],
  ]);
  expect(bench.state.kind).toBe("watched");
});

test("[SAFE-511] hides video of which no received frame comes for 20 s, as in doubt", () => {
  const bench = contradicted();
  const fromMs = bench.nowMs;
  while (bench.shown === "clear") bench.sendNext(clean, null);
  expect(bench.nowMs - fromMs).toBeGreaterThanOrEqual(inspectionSettingsDefault.unjudgedHidesMs - 1_000);
  expect([bench.own, meters(bench)]).toEqual(["clear", "doubted"]);
  for (let turn = 0; turn < 40; turn += 1) bench.sendNext(clean, null);
  expect(bench.state.kind).toBe("watched");
  for (let turn = 0; turn < 3; turn += 1) bench.sendNext(clean, { phash: theirs });
  expect([bench.shown, bench.own]).toEqual(["clear", "clear"]);
});

test("[SAFE-511] goes on judging own frames, which may speak against their user", () => {
  const bench = contradicted();
  for (let turn = 0; turn < 3; turn += 1) bench.sendNext({ phash: mine, explicit: 0.95 }, { phash: theirs });
  expect(bench.effects("suspend")).toHaveLength(1);
  const other = contradicted();
  other.sendNext({ phash: mine, explicit: 0.95 }, null);
  for (let turn = 0; turn < 4; turn += 1) other.sendNext(clean, null);
  expect([other.shown, other.effects("suspend")]).toEqual(["hidden", []]);
  while (other.shown !== "clear") other.sendNext(clean, { phash: theirs });
});

test("[SAFE-512] begins by received frames alone for a user whom several partners contradicted", () => {
  const bench = new PictureBench();
  const known = { isNew: false, isWatched: false, startsCovered: true, isReceivedOnly: true, hintsAge: true };
  bench.send({ type: "restrictions", restrictions: known });
  bench.sendNext(clean, null);
  expect([bench.shown, bench.own, meters(bench)]).toEqual(["checking", "clear", "doubted"]);
  for (let turn = 0; turn < 3; turn += 1) bench.sendNext(clean, clean);
  expect([bench.shown, bench.own]).toEqual(["clear", "clear"]);
  bench.send({ type: "camera", isOn: false });
  bench.send({ type: "camera", isOn: true });
  bench.sendNext(clean, null);
  expect(bench.shown).toBe("checking");
  for (let turn = 0; turn < 3; turn += 1) bench.sendNext(clean, clean);
  expect([bench.shown, rulesOf(bench)]).toEqual(["clear", []]);
});

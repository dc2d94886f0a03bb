import { expect, test } from "vitest";
import { measure } from "#lib/picture-pixels.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { PictureBench } from "#test/fixtures/picture-bench.ts";
import { inspectionSettingsDefault } from "./inspection-settings.ts";
import { shownKindOf } from "./inspection-state.ts";

const frozen = { phash: "00000000000000aa" };

test("notes video that does not change once, without consequences in a dry run", () => {
  const bench = new PictureBench();
  for (let turn = 0; turn < 2; turn += 1) bench.sendNext(frozen);
  expect(bench.effects("note")).toEqual([]);
  for (let turn = 0; turn < 22; turn += 1) bench.sendNext(frozen);
  expect(bench.effects("note")).toEqual([{ type: "note", rule: "frozen_picture" }]);
  expect([bench.shown, bench.own]).toEqual(["clear", "clear"]);
});

test("[SAFE-522] tells of a screenshot within 40 s, then covers it and ends the call as for a dark picture", () => {
  const bench = new PictureBench({ stillActs: true });
  for (let turn = 0; turn < 3; turn += 1) bench.sendNext(frozen);
  expect(bench.nowMs).toBeLessThan(40_000);
  expect(bench.state).toMatchObject({ standsStill: true, dark: null });
  expect([bench.shown, bench.own]).toEqual(["clear", "still"]);
  expect(bench.state.kind === "watched" && shownKindOf(bench.state)).toBe("still");
  for (let turn = 0; turn < 3; turn += 1) bench.sendNext(frozen);
  const beganMs = bench.nowMs;
  while (bench.shown === "clear") bench.sendNext(frozen);
  expect(bench.nowMs - beganMs).toBeGreaterThanOrEqual(inspectionSettingsDefault.darkHidesMs - 12_000);
  expect([bench.shown, bench.own]).toEqual(["hidden", "still"]);
  while (bench.shown !== "ended") bench.sendNext(frozen);
  expect(bench.effects("end")).toEqual([{ type: "end", cause: "still" }]);
});

test("[SAFE-522] shows video again and lets the meter run as soon as it moves", () => {
  const bench = new PictureBench({ stillActs: true });
  for (let turn = 0; turn < 20; turn += 1) bench.sendNext(frozen);
  bench.sendNext({});
  expect([bench.shown, bench.own]).toEqual(["clear", "clear"]);
  expect(bench.state).toMatchObject({ standsStill: false, dark: null });
});

test("[SAFE-522] never counts a camera before a wall as still, because its noise changes each picture", () => {
  const bench = new PictureBench({ stillActs: true });
  const random = seededRandom(5);
  const wall = () => Uint8Array.from({ length: 160 * 120 * 3 }, () => 128 + random.integer(-2, 2));
  for (let turn = 0; turn < 40; turn += 1) {
    bench.sendNext(measure({ width: 160, height: 120, data: wall() }));
    expect(bench.state).toMatchObject({ standsStill: false });
  }
  expect(bench.effects("note")).toEqual([]);
});

const noFace = { faces: { presence: 0.4, face: null } };
const someFace = { faces: { presence: 0.6, face: null } };

test("looks for a face in one frame of six, and in each after one without", () => {
  const bench = new PictureBench({ readsFaces: true });
  const asked = Array.from({ length: 12 }, () => {
    bench.sendNext(someFace);
    return bench.question.faces;
  });
  expect(asked.filter(Boolean)).toHaveLength(2);
  for (let turn = 0; turn < 6; turn += 1) bench.sendNext(noFace);
  expect(bench.effects("empty")).toHaveLength(1);
  expect([bench.shown, bench.own]).toEqual(["clear", "clear"]);
});

test("looks for no face of a user whose country or settled age leaves them out", () => {
  const bench = new PictureBench({ readsFaces: true });
  const about = { isNew: false, isWatched: false, startsCovered: false, isReceivedOnly: false, hintsAge: false };
  bench.send({ type: "restrictions", restrictions: about });
  for (let turn = 0; turn < 12; turn += 1) {
    bench.sendNext({});
    expect(bench.question.faces).toBe(false);
  }
});

test("[SAFE-521] tells, covers and ends video in which three looks found nobody, and shows a returned user", () => {
  const bench = new PictureBench({ readsFaces: true, facesAct: true });
  for (let turn = 0; turn < 2; turn += 1) bench.sendNext(noFace);
  expect(bench.state).toMatchObject({ dark: null });
  bench.sendNext(noFace);
  expect(bench.state).toMatchObject({ dark: { cause: "nobody" } });
  for (let turn = 0; turn < 8; turn += 1) bench.sendNext(noFace);
  expect([bench.shown, bench.own]).toEqual(["clear", "nobody"]);
  while (bench.shown === "clear") bench.sendNext(noFace);
  bench.sendNext(someFace);
  expect([bench.shown, bench.own]).toEqual(["clear", "clear"]);
  while (bench.shown !== "ended") bench.sendNext(noFace);
  expect(bench.effects("end")).toEqual([{ type: "end", cause: "nobody" }]);
});

import { expect, test } from "vitest";
import type { FaceEstimate } from "#ports/frame-classifier.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { InspectionWorld } from "#test/fixtures/inspection-world.ts";
import { verdictOf } from "#test/fixtures/picture-bench.ts";
import { inspectionSettingsDefault } from "./inspection-settings.ts";
import { type AgeFinding, isLoop, SenderMemory, stepFaces } from "./sender-memory.ts";

const face = (years: number, change: Partial<FaceEstimate> = {}): FaceEstimate => ({
  years,
  under18: years < 18 ? 0.9 : 0.05,
  luma: 120,
  ...change,
});
const seen = (one: FaceEstimate | null, change = {}) =>
  verdictOf({ faces: { presence: 0.9, face: one }, ...change }, 1);

/** What these frames in turn lead to. */
function findingsOf(frames: readonly ReturnType<typeof seen>[]): AgeFinding["found"][] {
  let faces: readonly FaceEstimate[] = [];
  return frames.flatMap((frame) => {
    const step = stepFaces(faces, frame, inspectionSettingsDefault);
    faces = step.faces;
    return step.age ? [step.age.found] : [];
  });
}

test.each<[string, readonly FaceEstimate[], AgeFinding["found"]]>([
  ["a median below 18", [face(14), face(31), face(16)], "minor"],
  ["three probabilities above a half", [face(22, { under18: 0.6 }), face(21, { under18: 0.7 }), face(23)], "minor"],
  ["a median below 25", [face(22), face(24), face(40)], "young"],
  ["a median of an adult", [face(35), face(16), face(28)], "adult"],
])("takes %s for what it says", (_what, faces, found) => {
  expect(findingsOf(faces.map((one) => seen(one)))).toEqual([found]);
});

test("finds nothing in an honest adult's series with two bad frames", () => {
  const bad = [seen(face(9), { luma: 12 }), seen(face(11), { sharpness: 2 }), seen(face(8, { luma: 20 })), seen(null)];
  const series = [face(33), face(12), face(35), face(29), face(31), face(15)].map((one) => seen(one));
  expect(findingsOf(series.flatMap((one, index) => [one, ...bad.slice(index % 2, (index % 2) + 2)]))).toEqual([
    "adult",
    "adult",
  ]);
});

test("waits for three new faces after each estimate", () => {
  expect(findingsOf(Array.from({ length: 7 }, () => seen(face(14))))).toEqual(["minor", "minor"]);
});

test("remembers faces across calls, forgets them after an hour, and keeps users apart", () => {
  const clock = new TestClock();
  const memory = new SenderMemory({ clock, settings: inspectionSettingsDefault });
  const look = (userId: bigint) => memory.add(userId, seen(face(14))).age;
  expect([look(1n), look(1n), look(2n)]).toEqual([null, null, null]);
  clock.advance(3_600_000);
  expect([look(1n), look(1n)]).toEqual([null, null]);
  clock.advance(600_000);
  expect(look(1n)).toEqual({ found: "minor", years: 14 });
  expect(memory.ages).toEqual({ minor: 1, young: 0, adult: 0 });
});

test("forgets a face after an hour, also of a user whose frames keep arriving", () => {
  const clock = new TestClock();
  const memory = new SenderMemory({ clock, settings: inspectionSettingsDefault });
  const look = (one: FaceEstimate | null) => memory.add(1n, seen(one)).age;
  look(face(14));
  clock.advance(1_800_000);
  look(face(14));
  clock.advance(1_200_000);
  look(null);
  clock.advance(600_000);
  expect([look(face(14)), look(face(14)), look(face(14))?.found]).toEqual([null, null, "minor"]);
});

const [here, there, elsewhere] = ["00ff00ff00ff00ff", "ffff0000ffff0000", "0f0f0f0f0f0f0f0f"] as const;
const every10s = (hashes: readonly string[]) => hashes.map((phash, index) => ({ phash, atMs: 10_000 * index }));

test.each<[string, readonly string[], boolean]>([
  ["two scenes that return in order", [here, there, elsewhere, here, there], true],
  ["a returning scene alone", [here, there, elsewhere, here, elsewhere], false],
  ["scenes that return in another order", [here, there, elsewhere, there, here], false],
  ["a user who sits still", [here, here, here, here, here, here], false],
  ["two frames alone", [here, there], false],
])("sees in %s whether it is a recording", (_what, hashes, expected) => {
  expect(isLoop(every10s(hashes))).toBe(expected);
});

test("sees a recording only in scenes from 30 s ago or more", () => {
  const fast = every10s([here, there, elsewhere, here, there]).map(({ phash, atMs }) => ({ phash, atMs: atMs / 2 }));
  expect(isLoop(fast)).toBe(false);
});

/** Sends a user's frames for some minutes, as they would come from one search or call. */
async function send(world: InspectionWorld, verdict: object, minutes = 6): Promise<void> {
  await world.inCall(1n, 2n);
  await world.pass(minutes * 60_000, new Map([[1n, verdict]]));
}

const child = { faces: { presence: 0.9, face: face(14.2) } };

test("[SAFE-520] hands a hint with the evidence of the call to moderation", async () => {
  await using world = new InspectionWorld({ settings: { readsFaces: true, facesAct: true } });
  await send(world, child);
  await world.inspection.settled();
  const [hint] = world.moderation.hinted;
  expect(hint).toMatchObject({ subjectId: 1n, years: 14.2, isMinor: true, callId: expect.any(String) });
  expect(hint?.evidence.length).toBeGreaterThan(0);
});

test("[SAFE-520] only counts hints in shadow mode", async () => {
  await using world = new InspectionWorld({ settings: { readsFaces: true } });
  await send(world, child);
  await world.inspection.settled();
  expect(world.moderation.hinted).toEqual([]);
  expect(world.inspection.figures.ages.minor).toBeGreaterThan(0);
});

test("[SAFE-520] counts the first look of each search", async () => {
  await using world = new InspectionWorld({ settings: { readsFaces: true, facesAct: true } });
  await world.arrive(1n);
  for (let search = 0; search < 3; search += 1) {
    await world.search(1n);
    await world.pass(2_000, new Map([[1n, child]]));
    world.matches.stop(1n);
    world.inspection.search.gone(1n);
  }
  await world.inspection.settled();
  expect(world.moderation.hinted).toMatchObject([{ subjectId: 1n, callId: null, evidence: [] }]);
});

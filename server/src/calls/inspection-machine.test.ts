import { expect, test } from "vitest";
import type { FrameVerdict } from "#ports/frame-classifier.ts";
import { type Shown, PictureBench } from "#test/fixtures/picture-bench.ts";
import { inspectionSettingsDefault } from "./inspection-settings.ts";
import { type Phase, shownKindOf } from "./inspection-state.ts";

/** Sends these frames in turn, and returns what the partner saw after each. */
function shownAfter(bench: PictureBench, scores: readonly (number | Partial<FrameVerdict>)[]): Shown[] {
  return scores.map((score) => {
    bench.sendNext(typeof score === "number" ? { explicit: score } : score);
    return bench.shown;
  });
}

test("[SAFE-1] the first picture is asked for at once, the next ones every 10 s, give or take 2 s", () => {
  const bench = new PictureBench();
  bench.run(0);
  expect(bench.asked).toMatchObject([{ view: "own", dueInMs: 0 }]);
  const times = Array.from({ length: 50 }, () => {
    bench.sendNext({});
    return bench.nowMs;
  });
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8_000);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(12_000);
  expect(new Set(gaps).size).toBeGreaterThan(10);
});

test("on one turn of three the other end is asked for the same moment", () => {
  const bench = new PictureBench();
  for (let turn = 0; turn < 9; turn += 1) bench.sendNext({});
  const received = bench.asked.filter(({ view }) => view === "received");
  expect(received).toHaveLength(3);
  for (const { pair, dueInMs } of received) {
    expect(bench.asked).toContainEqual(expect.objectContaining({ view: "own", pair, dueInMs }));
  }
});

test("what opened clear is first looked at when it is said, from both ends, for the same moment", () => {
  const bench = new PictureBench({}, 1_200);
  expect(bench.shown).toBe("clear");
  bench.run(1_199);
  expect(bench.asked).toEqual([]);
  bench.run(1);
  const { leadMs } = inspectionSettingsDefault;
  expect(bench.asked).toMatchObject([
    { view: "own", dueInMs: leadMs, pair: 1 },
    { view: "received", dueInMs: leadMs, pair: 1 },
  ]);
});

test("what opened clear and was not looked at in the call yet is covered by the first look that does not pass", () => {
  const dark = new PictureBench({}, 0);
  expect(shownAfter(dark, [{ luma: 3 }, 0.1, { luma: 3 }])).toEqual(["checking", "clear", "clear"]);
  const missed = new PictureBench({}, 0);
  missed.missNext();
  expect(missed.shown).toBe("checking");
  const busy = new PictureBench({}, 0);
  busy.toNext();
  busy.send({ type: "arrived", view: "own", isLate: false });
  busy.send({ type: "unjudged", view: "own" });
  expect([busy.shown, busy.dueInMs]).toEqual(["clear", inspectionSettingsDefault.blindRetryMs]);
});

test("the first picture that passes is told, once a call", () => {
  const bench = new PictureBench();
  shownAfter(bench, [0.7, { luma: 3 }]);
  expect(bench.effects("passed")).toEqual([]);
  shownAfter(bench, [0.1, 0.1, 0.1, 0.7, 0.1, 0.1]);
  expect(bench.effects("passed")).toHaveLength(1);
});

test("[SAFE-10] one clean picture shows the picture", () => {
  const bench = new PictureBench();
  expect(bench.shown).toBe("checking");
  expect(shownAfter(bench, [0.59])).toEqual(["clear"]);
});

test("[SAFE-11] an unsure picture is hidden at once, and two clean ones of the next four show it again", () => {
  const bench = new PictureBench();
  expect(shownAfter(bench, [0.1, 0.7])).toEqual(["clear", "hidden"]);
  expect([bench.own, bench.dueInMs]).toEqual(["warned", inspectionSettingsDefault.unsureRetryMs]);
  expect(shownAfter(bench, [0.7, 0.2, 0.7, 0.2])).toEqual(["hidden", "hidden", "hidden", "clear"]);
  expect(bench.effects("case")).toEqual([]);
});

test("[SAFE-11] three explicit ones of the next four keep it hidden, and a moderator sees it; the call goes on", () => {
  const bench = new PictureBench();
  shownAfter(bench, [0.1, 0.7, 0.7, 0.2, 0.7, 0.7]);
  expect(bench.effects("case")).toEqual([{ type: "case", rule: "explicit_picture", explicit: 0.7, isShadow: false }]);
  expect(shownAfter(bench, [0.2, 0.2, 0.7, 0.2, 0.2, 0.2])).toEqual([...Array<Shown>(5).fill("hidden"), "clear"]);
  expect(bench.effects("case")).toHaveLength(1);
  expect([...bench.effects("suspend"), ...bench.effects("end")]).toEqual([]);
});

test("[SAFE-12] two sure pictures of a burst of three suspend, and one does not", () => {
  const bench = new PictureBench();
  expect(shownAfter(bench, [0.1, 0.9])).toEqual(["clear", "hidden"]);
  expect(bench.dueInMs).toBe(inspectionSettingsDefault.burstRetryMs);
  expect(shownAfter(bench, [0.9, 0.3, 0.1])).toEqual(["hidden", "hidden", "clear"]);
  expect(bench.effects("suspend")).toEqual([]);
  expect(bench.effects("note")).toEqual([{ type: "note", rule: "explicit_picture" }]);
  shownAfter(bench, [0.9, 0.85, 0.2]);
  expect(bench.effects("suspend")).toEqual([]);
  bench.sendNext({ explicit: 0.82 });
  expect(bench.effects("suspend")).toEqual([{ type: "suspend", explicit: 0.82 }]);
  expect(bench.state.kind).toBe("ended");
});

test("[SAFE-12] continues a burst for a user who covers the camera in the middle of it", () => {
  const bench = new PictureBench();
  expect(shownAfter(bench, [0.1, 0.9, { luma: 5 }, { luma: 5 }, { luma: 5 }, 0.9, 0.9]).at(-1)).toBe("ended");
  expect(bench.effects("suspend")).toHaveLength(1);
});

test("[SAFE-12] after a burst that was not sure an unsure picture stays hidden", () => {
  const bench = new PictureBench();
  expect(shownAfter(bench, [0.9, 0.7, 0.7, 0.2, 0.2])).toEqual([...Array<Shown>(4).fill("hidden"), "clear"]);
});

test("in shadow mode a sure picture is hidden and a moderator sees it; nobody is suspended", () => {
  const bench = new PictureBench({ isShadow: true });
  expect(shownAfter(bench, [0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9])).toEqual(Array(7).fill("hidden"));
  expect(bench.effects("case")).toEqual([
    { type: "case", rule: "explicit_picture_sure", explicit: 0.9, isShadow: true },
  ]);
  expect(bench.effects("suspend")).toEqual([]);
});

test("[SAFE-14] dark and blurred pictures, drawings and the other end's view hide, and never suspend", () => {
  const drawn = { mobilenet: { drawing: 0, hentai: 0.7, neutral: 0.1, porn: 0.2, sexy: 0 } };
  for (const poor of [{ luma: 29 }, { sharpness: 1 }, { scores: drawn }]) {
    const bench = new PictureBench();
    const explicit = Array.from({ length: 12 }, () => ({ explicit: 0.95, ...poor }));
    expect(shownAfter(bench, explicit)).toEqual(Array(12).fill("hidden"));
    expect(bench.effects("suspend")).toEqual([]);
    expect(shownAfter(bench, [0.1, 0.1, 0.1]).at(-1)).toBe("clear");
  }
  const bench = new PictureBench();
  for (let turn = 0; turn < 30; turn += 1) bench.sendNext({ explicit: 0.1 }, { explicit: 0.95 });
  expect(bench.effects("suspend")).toEqual([]);
  expect(bench.history).toContain("hidden");
});

test("[SAFE-15] tells of a dark picture after a minute, hides it for 30 s, and ends the call after three minutes without a strike", () => {
  const bench = new PictureBench();
  bench.sendNext({ luma: 5 });
  expect([bench.shown, bench.own]).toEqual(["checking", "covered"]);
  bench.sendNext({});
  expect([bench.shown, bench.own]).toEqual(["clear", "clear"]);
  bench.sendNext({ luma: 5 });
  const startMs = bench.nowMs;
  const at = new Map<string, number>();
  while (bench.state.kind === "watched") {
    bench.sendNext({ luma: 5 });
    const told = [bench.own, bench.shown, ...(bench.endsInMs === null ? [] : ["countdown"])];
    for (const each of told) if (!at.has(each)) at.set(each, bench.nowMs - startMs);
  }
  const [toldMs, hiddenMs, countdownMs] = [at.get("covered"), at.get("hidden"), at.get("countdown")];
  expect(toldMs).toBeGreaterThanOrEqual(60_000);
  expect(toldMs).toBeLessThan(70_000);
  expect(hiddenMs).toBeGreaterThanOrEqual(150_000);
  expect(hiddenMs).toBeLessThan(160_000);
  expect(countdownMs).toBeGreaterThanOrEqual(170_000);
  expect(bench.nowMs - startMs).toBe(180_000);
  expect(bench.effects("end")).toEqual([{ type: "end", cause: "black" }]);
  expect([...bench.effects("suspend"), ...bench.effects("case"), ...bench.effects("note")]).toEqual([]);
});

test("names a dark picture covered where a little light and no contour is left, and black otherwise", () => {
  const causeOf = (picture: Partial<FrameVerdict>) => {
    const bench = new PictureBench();
    while (bench.state.kind === "watched") bench.sendNext({ luma: 5, ...picture });
    return bench.effects("end").map(({ cause }) => cause);
  };
  expect(causeOf({ luma: 20, sharpness: 2 })).toEqual(["covered"]);
  expect(causeOf({ luma: 20, sharpness: 40 })).toEqual(["black"]);
  expect(causeOf({ luma: 2, sharpness: 1 })).toEqual(["black"]);
});

test("ends no call over a dark picture while no frame is judged", () => {
  const bench = new PictureBench();
  bench.sendNext({});
  for (let turn = 0; turn < 55; turn += 1) bench.sendNext({ luma: 5 });
  expect(bench.own).toBe("covered");
  for (let turn = 0; turn < 60; turn += 1) bench.sendUnjudged();
  expect([bench.state.kind, bench.why]).toEqual(["watched", undefined]);
  bench.sendNext({});
  expect([bench.shown, bench.own]).toEqual(["clear", "clear"]);
});

test("[SAFE-16] hides a picture of which no frame arrives for 15 s, and ends the call after 45 s without a strike", () => {
  const bench = new PictureBench();
  bench.sendNext({});
  bench.sendNext({});
  bench.toNext();
  // Within the last 20 s a received frame was judged.
  for (let second = 0; second < 14; second += 1) {
    bench.answerReceived({});
    bench.run(1_000);
  }
  bench.run(999);
  expect([bench.shown, bench.own]).toEqual(["clear", "clear"]);
  bench.run(1);
  expect([bench.shown, bench.own, bench.why]).toEqual(["hidden", "missing", "weak"]);
  bench.run(19_999);
  expect(bench.endsInMs).toBeNull();
  bench.run(1);
  expect(bench.endsInMs).toBe(10_000);
  bench.run(9_999);
  expect([bench.state.kind, bench.endsInMs]).toEqual(["watched", 1]);
  bench.run(1);
  expect(bench.effects("end")).toEqual([{ type: "end", cause: "none" }]);
  expect(bench.effects("note")).toEqual([{ type: "note", rule: "missing_frames" }]);
  expect(bench.effects("suspend")).toEqual([]);
});

test("[SAFE-500] takes the end back where a frame arrives in the last second, and shows the picture once one is clean", () => {
  const bench = new PictureBench();
  bench.sendNext({});
  bench.toNext();
  bench.run(44_500);
  expect(bench.endsInMs).toBe(500);
  bench.send({ type: "arrived", view: "own", isLate: true });
  expect(bench.endsInMs).toBeNull();
  bench.run(60_000);
  expect(bench.state.kind).toBe("watched");
  bench.answerLate({});
  expect([bench.shown, bench.own, bench.why]).toEqual(["clear", "clear", undefined]);
});

test("[SAFE-500] never counts a frame that came too late, or that we could not judge, towards an end", () => {
  const events = [
    ["late", (bench: PictureBench) => bench.missLate(), "weak"],
    ["failed", (bench: PictureBench) => bench.missFailing(), "busy"],
    ["unjudged", (bench: PictureBench) => bench.sendUnjudged(), "busy"],
    ["overtaken", (bench: PictureBench) => bench.overtake(), "busy"],
  ] as const;
  for (const [what, happen, why] of events) {
    const bench = new PictureBench();
    bench.sendNext({});
    for (let turn = 0; turn < 60; turn += 1) {
      bench.toNext();
      happen(bench);
    }
    expect([what, bench.state.kind, bench.shown, bench.why]).toEqual([what, "watched", "hidden", why]);
    expect([...bench.effects("note"), ...bench.effects("end")]).toEqual([]);
    bench.sendNext({});
    expect([what, bench.shown]).toEqual([what, "clear"]);
  }
});

test("names the end by what became of the frames since the last one that was judged", () => {
  const causeAfter = (happen: (bench: PictureBench) => void) => {
    const bench = new PictureBench();
    bench.sendNext({});
    bench.toNext();
    happen(bench);
    bench.run(120_000);
    return bench.effects("end").map(({ cause }) => cause);
  };
  expect(causeAfter(() => undefined)).toEqual(["none"]);
  expect(causeAfter((bench) => bench.send({ type: "late" }))).toEqual(["late"]);
  expect(causeAfter((bench) => bench.missFailing())).toEqual(["ours"]);
  expect(
    causeAfter((bench) => {
      bench.send({ type: "late" });
      bench.answerLate({});
    }),
  ).toEqual(["none"]);
});

test.each([
  ["the camera is off", { type: "camera", isOn: false }, { type: "camera", isOn: true }],
  ["the socket is lost", { type: "socket", isConnected: false }, { type: "socket", isConnected: true }],
  ["the partner's page plays nothing", { type: "viewed", isViewed: false }, { type: "viewed", isViewed: true }],
] as const)("does not end a call while %s, and leaves 15 s for a frame afterwards", (_, stop, goOn) => {
  const bench = new PictureBench();
  bench.sendNext({});
  bench.toNext();
  bench.run(44_000);
  bench.send(stop);
  expect(bench.endsInMs).toBeNull();
  bench.run(300_000);
  expect(bench.state.kind).toBe("watched");
  bench.send(goOn);
  bench.run(14_999);
  expect(bench.state.kind).toBe("watched");
  bench.run(1_000);
  expect(bench.state.kind).toBe("ended");
});

test("counts what the partner received as a look where the own frames come too late, and shows nothing by it", () => {
  const run = (sendsReceived: boolean) => {
    const bench = new PictureBench();
    bench.sendNext({});
    for (let turn = 0; turn < 12; turn += 1) {
      bench.toNext();
      if (sendsReceived) bench.answerReceived({});
      bench.missLate();
    }
    return bench;
  };
  expect(run(false).shown).toBe("hidden");
  const stoodIn = run(true);
  expect(stoodIn.shown).toBe("clear");
  // On each turn except the first, on which no frame was missing yet.
  expect(stoodIn.asked.filter(({ view }) => view === "received").length).toBeGreaterThanOrEqual(11);
  stoodIn.run(30_000);
  expect(stoodIn.shown).toBe("hidden");
  stoodIn.answerReceived({});
  expect(stoodIn.shown).toBe("hidden");
});

test("[SAFE-16] what the other end does not send is not missed", () => {
  const bench = new PictureBench();
  for (let turn = 0; turn < 12; turn += 1) bench.sendNext({}, null);
  expect(new Set(bench.history)).toEqual(new Set(["checking", "clear"]));
});

test("what cannot be read leaves the ticket open, and is no frame: the call ends as without any", () => {
  const bench = new PictureBench();
  bench.sendNext({});
  bench.sendUnreadable();
  bench.sendUnreadable();
  bench.answer({});
  expect([bench.shown, bench.effects("missed")]).toEqual(["clear", []]);
  bench.toNext();
  const startMs = bench.nowMs;
  let endMs = 0;
  bench.onStep = ({ effects }) => {
    if (effects.some(({ type }) => type === "end")) endMs = bench.nowMs;
  };
  while (bench.state.kind === "watched" && bench.nowMs - startMs < 120_000) {
    bench.sendUnreadable();
    bench.missNext();
  }
  expect(endMs - startMs).toBe(45_000);
  expect(bench.effects("end")).toEqual([{ type: "end", cause: "none" }]);
});

test("a code in the picture hides it for 10 s, counts once, and shows again when it is gone", () => {
  const bench = new PictureBench();
  bench.sendNext({});
  while (!bench.question.codes) bench.sendNext({});
  bench.answer({ code: "https://t.me/x" });
  expect([bench.shown, bench.own, bench.dueInMs]).toEqual(["hidden", "warned", 10_000]);
  bench.sendNext({ code: "https://t.me/x" });
  expect(bench.shown).toBe("hidden");
  bench.sendNext({});
  expect(bench.shown).toBe("clear");
  expect(bench.effects("code")).toHaveLength(1);
});

test("[SAFE-20] a camera that was off is looked at before the other sees it again", () => {
  const bench = new PictureBench();
  bench.sendNext({});
  bench.send({ type: "camera", isOn: false });
  expect(bench.shown).toBe("checking");
  bench.run(120_000);
  expect(bench.state.kind).toBe("watched");
  bench.send({ type: "camera", isOn: true });
  expect([bench.shown, bench.dueInMs]).toEqual(["checking", 0]);
  bench.sendNext({});
  expect(bench.shown).toBe("clear");
});

test("what a page shows that has come back is looked at before the other sees it; what was hidden stays hidden", () => {
  const bench = new PictureBench();
  bench.sendNext({});
  bench.send({ type: "page_back" });
  expect([bench.shown, bench.dueInMs]).toEqual(["checking", 0]);
  bench.sendNext({});
  expect(shownAfter(bench, [0.7])).toEqual(["hidden"]);
  bench.send({ type: "page_back" });
  expect(bench.shown).toBe("hidden");
});

test("[SAFE-21] covers every picture that was not judged for 20 s while nothing can judge, and ends no call", () => {
  const trusted = new PictureBench();
  trusted.sendNext({});
  trusted.send({
    type: "restrictions",
    restrictions: { isNew: false, isWatched: false, startsCovered: false, isReceivedOnly: false, hintsAge: true },
  });
  const [lookedMs, asked] = [trusted.nowMs, trusted.asked.length];
  trusted.isReady = false;
  trusted.run(19_999);
  expect(trusted.shown).toBe("clear");
  trusted.run(1);
  expect([trusted.shown, trusted.why, trusted.nowMs - lookedMs]).toEqual(["hidden", "busy", 20_000]);
  trusted.run(600_000);
  expect([trusted.state.kind, trusted.asked.length]).toEqual(["watched", asked]);
  trusted.isReady = true;
  trusted.run(2_000);
  expect(trusted.asked.length).toBeGreaterThan(asked);
  trusted.answer({});
  expect([trusted.shown, trusted.why]).toEqual(["clear", undefined]);
  const fresh = new PictureBench();
  fresh.isReady = false;
  fresh.run(0);
  expect([fresh.shown, fresh.why]).toEqual(["checking", "busy"]);
  fresh.run(600_000);
  expect([fresh.shown, fresh.why]).toEqual(["hidden", "busy"]);
  const hidden = new PictureBench();
  shownAfter(hidden, [0.1, 0.7]);
  hidden.isReady = false;
  hidden.run(600_000);
  expect([hidden.shown, hidden.why]).toEqual(["hidden", undefined]);
});

/** A call after its first 30 s, by default of an account that is neither new nor flagged. */
function settledBench(restrictions: { isNew?: boolean; isWatched?: boolean } = {}): PictureBench {
  const bench = new PictureBench();
  const about = {
    isNew: false,
    isWatched: false,
    startsCovered: false,
    isReceivedOnly: false,
    hintsAge: true,
    ...restrictions,
  };
  bench.send({ type: "restrictions", restrictions: about });
  while (bench.nowMs < 31_000) bench.sendNext({});
  return bench;
}

/** Milliseconds between the next requests for frames. */
function gapsOf(bench: PictureBench, looks: number): number[] {
  bench.sendNext({});
  return Array.from({ length: looks }, () => {
    const beforeMs = bench.nowMs;
    bench.sendNext({});
    return bench.nowMs - beforeMs;
  });
}

test("puts looks off in overload alone, at random moments less than 20 s apart, and asks no other end meanwhile", () => {
  const bench = settledBench();
  expect(Math.max(...gapsOf(bench, 20))).toBeLessThanOrEqual(12_000);
  expect(bench.effects("put_off")).toEqual([]);
  bench.isOverloaded = true;
  const asked = bench.asked.length;
  const gaps = gapsOf(bench, 40);
  expect(Math.min(...gaps.slice(1))).toBeGreaterThanOrEqual(14_000);
  expect(Math.max(...gaps)).toBeLessThan(20_000);
  expect(new Set(gaps).size).toBeGreaterThan(10);
  expect(bench.effects("put_off").length).toBeGreaterThanOrEqual(40);
  expect(bench.asked.slice(asked).filter(({ view }) => view === "received")).toEqual([]);
  expect(bench.shown).toBe("clear");
  bench.isOverloaded = false;
  const putOff = bench.effects("put_off").length;
  expect(Math.max(...gapsOf(bench, 10).slice(1))).toBeLessThanOrEqual(12_000);
  expect(bench.effects("put_off")).toHaveLength(putOff);
});

test("puts no look off in the first 30 s of a call, nor of new and flagged accounts", () => {
  const first = new PictureBench();
  first.send({
    type: "restrictions",
    restrictions: { isNew: false, isWatched: false, startsCovered: false, isReceivedOnly: false, hintsAge: true },
  });
  first.isOverloaded = true;
  while (first.nowMs + 12_000 < 30_000) first.sendNext({});
  expect(first.effects("put_off")).toEqual([]);
  for (const restrictions of [{ isNew: true }, { isWatched: true }]) {
    const bench = settledBench(restrictions);
    bench.isOverloaded = true;
    expect(Math.max(...gapsOf(bench, 10))).toBeLessThanOrEqual(12_000);
    expect(bench.effects("put_off")).toEqual([]);
  }
});

test.each([
  ["a report", (bench: PictureBench) => bench.send({ type: "wanted" })],
  ["a dark frame", (bench: PictureBench) => bench.sendNext({ luma: 5 })],
  ["a jump of the perceptual hash", (bench: PictureBench) => bench.sendNext({ phash: "ffffffffffffffff" })],
])("restores the full rate in overload for 30 s after %s", (_, happen) => {
  const bench = settledBench();
  bench.isOverloaded = true;
  gapsOf(bench, 3);
  happen(bench);
  const putOff = bench.effects("put_off").length;
  const untilMs = bench.nowMs + 29_000;
  expect(bench.dueInMs).toBeLessThanOrEqual(10_000);
  while (bench.nowMs + 12_000 < untilMs) bench.sendNext({ phash: "fffffffffffffff0" });
  expect(bench.effects("put_off")).toHaveLength(putOff);
  while (bench.nowMs < untilMs + 40_000) bench.sendNext({ phash: "fffffffffffffff0" });
  expect(bench.effects("put_off").length).toBeGreaterThan(putOff);
});

test("a frame that we had no time for is asked for again, the second time later, of new and watched people soon", () => {
  const gapsAfterBusy = (restrictions: { isNew: boolean; isWatched: boolean }) => {
    const bench = new PictureBench();
    bench.send({
      type: "restrictions",
      restrictions: { ...restrictions, startsCovered: false, isReceivedOnly: false, hintsAge: true },
    });
    bench.sendNext({});
    return [1, 2].map(() => {
      bench.sendUnjudged();
      return bench.dueInMs;
    });
  };
  const { unjudgedRetryMs, busyMs, blindRetryMs } = inspectionSettingsDefault;
  expect(gapsAfterBusy({ isNew: false, isWatched: false })[0]).toBe(unjudgedRetryMs);
  expect(gapsAfterBusy({ isNew: false, isWatched: false })[1]).toBeLessThanOrEqual(busyMs);
  expect(gapsAfterBusy({ isNew: true, isWatched: false })).toEqual([blindRetryMs, blindRetryMs]);
  expect(gapsAfterBusy({ isNew: false, isWatched: true })).toEqual([blindRetryMs, blindRetryMs]);
});

test("[SAFE-506] stops the viewer's clock for good where no own frame follows on a doubt that only the viewer raised", () => {
  const bench = new PictureBench({}, 0);
  bench.toNext();
  bench.answer({});
  bench.answerReceived({ explicit: 0.95 });
  expect(shownKindOf(bench.state)).toBe("doubted");
  bench.run(20_000);
  expect([shownKindOf(bench.state), bench.shown]).toEqual(["hidden", "hidden"]);
});

test("[SAFE-506] stops the clock of the viewer after the camera is back, until a frame passes", () => {
  const bench = new PictureBench();
  bench.sendNext({});
  // If a covered camera is switched off and on, neither the dark clock nor the one for missing verdicts runs out.
  for (let times = 0; times < 10; times += 1) {
    bench.send({ type: "camera", isOn: false });
    bench.send({ type: "camera", isOn: true });
    bench.sendNext({ luma: 3 });
    bench.run(5_000);
    expect([bench.shown, shownKindOf(bench.state)]).toEqual(["checking", "hidden"]);
  }
  bench.sendNext({});
  expect([bench.shown, shownKindOf(bench.state)]).toEqual(["clear", "shown"]);
});

test("[SAFE-506] stops the clock of the viewer in every phase but a clear one", () => {
  const kindIn = (phase: Phase) => {
    const { state } = new PictureBench();
    return state.kind === "watched" ? shownKindOf({ ...state, phase }) : null;
  };
  const doubt = { kind: "unsure", over: 0, under: 0, isReported: false } as const;
  expect(kindIn({ kind: "clear" })).toBe("shown");
  expect(kindIn({ ...doubt, isConfirmed: false })).toBe("doubted");
  const hidden: Phase[] = [
    { kind: "checking" },
    { ...doubt, isConfirmed: true },
    { kind: "sure", sure: 0, other: 0 },
    { kind: "code", untilMs: 1 },
    { kind: "unseen", of: "looks" },
    { kind: "unseen", of: "dark" },
  ];
  expect(hidden.map(kindIn)).toEqual(hidden.map(() => "hidden"));
});

test("who is looked at more closely: all models, and who comes first", () => {
  const questionOf = (restrictions: { isNew: boolean; isWatched: boolean }, scores: number[]) => {
    const bench = new PictureBench();
    bench.send({
      type: "restrictions",
      restrictions: { ...restrictions, startsCovered: false, isReceivedOnly: false, hintsAge: true },
    });
    shownAfter(bench, scores);
    bench.toNext();
    return bench.question;
  };
  const [nobody, fresh, watched] = [
    { isNew: false, isWatched: false },
    { isNew: true, isWatched: false },
    { isNew: false, isWatched: true },
  ];
  expect(questionOf(nobody, [])).toMatchObject({ depth: "cascade", codes: true, priority: 2 });
  expect(questionOf(fresh, [])).toMatchObject({ depth: "all", codes: true, priority: 1 });
  expect(questionOf(fresh, [0.1])).toMatchObject({ depth: "cascade", codes: false, priority: 1 });
  expect(questionOf(watched, [0.1])).toMatchObject({ depth: "all", codes: false, priority: 0 });
  expect(questionOf(nobody, [0.7])).toMatchObject({ depth: "all", codes: false, priority: 0 });
});

test("a report asks both ends for one more picture at once", () => {
  const bench = new PictureBench();
  bench.sendNext({});
  bench.send({ type: "wanted" });
  bench.run(0);
  expect(bench.asked.slice(1).map(({ view }) => view)).toEqual(["own", "received"]);
});

test("[SAFE-510] software suspends only with the agreement of open_nsfw, which alone hides but never suspends", () => {
  const sure = { explicit: 0.9 };
  const deciding = () => new PictureBench({ openNsfwDecides: true });
  const ends = (bench: PictureBench, verdict: Partial<FrameVerdict>) =>
    shownAfter(bench, [0.02, verdict, verdict, verdict, verdict]).at(-1);
  expect(ends(deciding(), { ...sure, openNsfw: 0.2 })).toBe("ended");
  expect(ends(deciding(), { ...sure, openNsfw: 0.19 })).toBe("hidden");
  expect(ends(deciding(), sure)).toBe("hidden");
  const alone = deciding();
  expect(shownAfter(alone, [0.02, { openNsfw: 0.79 }, { openNsfw: 0.8 }])).toEqual(["clear", "clear", "hidden"]);
  expect(shownAfter(alone, [{ openNsfw: 0.9 }, { openNsfw: 0.9 }, { openNsfw: 0.9 }]).at(-1)).toBe("hidden");
  expect(alone.happened).toContainEqual(expect.objectContaining({ type: "case", rule: "explicit_picture" }));
});

test("[SAFE-510] open_nsfw in shadow mode decides nothing", () => {
  const bench = new PictureBench();
  expect(shownAfter(bench, [{ openNsfw: 1 }, { openNsfw: 1 }])).toEqual(["clear", "clear"]);
  expect(
    shownAfter(
      bench,
      [0.9, 0.9, 0.9, 0.9].map((explicit) => ({ explicit, openNsfw: 0 })),
    ).at(-1),
  ).toBe("ended");
});

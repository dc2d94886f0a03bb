import { expect, test } from "vitest";
import type { FrameVerdict } from "#ports/frame-classifier.ts";
import { type Shown, PictureBench } from "#test/fixtures/picture-bench.ts";
import { inspectionSettingsDefault } from "./inspection-settings.ts";

/** Shows these pictures one after the other, and answers what the other saw after each. */
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

test("[SAFE-2] on one turn of three the other end is asked for the same moment", () => {
  const bench = new PictureBench();
  for (let turn = 0; turn < 9; turn += 1) bench.sendNext({});
  const received = bench.asked.filter(({ view }) => view === "received");
  expect(received).toHaveLength(3);
  for (const { pair, dueInMs } of received) {
    expect(bench.asked).toContainEqual(expect.objectContaining({ view: "own", pair, dueInMs }));
  }
});

test("[SAFE-83] what opened clear is first looked at when it is said, from both ends, for the same moment", () => {
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

test("[SAFE-89] what opened clear and was not looked at in the call yet is covered by the first look that does not pass", () => {
  const dark = new PictureBench({}, 0);
  expect(shownAfter(dark, [{ luma: 3 }, 0.1, { luma: 3 }])).toEqual(["checking", "clear", "clear"]);
  const missed = new PictureBench({}, 0);
  missed.missNext();
  expect(missed.shown).toBe("checking");
  const busy = new PictureBench({}, 0);
  busy.toNext();
  busy.send({ type: "arrived", view: "own" });
  busy.send({ type: "unjudged", view: "own" });
  expect([busy.shown, busy.dueInMs]).toEqual(["clear", inspectionSettingsDefault.blindRetryMs]);
});

test("[SAFE-92] the first picture that passes is told, once a call", () => {
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

test("[SAFE-12] whoever covers the camera in the middle of a burst does not get out of it", () => {
  const bench = new PictureBench();
  expect(shownAfter(bench, [0.1, 0.9, { luma: 5 }, { luma: 5 }, { luma: 5 }, 0.9, 0.9]).at(-1)).toBe("ended");
  expect(bench.effects("suspend")).toHaveLength(1);
});

test("[SAFE-12] after a burst that was not sure an unsure picture stays hidden", () => {
  const bench = new PictureBench();
  expect(shownAfter(bench, [0.9, 0.7, 0.7, 0.2, 0.2])).toEqual([...Array<Shown>(4).fill("hidden"), "clear"]);
});

test("[SAFE-13] in shadow mode a sure picture is hidden and a moderator sees it; nobody is suspended", () => {
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

test("[SAFE-15] a dark picture shows nothing and is told; after the third minute of it the call ends without a strike", () => {
  const bench = new PictureBench();
  bench.sendNext({ luma: 5 });
  expect([bench.shown, bench.own]).toEqual(["checking", "covered"]);
  bench.sendNext({});
  expect([bench.shown, bench.own]).toEqual(["clear", "clear"]);
  const startMs = bench.nowMs;
  const told = new Map<string, number>();
  while (bench.state.kind === "watched") {
    bench.sendNext({ luma: 5 });
    if (!told.has(bench.own)) told.set(bench.own, bench.nowMs - startMs);
  }
  expect(told.get("clear")).toBeLessThan(20_000);
  expect(told.get("covered")).toBeGreaterThanOrEqual(60_000);
  expect(bench.nowMs - startMs).toBeGreaterThanOrEqual(180_000);
  expect(bench.nowMs - startMs).toBeLessThan(210_000);
  expect(bench.effects("end")).toHaveLength(1);
  expect([...bench.effects("suspend"), ...bench.effects("case")]).toEqual([]);
});

test("[SAFE-16] two pictures missed in a row hide, the third ends the call without a strike", () => {
  const bench = new PictureBench();
  bench.sendNext({});
  bench.missNext();
  expect([bench.shown, bench.own]).toEqual(["clear", "clear"]);
  bench.missNext();
  expect([bench.shown, bench.own]).toEqual(["hidden", "missing"]);
  bench.sendNext({ luma: 3 });
  expect(bench.shown).toBe("hidden");
  bench.sendNext({});
  expect(bench.shown).toBe("clear");
  for (let times = 0; times < 3; times += 1) bench.missNext();
  expect(bench.effects("end")).toHaveLength(1);
  expect(bench.effects("note")).toEqual([{ type: "note", rule: "missing_frames" }]);
});

test("[PEER-22] pictures that are lost between servers hide and end as those that are missed, and nothing is noted of anybody", () => {
  const lose = (bench: PictureBench) => {
    bench.toNext();
    bench.send({ type: "lost", view: "own" });
  };
  const untried = new PictureBench({}, 0);
  lose(untried);
  expect(untried.shown).toBe("checking");
  const bench = new PictureBench();
  bench.sendNext({});
  lose(bench);
  expect([bench.shown, bench.dueInMs]).toEqual(["clear", inspectionSettingsDefault.missedRetryMs]);
  lose(bench);
  expect(bench.shown).toBe("hidden");
  bench.sendNext({});
  expect(bench.shown).toBe("clear");
  for (let times = 0; times < 3; times += 1) lose(bench);
  expect([bench.state.kind, bench.effects("end").length, bench.effects("note")]).toEqual(["ended", 1, []]);
});

test("[SAFE-16] what the other end does not send is not missed", () => {
  const bench = new PictureBench();
  for (let turn = 0; turn < 12; turn += 1) bench.sendNext({}, null);
  expect(new Set(bench.history)).toEqual(new Set(["checking", "clear"]));
});

test("[SAFE-36] what cannot be read leaves the ticket open, and is missed once its time is over", () => {
  const bench = new PictureBench();
  bench.sendNext({});
  bench.sendUnreadable();
  bench.sendUnreadable();
  bench.answer({});
  expect([bench.shown, bench.effects("missed")]).toEqual(["clear", []]);
  for (let times = 1; times <= 3; times += 1) {
    bench.sendUnreadable();
    bench.sendUnreadable();
    bench.missNext();
    expect(bench.effects("missed")).toHaveLength(times);
  }
  expect(bench.effects("end")).toHaveLength(1);
});

test("[SAFE-36] what cannot be read is missed where a newer ticket is out by then", () => {
  const bench = new PictureBench();
  bench.send({ type: "restrictions", restrictions: { isNew: false, isWatched: true, startsCovered: true } });
  bench.sendNext({});
  for (let times = 1; bench.state.kind === "watched"; times += 1) {
    bench.toNext();
    const untilMs = bench.state.tickets.own ?? 0;
    // Just before it runs out, when the next one is asked for already.
    bench.run(untilMs - bench.nowMs - 1);
    bench.send({ type: "arrived", view: "own" });
    bench.run(0);
    bench.send({ type: "unreadable", view: "own", untilMs });
    expect(bench.effects("missed")).toHaveLength(times);
  }
  expect(bench.effects("end")).toHaveLength(1);
});

test("[SAFE-16] a socket that is lost with a ticket is excused once, and not again and again", () => {
  const bench = new PictureBench();
  bench.sendNext({});
  const loseSocket = () => {
    bench.toNext();
    bench.send({ type: "socket", isConnected: false });
    bench.run(5_000);
    bench.send({ type: "socket", isConnected: true });
  };
  loseSocket();
  loseSocket();
  expect(bench.shown).toBe("clear");
  loseSocket();
  expect(bench.shown).toBe("hidden");
  loseSocket();
  expect(bench.state.kind).toBe("ended");
});

test("[SAFE-17] a code in the picture hides it for 10 s, counts once, and shows again when it is gone", () => {
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

test("[SAFE-18] ends that differ three times of four open one case, and are looked at every 3 s; nothing else follows", () => {
  const bench = new PictureBench();
  const [mine, theirs] = ["ffffffffffffffff", "0000000000000000"];
  for (let turn = 0; turn < 24; turn += 1) bench.sendNext({ phash: mine }, { phash: turn === 5 ? mine : theirs });
  expect(bench.effects("case").map(({ rule }) => rule)).toEqual(["views_differ"]);
  expect(bench.shown).toBe("clear");
  bench.sendNext({ phash: mine }, { phash: mine });
  expect(bench.dueInMs).toBeLessThanOrEqual(inspectionSettingsDefault.alertMs);
});

test("[SAFE-18] ends that show the same, as well as video can, are no case", () => {
  const bench = new PictureBench();
  // 26 bits of 64.
  for (let turn = 0; turn < 24; turn += 1) bench.sendNext({ phash: "0000000003ffffff" }, { phash: "0000000000000000" });
  expect(bench.effects("case")).toEqual([]);
});

test("[SAFE-19] a picture that does not change in the least is noted once", () => {
  const bench = new PictureBench();
  for (let turn = 0; turn < 5; turn += 1) bench.sendNext({ phash: "00000000000000aa" });
  expect(bench.effects("note")).toEqual([]);
  for (let turn = 0; turn < 12; turn += 1) bench.sendNext({ phash: "00000000000000aa" });
  expect(bench.effects("note")).toEqual([{ type: "note", rule: "frozen_picture" }]);
  expect(bench.shown).toBe("clear");
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

test("[SAFE-29] what a page shows that has come back is looked at before the other sees it; what was hidden stays hidden", () => {
  const bench = new PictureBench();
  bench.sendNext({});
  bench.send({ type: "page_back" });
  expect([bench.shown, bench.dueInMs]).toEqual(["checking", 0]);
  bench.sendNext({});
  expect(shownAfter(bench, [0.7])).toEqual(["hidden"]);
  bench.send({ type: "page_back" });
  expect(bench.shown).toBe("hidden");
});

test("[SAFE-21] while nothing can judge trusted people are shown; others wait 10 s, and the call ends without a strike", () => {
  const trusted = new PictureBench();
  trusted.send({ type: "restrictions", restrictions: { isNew: false, isWatched: false, startsCovered: false } });
  trusted.isReady = false;
  trusted.run(60_000);
  expect([trusted.shown, trusted.asked]).toEqual(["clear", []]);
  trusted.isReady = true;
  trusted.run(30_000);
  expect(trusted.asked).toMatchObject([{ view: "own" }]);
  const fresh = new PictureBench();
  fresh.isReady = false;
  fresh.run(9_999);
  expect(fresh.shown).toBe("checking");
  fresh.run(1);
  expect([fresh.state.kind, fresh.effects("end").length]).toEqual(["ended", 1]);
  const hidden = new PictureBench();
  shownAfter(hidden, [0.1, 0.7]);
  hidden.isReady = false;
  hidden.run(20_000);
  expect(hidden.state.kind).toBe("ended");
});

test("[SAFE-21] of somebody at another process no picture is missed while no word goes there, and the next one is asked for once it does", () => {
  const trusted = new PictureBench();
  trusted.sendNext({});
  trusted.send({ type: "restrictions", restrictions: { isNew: false, isWatched: false, startsCovered: false } });
  trusted.toNext();
  const asked = trusted.asked.length;
  trusted.isCutOff = true;
  trusted.run(120_000);
  expect([trusted.shown, trusted.asked.length, trusted.effects("missed")]).toEqual(["clear", asked, []]);
  trusted.isCutOff = false;
  trusted.toNext();
  trusted.missNext();
  expect(trusted.effects("missed")).toHaveLength(1);
  const fresh = new PictureBench();
  fresh.isCutOff = true;
  fresh.run(10_000);
  expect([fresh.state.kind, fresh.effects("note")]).toEqual(["ended", []]);
});

test("[SAFE-22] under load trusted people are asked every 20 s, and whoever is new, watched or hidden as before", () => {
  const gapAfterBusy = (restrictions: { isNew: boolean; isWatched: boolean }) => {
    const bench = new PictureBench();
    bench.send({ type: "restrictions", restrictions: { ...restrictions, startsCovered: false } });
    bench.sendNext({});
    bench.toNext();
    bench.send({ type: "arrived", view: "own" });
    bench.send({ type: "unjudged", view: "own" });
    expect(bench.shown).toBe("clear");
    return bench.dueInMs;
  };
  expect(gapAfterBusy({ isNew: false, isWatched: false })).toBe(20_000);
  expect(gapAfterBusy({ isNew: true, isWatched: false })).toBe(2_000);
  expect(gapAfterBusy({ isNew: false, isWatched: true })).toBe(2_000);
});

test("[SAFE-23] who is looked at more closely: all models, and who comes first", () => {
  const questionOf = (restrictions: { isNew: boolean; isWatched: boolean }, scores: number[]) => {
    const bench = new PictureBench();
    bench.send({ type: "restrictions", restrictions: { ...restrictions, startsCovered: false } });
    shownAfter(bench, scores);
    bench.toNext();
    return bench.question;
  };
  const [nobody, fresh, watched] = [
    { isNew: false, isWatched: false },
    { isNew: true, isWatched: false },
    { isNew: false, isWatched: true },
  ];
  expect(questionOf(nobody, [])).toEqual({ depth: "cascade", codes: true, priority: 2 });
  expect(questionOf(fresh, [])).toEqual({ depth: "all", codes: true, priority: 1 });
  expect(questionOf(fresh, [0.1])).toEqual({ depth: "cascade", codes: false, priority: 1 });
  expect(questionOf(watched, [0.1])).toEqual({ depth: "all", codes: false, priority: 0 });
  expect(questionOf(nobody, [0.7])).toEqual({ depth: "all", codes: false, priority: 0 });
});

test("[SAFE-24] a report asks both ends for one more picture at once", () => {
  const bench = new PictureBench();
  bench.sendNext({});
  bench.send({ type: "wanted" });
  bench.run(0);
  expect(bench.asked.slice(1).map(({ view }) => view)).toEqual(["own", "received"]);
});

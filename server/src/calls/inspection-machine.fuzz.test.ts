import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import { PictureBench } from "#test/fixtures/picture-bench.ts";
import { factsOf } from "./frame-facts.ts";
import { inspectionDueMs } from "./inspection-machine.ts";
import { inspectionSettingsDefault } from "./inspection-settings.ts";
import { type InspectionEvent, shownToOther, type View } from "./inspection-state.ts";

const score = fc.constantFrom(0.02, 0.3, 0.59, 0.6, 0.7, 0.8, 0.95);
const said = fc.record({
  explicit: score,
  luma: fc.constantFrom(5, 120, 120, 120),
  sharpness: fc.constantFrom(2, 200, 200, 200),
  code: fc.constantFrom(null, null, null, "https://t.me/x"),
  phash: fc.constantFrom("0000000000000000", "ffffffffffffffff", "00000000000000ff"),
});
const action = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("judge" as const), own: said, received: fc.option(said) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("run" as const), ms: fc.integer({ min: 0, max: 40_000 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("miss" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("unjudged" as const),
      why: fc.constantFrom("unreadable", "busy", "failed", "late", "overtaken"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("viewed" as const), isViewed: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("load" as const),
      isReady: fc.boolean(),
      isOverloaded: fc.boolean(),
      isFailing: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("camera" as const), isOn: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("socket" as const), isConnected: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("restrictions" as const), isNew: fc.boolean(), isWatched: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wanted" as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

function act(bench: PictureBench, what: Action): void {
  if (bench.state.kind === "ended") return;
  const canAsk = bench.state.camera !== "off" && bench.state.isConnected && bench.isReady;
  switch (what.do) {
    case "judge":
      return canAsk ? bench.sendNext(what.own, what.received) : undefined;
    case "run":
      return bench.run(what.ms);
    case "miss":
      return canAsk ? bench.missNext() : undefined;
    case "unjudged":
      return canAsk ? unjudged(bench, what.why) : undefined;
    case "viewed":
      return bench.send({ type: "viewed", isViewed: what.isViewed });
    case "load":
      bench.isReady = what.isReady;
      bench.isOverloaded = what.isOverloaded;
      bench.isFailing = what.isFailing;
      return;
    case "camera":
      return bench.send({ type: "camera", isOn: what.isOn });
    case "socket":
      return bench.send({ type: "socket", isConnected: what.isConnected });
    case "restrictions":
      return bench.send({
        type: "restrictions",
        restrictions: {
          isNew: what.isNew,
          isWatched: what.isWatched,
          startsCovered: what.isNew,
          isReceivedOnly: false,
          hintsAge: true,
        },
      });
    case "wanted":
      return bench.send({ type: "wanted" });
  }
}

/** A frame that arrives and is not judged. */
function unjudged(bench: PictureBench, why: Extract<Action, { do: "unjudged" }>["why"]): void {
  switch (why) {
    case "unreadable":
      return bench.sendUnreadable();
    case "busy":
      return bench.sendUnjudged();
    case "late":
      return bench.missLate();
    case "overtaken":
      bench.toNext();
      return bench.overtake();
    case "failed":
      return bench.missFailing();
  }
}

/** Repairs everything, and lets the partner play the video, whatever happened before. */
function recover(bench: PictureBench): void {
  act(bench, { do: "load", isReady: true, isOverloaded: false, isFailing: false });
  act(bench, { do: "camera", isOn: true });
  act(bench, { do: "socket", isConnected: true });
  act(bench, { do: "viewed", isViewed: true });
}

/** Whether a frame of the user reached the server, with any outcome. */
function isArrival(event: Pick<InspectionEvent, "type"> & { view?: View }): boolean {
  if (event.type === "late") return true;
  return ["unjudged", "overtaken", "verdict"].includes(event.type) && event.view === "own";
}

const actions = fc.array(action, { maxLength: 40 });
const settings = inspectionSettingsDefault;
/** Thousands of runs take long on a busy machine. */
const timeoutMs = storyTimeoutMs(60_000);

test(
  "[SAFE-30] while something judges, a picture becomes clear by a clean picture only",
  () => {
    fc.assert(
      fc.property(actions, (done) => {
        const bench = new PictureBench();
        for (const what of done) {
          const before = bench.shown;
          bench.passed.length = 0;
          act(bench, what);
          if (before === "clear" || bench.shown !== "clear") continue;
          const last = bench.passed.at(-1);
          expect(last && factsOf(last, settings).isClean && last.code === null).toBe(true);
        }
      }),
      fuzz(2_000),
    );
  },
  timeoutMs,
);

test(
  "nobody is suspended by fewer than two sure pictures after the one that raised the doubt",
  () => {
    const suspends = fc.property(actions, (done) => {
      const bench = new PictureBench();
      for (const what of done) act(bench, what);
      const sure = bench.allPassed.filter((verdict) => factsOf(verdict, settings).isSure);
      if (bench.effects("suspend").length === 0) return;
      expect(bench.effects("suspend")).toHaveLength(1);
      expect(sure.length).toBeGreaterThanOrEqual(3);
    });
    fc.assert(suspends, fuzz(3_000));
  },
  timeoutMs,
);

test(
  "whatever came before, clean pictures clear a hidden one, and no pictures end the call",
  () => {
    fc.assert(
      fc.property(actions, fc.boolean(), (done, sendsClean) => {
        const bench = new PictureBench();
        for (const what of done) act(bench, what);
        recover(bench);
        if (bench.state.kind === "ended") return;
        for (let turn = 0; turn < 12 && bench.state.kind === "watched"; turn += 1) {
          if (sendsClean && turn < 6) bench.sendNext({});
          else if (!sendsClean) bench.missNext();
        }
        expect(bench.shown).toBe(sendsClean ? "clear" : "ended");
      }),
      fuzz(2_000),
    );
  },
  timeoutMs,
);

test(
  "[SAFE-500] ends no call for want of frames before 45 s in which none arrived, hidden for 30 s and told for 10 s",
  () => {
    fc.assert(
      fc.property(actions, (done) => {
        const bench = new PictureBench();
        let [arrivedMs, hiddenMs, toldMs] = [0, 0, null as number | null];
        bench.onStep = ({ before, event, effects }) => {
          const [cause] = effects.flatMap((effect) => (effect.type === "end" ? [effect.cause] : []));
          const isHidden = before.kind === "watched" && shownToOther(before) !== "clear";
          const isFair =
            bench.nowMs - arrivedMs >= settings.silentEndsMs &&
            isHidden &&
            bench.nowMs - hiddenMs >= 30_000 &&
            toldMs !== null &&
            bench.nowMs - toldMs >= settings.countdownMs;
          expect(cause === undefined || cause === "black" || cause === "covered" || isFair).toBe(true);
          if (isArrival(event)) arrivedMs = bench.nowMs;
        };
        bench.onStepped = () => {
          if (bench.shown === "clear") hiddenMs = bench.nowMs;
          toldMs = bench.endsInMs === null ? null : (toldMs ?? bench.nowMs);
        };
        for (const what of done) act(bench, what);
        act(bench, { do: "run", ms: 40_000 });
        act(bench, { do: "run", ms: 40_000 });
      }),
      fuzz(2_000),
    );
  },
  timeoutMs,
);

test(
  "[SAFE-500] ends no call while the classifier judges nothing, whatever comes",
  () => {
    fc.assert(
      fc.property(actions, (done) => {
        const bench = new PictureBench();
        bench.isReady = false;
        for (const what of done) if (what.do !== "load") act(bench, what);
        for (let times = 0; times < 10; times += 1) act(bench, { do: "run", ms: 60_000 });
        expect(bench.effects("end")).toEqual([]);
        expect(bench.shown).not.toBe("clear");
      }),
      fuzz(500),
    );
  },
  timeoutMs,
);

test(
  "shows no picture of which no frame was judged for 20 s",
  () => {
    fc.assert(
      fc.property(actions, (done) => {
        const bench = new PictureBench();
        let lookedMs = 0;
        bench.onStep = ({ event }) => {
          if (event.type === "verdict") lookedMs = bench.nowMs;
        };
        bench.onStepped = () => {
          const isShown = bench.shown === "clear" && bench.nowMs - lookedMs > settings.unjudgedHidesMs;
          expect(isShown).toBe(false);
        };
        for (const what of done) act(bench, what);
      }),
      fuzz(2_000),
    );
  },
  timeoutMs,
);

test(
  "a view has one ticket at most, and after the end nothing follows",
  () => {
    fc.assert(
      fc.property(actions, actions, (done, later) => {
        const bench = new PictureBench();
        bench.onStep = ({ before, effects }) => {
          for (const effect of effects) {
            const out = effect.type === "ask" && before.kind === "watched" ? before.tickets[effect.view] : null;
            expect(out !== null && bench.nowMs < out).toBe(false);
          }
        };
        for (const what of done) act(bench, what);
        bench.send({ type: "over" });
        const happened = bench.happened.length;
        for (const what of later) act(bench, what);
        for (const type of ["arrived", "verdict", "unreadable", "unjudged"] as const) bench.sendAnyway(type);
        expect([bench.happened.length, inspectionDueMs(bench.state, settings)]).toEqual([happened, null]);
      }),
      fuzz(1_000),
    );
  },
  timeoutMs,
);

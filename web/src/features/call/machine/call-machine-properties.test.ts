import type { Shield } from "@fava/wire/socket.ts";
import { fuzz } from "@fava/wire/testing/depth.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { matchedPush } from "#testing/matched-push.ts";
import { testMeter } from "#testing/meter-fixtures.ts";
import { idle, stepCall } from "./call-machine.ts";
import { type CallEvent, type CallState, type CallTimer, isInRoom, matchNumber } from "./call-state.ts";

/** Few rooms and attempts, so that a random event often concerns the current one. */
const roomId = fc.constantFrom("r1", "r2", "r3");
const attempt = fc.integer({ min: 0, max: 6 });
const nowMs = fc.integer({ min: 0, max: 100_000 });
const timer = fc.constantFrom<CallTimer>(
  "match-timeout",
  "slow",
  "widen",
  "check",
  "give-up",
  "restart",
  "retry",
  "low-beans",
  "ring",
);
const wish = fc.constantFrom({ sex: 0, country: -1 } as const, { sex: 2, country: 18 } as const);
const ringId = fc.constantFrom("ring-1", "ring-2");
/** One of these two friends is the partner of every match. */
const friend = fc.constantFrom(matchedPush("r1").remote.user_id, 9_999).map((userId) => {
  return { userId, externalId: "x", nickname: "Noor", avatar: "" };
});
const meter = fc.constantFrom(testMeter(), testMeter({ clock: "stopped", stopped: "camera_off", left_ms: 0 }));
const shield = fc.record<Shield>({
  other: fc.constantFrom("checking", "clear", "hidden"),
  own: fc.constantFrom("checking", "clear", "warned", "covered", "missing"),
});
const returned = fc.constantFrom(
  null,
  null,
  { generation: 1_000, live_ms: 5_000 },
  { generation: 2_000, live_ms: 9_000 },
);
const notice = fc.constantFrom("no-profiles", "not-enough-beans", "profile-incomplete", "closed");

const anyEvent: fc.Arbitrary<CallEvent> = fc.oneof(
  { arbitrary: fc.record({ type: fc.constant("start"), wish, nowMs }), weight: 4 },
  fc.record({ type: fc.constant("wish-changed"), wish, nowMs }),
  fc.record({ type: fc.constant("stop") }),
  fc.record({ type: fc.constant("next"), nowMs }),
  {
    arbitrary: fc.record({
      type: fc.constant("return"),
      match: roomId.map((id) => matchedPush(id)),
      wish,
      fromRing: fc.boolean(),
    }),
    weight: 3,
  },
  { arbitrary: fc.record({ type: fc.constant("ring"), friend, wish }), weight: 2 },
  fc.record({ type: fc.constant("ring-begun"), attempt, ringId, leftMs: nowMs }),
  { arbitrary: fc.record({ type: fc.constant("ring-taken"), friend, ringId, wish }), weight: 2 },
  fc.record({ type: fc.constant("ring-refused"), attempt, notice: fc.constantFrom(null, "profile-incomplete") }),
  fc.record({ type: fc.constant("ring-over"), ringId }),
  fc.record({ type: fc.constant("return-refused"), roomId, notice: fc.constantFrom("gone", "closed"), nowMs }),
  fc.record({ type: fc.constant("peer"), roomId, peer: fc.constantFrom("here", "lost") }),
  fc.record({ type: fc.constant("search-refused"), attempt, notice }),
  fc.record({ type: fc.constant("search-failed"), attempt }),
  {
    arbitrary: fc
      .tuple(roomId, fc.constantFrom(0 as const, 1 as const), nowMs, returned)
      .map(([id, is_enough, at, again]): CallEvent => {
        return { type: "matched", match: matchedPush(id, { is_enough, returned: again }), nowMs: at };
      }),
    weight: 6,
  },
  { arbitrary: fc.record({ type: fc.constant("first-frame"), roomId, nowMs }), weight: 6 },
  fc.record({ type: fc.constant("other-left"), roomId, why: fc.constantFrom("left", "not-joined", "cut"), nowMs }),
  { arbitrary: fc.record({ type: fc.constant("stalled"), roomId, nowMs }), weight: 4 },
  fc.record({ type: fc.constant("flowing"), roomId }),
  fc.record({ type: fc.constant("connection-checked"), roomId, mine: fc.boolean(), nowMs }),
  fc.record({ type: fc.constant("low-beans"), roomId }),
  {
    arbitrary: fc.record({ type: fc.constant("meter"), roomId, meter, isEnough: fc.boolean(), nowMs }),
    weight: 4,
  },
  fc.record({ type: fc.constant("ran-out"), roomId, meter }),
  fc.record({ type: fc.constant("search-closed") }),
  fc.record({ type: fc.constant("closed-by-server"), roomId, notice: fc.constant("closed") }),
  fc.record({
    type: fc.constant("unchecked"),
    roomId,
    end: fc.constant({ whose: "own", cause: "none", returned: 0 } as const),
  }),
  fc.record({ type: fc.constant("shield"), roomId, shield, nowMs }),
  fc.record({ type: fc.constantFrom("panic", "device-lost", "lock-lost", "session-ended") }),
  fc.record({ type: fc.constant("chat-session-new"), nowMs }),
  { arbitrary: fc.record({ type: fc.constant("timer"), timer, nowMs }), weight: 3 },
);
const story = fc.array(anyEvent, { maxLength: 60 });

const presentRoom = (state: CallState) => (isInRoom(state) ? state.match.roomId : null);

/** Runs random events and calls `look` with every step. */
function everyStep(
  look: (step: ReturnType<typeof stepCall> & { before: CallState; event: CallEvent }) => void,
  begin: () => void = () => undefined,
): void {
  fc.assert(
    fc.property(story, (events) => {
      begin();
      let state = idle;
      for (const event of events) {
        const before = state;
        const step = stepCall(before, event);
        look({ ...step, before, event });
        state = step.state;
      }
    }),
    fuzz(500),
  );
}

test("[MATCH-1] keeps the match state between 0 and 3 for any events", () => {
  const seen = new Set<number>();
  everyStep(({ state }) => seen.add(matchNumber(state)));
  expect(seen).toEqual(new Set([0, 1, 2, 3]));
});

test("only increases the request number, and sends the current one", () => {
  everyStep(({ before, state, effects }) => {
    expect(state.attempt).toBeGreaterThanOrEqual(before.attempt);
    for (const effect of effects) {
      if (effect.type !== "request-match") continue;
      expect(effect.attempt).toBe(state.attempt);
      expect(effect.attempt).toBeGreaterThan(before.attempt);
      expect(state.status).toBe("searching");
    }
  });
});

/** The timers that a state may own; a call that plays owns none of those that restore media. */
function ownedBy(state: CallState): readonly CallTimer[] {
  switch (state.status) {
    case "idle":
      return [];
    case "searching":
      return ["widen", "retry"];
    case "ringing":
      return ["ring"];
    case "returning":
      return ["give-up"];
    case "connecting":
      return ["match-timeout", "check", "low-beans", ...(state.waited ? (["slow"] as const) : [])];
    case "in-call":
      return ["check", "low-beans", ...(state.media === "reconnecting" ? (["restart", "give-up"] as const) : [])];
  }
}

test("cancels every timer when its state ends", () => {
  let running = new Set<CallTimer>();
  everyStep(
    ({ event, state, effects }) => {
      if (event.type === "timer") running.delete(event.timer);
      for (const effect of effects) {
        if (effect.type === "set-timer") running.add(effect.timer);
        if (effect.type === "clear-timer") running.delete(effect.timer);
      }
      const owned = ownedBy(state);
      expect([...running].filter((name) => !owned.includes(name))).toEqual([]);
    },
    () => (running = new Set()),
  );
});

test("uses only the current or the last room in effects, and closes every room that it leaves", () => {
  everyStep(({ before, state, effects }) => {
    const known = [presentRoom(before), presentRoom(state), state.status === "returning" ? state.match.roomId : null];
    const named = effects.flatMap((effect) => ("match" in effect ? [effect.match.roomId] : []));
    expect(named.filter((id) => !known.includes(id))).toEqual([]);
    const closed = effects.flatMap((effect) => (effect.type === "close-room" ? [effect.roomId] : []));
    const left = presentRoom(before);
    expect(closed).toEqual(left !== null && left !== presentRoom(state) ? [left] : []);
  });
});

test("[MATCH-5] keeps times at or above count, and only increases both within a room", () => {
  everyStep(({ before, state }) => {
    if (!isInRoom(state)) return;
    expect(state.connection.times).toBeGreaterThanOrEqual(state.connection.count);
    if (!isInRoom(before) || before.match.roomId !== state.match.roomId) return;
    expect(state.connection.times - before.connection.times).toBeOneOf([0, 1]);
    expect(state.connection.count - before.connection.count).toBeOneOf([0, 1]);
  });
});

test("shows the low-beans notice once, and hides it with more beans or the end of the call", () => {
  let shown = false;
  everyStep(
    ({ effects, state }) => {
      for (const { type } of effects) {
        if (type !== "show-low-beans" && type !== "hide-low-beans") continue;
        expect(shown).toBe(type === "hide-low-beans");
        shown = type === "show-low-beans";
      }
      expect(shown).toBe(isInRoom(state) && state.low === "told");
    },
    () => (shown = false),
  );
});

import { describe, expect, test } from "vitest";
import {
  callReturnsMax,
  matchTimeoutMs,
  reconnectGiveUpMs,
  serverLostGiveUpMs,
  stallGiveUpMs,
} from "@fava/wire/limits.ts";
import { mediaStates } from "@fava/wire/socket.ts";
import {
  adoptedRoom,
  openRoom,
  returnLeftMs,
  type Room,
  roomDueMs,
  type RoomEffect,
  type RoomInput,
  stepRoom,
} from "./room-machine.ts";

const bothJoined = { offerer: true, answerer: true };

function run(state: Room, ...events: RoomInput[]): { state: Room; effects: RoomEffect[] } {
  const effects: RoomEffect[] = [];
  let current = state;
  for (const event of events) {
    const step = stepRoom(current, event);
    current = step.state;
    effects.push(...step.effects);
  }
  return { state: current, effects };
}

const playing = (side: "offerer" | "answerer") => ({ type: "media", side, state: "playing", nowMs: 0 }) as const;
const connecting = openRoom(0);
const live = run(connecting, playing("offerer"), playing("answerer")).state;
const stalled = run(live, { type: "media", side: "offerer", state: "stalled", nowMs: 100 }).state;
const lost = run(live, { type: "lost", side: "offerer", nowMs: 100 }).state;
const gone = run(live, { type: "page-gone", side: "offerer", nowMs: 100 }).state;
const adopted = adoptedRoom({ liveSinceMs: -30_000, nowMs: 100 });
const ended = run(live, { type: "restart" }).state;

const events = {
  joined: { type: "joined", side: "offerer" },
  playing: playing("offerer"),
  stalled: { type: "media", side: "offerer", state: "stalled", nowMs: 100 },
  camera_off: { type: "media", side: "offerer", state: "camera_off", nowMs: 100 },
  leave: { type: "leave", side: "offerer", reason: "next" },
  lost: { type: "lost", side: "offerer", nowMs: 100 },
  returned: { type: "returned", side: "offerer" },
  "page gone": { type: "page-gone", side: "offerer", nowMs: 100 },
  "page back": { type: "page-back", side: "offerer", nowMs: 100 },
  "early tick": { type: "tick", nowMs: 9_999 },
  "late tick": { type: "tick", nowMs: 60_000 },
  restart: { type: "restart" },
  "taken over": { type: "taken-over" },
} as const satisfies Record<string, RoomInput>;
type EventName = keyof typeof events;

const left = "ended: record(ended) tell(answerer left) ended(next)";
const closed = "ended: record(ended) tell(answerer left) ended(left)";
const silent = "ended: ended(restart)";
const restarted = "ended: record(ended) tell(offerer restart) tell(answerer restart) ended(restart)";
/** Each state with each event. An event that is not listed changes nothing. */
const table: Record<string, { from: Room; expected: Partial<Record<EventName, string>> }> = {
  connecting: {
    from: connecting,
    expected: {
      joined: "connecting: record(joined)",
      playing: "connecting: record(joined) record(playing)",
      stalled: "connecting: record(joined) record(stalled) relay(answerer stalled)",
      camera_off: "connecting: record(joined) record(camera_off) relay(answerer camera_off)",
      leave: left,
      lost: "connecting: record(lost) relay(answerer lost)",
      "page gone": closed,
      "late tick": "ended: record(ended) tell(offerer not_joined) tell(answerer not_joined) ended(not_joined)",
      restart: restarted,
      "taken over": silent,
    },
  },
  live: {
    from: live,
    expected: {
      stalled: "live: record(stalled) relay(answerer stalled)",
      camera_off: "live: record(camera_off) relay(answerer camera_off)",
      leave: left,
      lost: "live: record(lost) relay(answerer lost)",
      "page gone": "live: record(lost) relay(answerer lost)",
      restart: restarted,
      "taken over": silent,
    },
  },
  "live, stalled": {
    from: stalled,
    expected: {
      "late tick": "ended: record(ended) tell(offerer left) tell(answerer left) ended(lost)",
      playing: "live: record(resumed)",
      stalled: "live: record(stalled) relay(answerer stalled)",
      camera_off: "live: record(camera_off) relay(answerer camera_off)",
      leave: left,
      lost: "live: record(lost) relay(answerer lost)",
      "page gone": "live: record(lost) relay(answerer lost)",
      restart: restarted,
      "taken over": silent,
    },
  },
  "live, one lost": {
    from: lost,
    expected: {
      stalled: "live: record(stalled) relay(answerer stalled)",
      camera_off: "live: record(camera_off) relay(answerer camera_off)",
      leave: left,
      returned: "live: record(returned) relay(answerer returned)",
      "late tick": "ended: record(ended) tell(offerer left) tell(answerer left) ended(lost)",
      restart: restarted,
      "taken over": silent,
    },
  },
  "live, one without a page": {
    from: gone,
    expected: {
      stalled: "live: record(stalled) relay(answerer stalled)",
      camera_off: "live: record(camera_off) relay(answerer camera_off)",
      leave: left,
      "page back": "live: renew(offerer) record(stalled) record(returned)",
      "late tick": closed,
      restart: restarted,
      "taken over": silent,
    },
  },
  adopted: {
    from: adopted,
    expected: {
      stalled: "live: record(stalled) relay(answerer stalled)",
      camera_off: "live: record(camera_off) relay(answerer camera_off)",
      leave: left,
      "page back": "live: record(stalled) record(returned)",
      "late tick": restarted,
      restart: restarted,
      "taken over": silent,
    },
  },
  ended: { from: ended, expected: {} },
};

function summary({ state, effects }: { state: Room; effects: readonly RoomEffect[] }): string {
  const words = effects.map((effect) => {
    switch (effect.type) {
      case "record":
        return `record(${effect.kind})`;
      case "relay-media":
        return `relay(${effect.to} ${effect.state})`;
      case "tell-left":
        return `tell(${effect.to} ${effect.reason})`;
      case "ended":
        return `ended(${effect.reason})`;
      case "tell-unchecked":
        return `unchecked(${effect.to})`;
      case "connected":
        return "connected";
      case "renew":
        return `renew(${effect.side})`;
    }
  });
  return [`${state.kind}:`, ...words].join(" ");
}

describe("every state meets every event", () => {
  for (const [name, { from, expected }] of Object.entries(table)) {
    for (const event of Object.keys(events) as EventName[]) {
      test(`${name}: ${event}`, () => {
        expect(summary(stepRoom(from, events[event]))).toBe(expected[event] ?? `${from.kind}:`);
      });
    }
  }
});

test("[CALL-62] makes the call live when both have shown the other's video, in either order", () => {
  for (const order of [["offerer", "answerer"] as const, ["answerer", "offerer"] as const]) {
    const first = run(connecting, playing(order[0]), playing(order[0]));
    expect(first.state.kind).toBe("connecting");
    const second = stepRoom(first.state, playing(order[1]));
    expect(summary(second)).toBe("live: record(joined) record(playing) connected record(live)");
  }
});

test("[CALL-63] records one join of a side, by whatever it does first", () => {
  const { effects } = run(connecting, events.joined, events.joined, events.camera_off, events.playing);
  expect(effects.filter((effect) => effect.type === "record" && effect.kind === "joined")).toHaveLength(1);
});

test("[MATCH-6] ends a room that is not live by the deadline, whatever else happened in it", () => {
  const half = run(connecting, playing("offerer"), { type: "lost", side: "answerer", nowMs: 1 }).state;
  expect(roomDueMs(half)).toBe(matchTimeoutMs);
  expect(stepRoom(half, { type: "tick", nowMs: matchTimeoutMs - 1 }).state.kind).toBe("connecting");
  expect(stepRoom(half, { type: "tick", nowMs: matchTimeoutMs }).state).toEqual({
    kind: "ended",
    reason: "not_joined",
  });
});

test("[MATCH-6] ends a match that never connected as no call, whichever user ends it", () => {
  for (const event of [events["late tick"], events.leave, events.restart]) {
    const { effects } = stepRoom(connecting, event);
    expect(effects.at(-1)).toMatchObject({ type: "ended", wasLive: false });
  }
});

test("gives a lost side time to return, and counts the side lost first as the one that left", () => {
  expect(roomDueMs(live)).toBeNull();
  expect(roomDueMs(lost)).toBe(100 + reconnectGiveUpMs);
  const both = run(lost, { type: "lost", side: "answerer", nowMs: 50 }).state;
  expect(roomDueMs(both)).toBe(50 + reconnectGiveUpMs);
  const { effects } = stepRoom(both, { type: "tick", nowMs: 50 + reconnectGiveUpMs });
  expect(effects.at(-1)).toEqual({
    type: "ended",
    reason: "lost",
    leaver: "answerer",
    wasLive: true,
    joined: bothJoined,
  });
  expect(roomDueMs(run(lost, { type: "returned", side: "offerer" }).state)).toBeNull();
});

test("keeps a side lost that was lost while connecting, when the call becomes live", () => {
  const half = run(connecting, { type: "lost", side: "offerer", nowMs: 5 }, playing("offerer"), playing("answerer"));
  expect(roomDueMs(half.state)).toBe(5 + reconnectGiveUpMs);
});

test("gives a lost side no more time because its video stopped as well", () => {
  const both = run(lost, { type: "media", side: "offerer", state: "stalled", nowMs: 200 }).state;
  expect(roomDueMs(both)).toBe(100 + reconnectGiveUpMs);
});

test("[CALL-64] tells the partner only of a leave, and both of a loss, and keeps the reason", () => {
  for (const reason of ["next", "stop", "left", "kicked"] as const) {
    const step = stepRoom(live, { type: "leave", side: "answerer", reason });
    expect(summary(step)).toBe(`ended: record(ended) tell(offerer left) ended(${reason})`);
    expect(step.state).toEqual({ kind: "ended", reason });
  }
});

test("[SAFE-40] tells only the other side that our checks ended the call when one is cut off or banned", () => {
  const violation = stepRoom(live, { type: "cut", side: "offerer", cut: { reason: "violation" } });
  expect(summary(violation)).toBe("ended: record(ended) tell(answerer cut) ended(violation)");
  const banned = stepRoom(connecting, { type: "leave", side: "offerer", reason: "banned" });
  expect(summary(banned)).toBe("ended: record(ended) tell(answerer cut) ended(banned)");
});

test("[SAFE-40] tells both the cause if a call ends because frames could not be checked", () => {
  const cut = { reason: "unchecked", cause: "late", returned: { offerer: 3, answerer: 40 } } as const;
  const { effects } = stepRoom(live, { type: "cut", side: "offerer", cut });
  expect(effects).toContainEqual({ type: "tell-unchecked", to: "offerer", cause: "late", returned: 3 });
  const unchecked = { cause: "late", returned: 40 };
  expect(effects).toContainEqual({ type: "tell-left", to: "answerer", reason: "cut", unchecked });
  expect(effects).toContainEqual({
    type: "ended",
    reason: "unchecked",
    leaver: "offerer",
    wasLive: true,
    joined: bothJoined,
  });
});

test("passes every media state but playing to the partner", () => {
  for (const state of mediaStates) {
    const { effects } = stepRoom(live, { type: "media", side: "answerer", state, nowMs: 0 });
    const relayed = effects.filter((effect) => effect.type === "relay-media");
    expect(relayed).toEqual(state === "playing" ? [] : [{ type: "relay-media", to: "offerer", state }]);
  }
});

test("ends the call after 20 s without video, however often a side reports it", () => {
  const again = run(stalled, { type: "media", side: "offerer", state: "stalled", nowMs: 9_000 }).state;
  expect(roomDueMs(again)).toBe(100 + stallGiveUpMs);
  expect(stepRoom(again, { type: "tick", nowMs: 99 + stallGiveUpMs }).effects).toEqual([]);
  const { effects } = stepRoom(again, { type: "tick", nowMs: 100 + stallGiveUpMs });
  expect(effects).toContainEqual({
    type: "ended",
    reason: "lost",
    leaver: "offerer",
    wasLive: true,
    joined: bothJoined,
  });
  expect(roomDueMs(run(again, playing("offerer")).state)).toBeNull();
});

test("gives video that stops while connecting no longer than in the call", () => {
  const half = run(connecting, playing("offerer"), { type: "media", side: "offerer", state: "stalled", nowMs: 100 });
  expect(roomDueMs(run(half.state, playing("answerer")).state)).toBe(100 + stallGiveUpMs);
});

test("gives a lost page no longer than the socket that broke before it, however often it is lost", () => {
  const again = run(lost, { ...events["page gone"], nowMs: 5_000 }, { ...events["page gone"], nowMs: 9_000 }).state;
  expect(roomDueMs(again)).toBe(100 + reconnectGiveUpMs);
  // Only the page may return to the call, not just its socket.
  const socket = run(again, { type: "lost", side: "offerer", nowMs: 9_500 }, events.returned).state;
  expect(roomDueMs(socket)).toBe(100 + reconnectGiveUpMs);
  expect(returnLeftMs(socket, "offerer", 10_100)).toBe(2_000);
  expect(returnLeftMs(socket, "answerer", 10_100)).toBeNull();
});

test("counts a returned page as stalled until it reports video, for no longer than others", () => {
  const back = run(gone, { ...events["page back"], nowMs: 4_000 }).state;
  expect(roomDueMs(back)).toBe(4_000 + stallGiveUpMs);
  const twice = run(back, { ...events["page gone"], nowMs: 6_000 }, { ...events["page back"], nowMs: 7_000 }).state;
  expect(roomDueMs(twice)).toBe(4_000 + stallGiveUpMs);
  expect(roomDueMs(run(twice, playing("offerer")).state)).toBeNull();
});

test("allows a user three returns to a call", () => {
  let state = live;
  for (let times = 0; times < callReturnsMax; times += 1) {
    state = run(state, events["page gone"], events["page back"], playing("offerer")).state;
    expect(state.kind).toBe("live");
  }
  expect(summary(stepRoom(state, events["page gone"]))).toBe(closed);
  expect(stepRoom(state, { ...events["page gone"], side: "answerer" }).state.kind).toBe("live");
  // The lost socket may reconnect, but no new page may return to the call.
  expect(returnLeftMs(run(state, events.lost).state, "offerer", 200)).toBeNull();
});

describe("a call whose server has died", () => {
  const back = (side: "offerer" | "answerer", nowMs = 5_000) => ({ type: "page-back", side, nowMs }) as const;
  const dueMs = 100 + serverLostGiveUpMs;

  test("[CALL-130] continues with a new connection once both are back, without using up their returns", () => {
    const one = run(adopted, back("answerer"));
    expect(summary(one)).toBe("live: record(stalled) record(returned)");
    const both = run(one.state, back("offerer"));
    expect(summary(both)).toBe("live: renew(offerer) record(stalled) record(returned)");
    const seen = run(both.state, playing("offerer"), playing("answerer"));
    expect(summary(seen)).toBe("live: record(resumed) record(resumed)");
    expect(roomDueMs(seen.state)).toBeNull();
    expect(seen.state).toMatchObject({ sinceMs: -30_000, returns: { offerer: 0, answerer: 0 } });
  });

  test("ends as a restart if a user is not back in time; it is their leaving only if the other is back", () => {
    expect(roomDueMs(adopted)).toBe(dueMs);
    const late = { type: "tick", nowMs: dueMs } as const;
    expect(run(adopted, late).effects).toContainEqual(expect.objectContaining({ type: "ended", leaver: null }));
    const waited = run(adopted, back("offerer"), playing("offerer"), late);
    expect(summary(waited)).toContain("tell(offerer restart) tell(answerer restart) ended(restart)");
    expect(waited.effects).toContainEqual(
      expect.objectContaining({ type: "ended", reason: "restart", leaver: "answerer", wasLive: true }),
    );
  });

  test("gives a page or socket lost again no longer than the call has", () => {
    const { state } = run(
      adopted,
      { type: "page-gone", side: "offerer", nowMs: 3_000 },
      { type: "lost", side: "answerer", nowMs: 3_000 },
    );
    expect(state).toEqual(adopted);
    expect(returnLeftMs(adopted, "offerer", 100)).toBe(serverLostGiveUpMs);
  });
});

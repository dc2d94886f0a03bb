import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  socketMessagesBurstMax,
  socketMessagesPerSecondMax,
  socketHelloMs,
  socketOutboxMax,
  socketResumeMs,
  socketSilenceMs,
} from "@fava/wire/limits.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import type { KeptMessage } from "#ports/bus.ts";
import { fuzz } from "@fava/wire/testing/depth.ts";
import {
  badMessagesInRowMax,
  canResume,
  openConnection,
  RunningConnection,
  type ClientConnection,
  type ConnectionEvent,
  type ConnectionStep,
  stepConnection,
} from "./resumable-connection.ts";

const notice = { type: "push", push: { code: pushCodes.systemNotice } } as const;
const bad = { reason: "bad_frame", clientId: null } as const;

function run(state: ClientConnection, ...events: ConnectionEvent[]): ConnectionStep {
  const effects: ConnectionStep["effects"][number][] = [];
  let current = state;
  for (const event of events) {
    const step = stepConnection(current, event);
    current = step.state;
    effects.push(...step.effects);
  }
  return { state: current, effects };
}

const guest = openConnection(0);
const live = run(guest, { type: "greeted", sessionId: "s", nowMs: 0 }, { type: "keep", message: notice }).state;
const dropped = run(live, { type: "socket-closed", code: 1006, nowMs: 0 }).state;
const ended = run(live, { type: "disconnect", code: 4001 }).state;

const events = {
  message: { type: "message", nowMs: 1, bytes: 0, problem: null },
  "bad message": { type: "message", nowMs: 1, bytes: 0, problem: bad },
  greeted: { type: "greeted", sessionId: "s", nowMs: 1 },
  "hello-refused": { type: "hello-refused" },
  "handed-over": { type: "handed-over" },
  resumed: { type: "resumed", sessionId: "s", lastSequence: 0, nowMs: 1 },
  keep: { type: "keep", message: notice },
  pass: { type: "pass", message: { type: "pong" } },
  acknowledged: { type: "acknowledged", sequence: 1 },
  "clean close": { type: "socket-closed", code: 1001, nowMs: 1 },
  "lost socket": { type: "socket-closed", code: 1006, nowMs: 1 },
  disconnect: { type: "disconnect", code: 4001 },
  "early tick": { type: "tick", nowMs: 1 },
  "late tick": { type: "tick", nowMs: 60_000 },
} as const satisfies Record<string, ConnectionEvent>;
type EventName = keyof typeof events;

/** The next state and the kinds of effects for each state and event. Omitted: the event has no effect. */
const table: Record<
  ClientConnection["kind"],
  { from: ClientConnection; expected: Partial<Record<EventName, string>> }
> = {
  "awaiting-hello": {
    from: guest,
    expected: {
      "bad message": "ended: send close",
      greeted: "live: send arrived",
      "hello-refused": "ended: send close",
      "handed-over": "ended:",
      "clean close": "ended:",
      "lost socket": "ended:",
      disconnect: "ended: close",
      "late tick": "ended: send close",
    },
  },
  live: {
    from: live,
    expected: {
      "bad message": "live: send",
      resumed: "live: send send resumed",
      keep: "live: send",
      pass: "live: send",
      "clean close": "ended: gone unheard",
      "lost socket": "dropped: dropped",
      disconnect: "ended: close gone unheard",
      "late tick": "dropped: cut dropped",
    },
  },
  dropped: {
    from: dropped,
    expected: {
      resumed: "live: send send resumed",
      disconnect: "ended: gone unheard",
      "late tick": "ended: gone unheard",
    },
  },
  ended: { from: ended, expected: {} },
};

describe("every state meets every event", () => {
  for (const [kind, { from, expected }] of Object.entries(table)) {
    for (const name of Object.keys(events) as EventName[]) {
      test(`${kind}: ${name}`, () => {
        expect(from.kind).toBe(kind);
        const { state, effects } = stepConnection(from, events[name]);
        const summary = `${state.kind}: ${effects.map((effect) => effect.type).join(" ")}`.trim();
        expect(summary).toBe(expected[name] ?? `${kind}:`);
      });
    }
  }
});

describe("delivery", () => {
  test("numbers kept messages from one, and keeps them until they are acknowledged", () => {
    const { state } = run(live, { type: "keep", message: notice }, { type: "keep", message: notice });
    expect(state).toMatchObject({ sequence: 3, outbox: [{ sequence: 1 }, { sequence: 2 }, { sequence: 3 }] });
    expect(stepConnection(state, { type: "acknowledged", sequence: 2 }).state).toMatchObject({
      sequence: 3,
      outbox: [{ sequence: 3 }],
    });
  });

  test("ignores an acknowledgement of a message that was never sent", () => {
    expect(stepConnection(live, { type: "acknowledged", sequence: 2 }).state).toBe(live);
  });

  test("[SOCKET-63] replays pushes of a lost socket in order, without those that arrived", () => {
    const away = run(live, { type: "keep", message: notice }, events["lost socket"], {
      type: "keep",
      message: notice,
    }).state;
    const { effects } = stepConnection(away, { type: "resumed", sessionId: "s", lastSequence: 1, nowMs: 5 });
    expect(effects.map((effect) => (effect.type === "send" ? effect.message : effect.type))).toEqual([
      { type: "welcome", sessionId: "s", resumed: true, sequence: 1 },
      { ...notice, sequence: 2 },
      { ...notice, sequence: 3 },
      "resumed",
    ]);
  });

  test("[SOCKET-63] does not keep messages that matter only now for a lost socket", () => {
    expect(stepConnection(dropped, events.pass)).toEqual({ state: dropped, effects: [] });
  });

  test("[SOCKET-64] continues a session only without a hole or a doubled push", () => {
    const { state } = run(live, { type: "keep", message: notice }, { type: "acknowledged", sequence: 1 });
    expect([0, 1, 2, 3].map((last) => canResume(state, last))).toEqual([false, true, true, false]);
    expect([guest, ended].map((other) => canResume(other, 0))).toEqual([false, false]);
  });

  test("[SOCKET-63] delivers each push once and in order, in any order of pushes, drops and returns", () => {
    const action = fc.constantFrom("push", "deliver", "drop", "return");
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        let state: ClientConnection = run(guest, { type: "greeted", sessionId: "s", nowMs: 0 }).state;
        let wire: KeptMessage[] = [];
        const received: number[] = [];
        let sent = 0;
        const apply = (event: ConnectionEvent) => {
          const step = stepConnection(state, event);
          state = step.state;
          for (const effect of step.effects) {
            if (effect.type === "send" && effect.message.type === "push") wire.push(effect.message);
          }
        };
        const returnNow = () =>
          apply({ type: "resumed", sessionId: "s", lastSequence: received.at(-1) ?? 0, nowMs: 0 });
        for (const name of [...actions, "drop", "return", "deliver"]) {
          if (name === "push") {
            sent += 1;
            apply({ type: "keep", message: notice });
          } else if (name === "deliver") {
            received.push(...wire.map((message) => message.sequence));
            wire = [];
            apply({ type: "acknowledged", sequence: received.at(-1) ?? 0 });
          } else if (name === "drop") {
            wire = [];
            apply({ type: "socket-closed", code: 1006, nowMs: 0 });
          } else if (canResume(state, received.at(-1) ?? 0) && state.kind === "dropped") returnNow();
        }
        expect(received).toEqual(Array.from({ length: sent }, (_, index) => index + 1));
      }),
      fuzz(100),
    );
  });

  test("ends the session with a full outbox, live or dropped", () => {
    const keeps = Array.from({ length: socketOutboxMax }, () => ({ type: "keep", message: notice }) as const);
    const sequences = Array.from({ length: socketOutboxMax + 1 }, (_, index) => index + 1);
    const over = [
      { type: "gone", how: "timed_out" },
      { type: "unheard", messages: sequences.map((sequence) => ({ ...notice, sequence })) },
    ];
    expect(run(live, ...keeps).effects.slice(-3)).toEqual([{ type: "close", code: 1013 }, ...over]);
    expect(run(dropped, ...keeps)).toEqual({ state: { kind: "ended" }, effects: over });
    expect(run(dropped, ...keeps.slice(1)).state.kind).toBe("dropped");
  });
});

describe("time", () => {
  test("[SOCKET-67] ends a socket without a timely hello", () => {
    expect(stepConnection(guest, { type: "tick", nowMs: socketHelloMs - 1 }).state.kind).toBe("awaiting-hello");
    expect(stepConnection(guest, { type: "tick", nowMs: socketHelloMs }).effects).toContainEqual({
      type: "close",
      code: socketCloseCodes.badHello,
    });
  });

  test("[SOCKET-67] treats a silent socket as lost, and any message as a sign of life", () => {
    const heard = stepConnection(live, { type: "message", nowMs: 1_000, bytes: 0, problem: null }).state;
    expect(stepConnection(heard, { type: "tick", nowMs: socketSilenceMs + 999 }).state.kind).toBe("live");
    expect(stepConnection(heard, { type: "tick", nowMs: socketSilenceMs + 1_000 }).state).toMatchObject({
      kind: "dropped",
      droppedAtMs: socketSilenceMs + 1_000,
    });
  });

  test("[SOCKET-64] ends a dropped session after the resume time", () => {
    expect(stepConnection(dropped, { type: "tick", nowMs: socketResumeMs - 1 }).state.kind).toBe("dropped");
    expect(stepConnection(dropped, { type: "tick", nowMs: socketResumeMs }).effects[0]).toEqual({
      type: "gone",
      how: "timed_out",
    });
  });
});

describe("the end", () => {
  test.each([
    ["a goodbye", live, events["clean close"]],
    ["a sign-out", live, events.disconnect],
    ["a lost socket that does not come back", dropped, events["late tick"]],
    ["another session in its place", dropped, { type: "disconnect", code: socketCloseCodes.replaced }],
  ] as const)("[SOCKET-114] hands over unacknowledged messages as unheard after %s", (_what, from, event) => {
    const acknowledged = run(live, events.acknowledged).state;
    const unheard = { type: "unheard", messages: [{ ...notice, sequence: 1 }] };
    expect(stepConnection(from, event).effects.at(-1)).toEqual(unheard);
    const heard = from === dropped ? run(acknowledged, events["lost socket"]).state : acknowledged;
    expect(stepConnection(heard, event).effects).not.toContainEqual(expect.objectContaining({ type: "unheard" }));
  });

  test("[SOCKET-114] keeps unacknowledged messages with a session that another server continues", () => {
    for (const from of [live, dropped])
      expect(stepConnection(from, { type: "released" }).effects.at(-1)).toEqual({ type: "gone", how: "moved" });
  });

  test("[SOCKET-66] ends the session at once only for a close that the browser made itself", () => {
    const kindAfter = (code: number) => stepConnection(live, { type: "socket-closed", code, nowMs: 1 }).state.kind;
    expect([1000, 1001, socketCloseCodes.pageGone].map(kindAfter)).toEqual(["ended", "ended", "ended"]);
    expect([1002, 1005, 1006, 1009, 1011, 4000].map(kindAfter)).toEqual(Array.from({ length: 6 }, () => "dropped"));
  });

  test("[SOCKET-66] reports how the user left by the close code", () => {
    const how = (code: number) => stepConnection(live, { type: "disconnect", code }).effects[1];
    const { kicked, banned, replaced, signedOut, goingAway } = socketCloseCodes;
    expect([kicked, banned, replaced, signedOut, goingAway].map(how)).toEqual(
      ["kicked", "banned", "replaced", "closed", "closed"].map((departure) => ({ type: "gone", how: departure })),
    );
  });

  test("ends the session at a flood, and not at a steady rate within the limit", () => {
    const burst = Array.from(
      { length: socketMessagesBurstMax },
      () => ({ type: "message", nowMs: 0, bytes: 0, problem: null }) as const,
    );
    expect(run(live, ...burst).state.kind).toBe("live");
    expect(run(live, { type: "acknowledged", sequence: 1 }, ...burst, burst[0]!).effects).toEqual([
      { type: "send", message: { type: "error", code: 429, reason: "flood" } },
      { type: "close", code: socketCloseCodes.flood },
      { type: "gone", how: "closed" },
    ]);
    const steady = Array.from(
      { length: 4_000 },
      (_, index) =>
        ({ type: "message", nowMs: (index * 1_000) / socketMessagesPerSecondMax, bytes: 0, problem: null }) as const,
    );
    expect(run(live, ...steady).state.kind).toBe("live");
    expect(run(guest, ...burst, burst[0]!).state.kind).toBe("ended");
  });

  test("counts a large message as several", () => {
    const message = { type: "message", nowMs: 0, bytes: 20_480, problem: null } as const;
    const many = Array.from({ length: Math.floor(socketMessagesBurstMax / 11) }, () => message);
    expect(run(live, ...many).state.kind).toBe("live");
    expect(run(live, ...many, message).state.kind).toBe("ended");
  });

  test("does not refill the message budget by a return", () => {
    const burst = Array.from(
      { length: socketMessagesBurstMax },
      () => ({ type: "message", nowMs: 0, bytes: 0, problem: null }) as const,
    );
    const back = run(
      live,
      ...burst,
      { type: "socket-closed", code: 1006, nowMs: 0 },
      {
        type: "resumed",
        sessionId: "s",
        lastSequence: 0,
        nowMs: 0,
      },
    );
    expect(stepConnection(back.state, burst[0]!).state.kind).toBe("ended");
  });

  test("ends the session after several invalid messages in a row, which a valid one interrupts", () => {
    const wrong = { type: "message", nowMs: 0, bytes: 0, problem: bad } as const;
    const right = { type: "message", nowMs: 0, bytes: 0, problem: null } as const;
    const almost = Array.from({ length: badMessagesInRowMax - 1 }, () => wrong);
    expect(run(live, ...almost, right, ...almost).state.kind).toBe("live");
    expect(run(live, ...almost, wrong).state.kind).toBe("ended");
  });

  test("rejects a too long line by its id", () => {
    const problem = { reason: "too_long", clientId: "c1" } as const;
    expect(stepConnection(live, { type: "message", nowMs: 0, bytes: 0, problem }).effects).toEqual([
      { type: "send", message: { type: "error", code: 400, reason: "too_long", clientId: "c1" } },
    ]);
  });
});

test("changes a running connection in place as the machine would, in any history", () => {
  const nowMs = fc.integer({ min: 0, max: 60_000 });
  const event = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant("message" as const),
        nowMs,
        bytes: fc.nat(9_000),
        problem: fc.constantFrom(null, null, null, bad),
      }),
    },
    { weight: 6, arbitrary: fc.constant(events.keep) },
    { weight: 4, arbitrary: fc.record({ type: fc.constant("acknowledged" as const), sequence: fc.nat(40) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant("resumed" as const),
        sessionId: fc.constant("s"),
        lastSequence: fc.nat(12),
        nowMs,
      }),
    },
    { weight: 8, arbitrary: fc.constantFrom<ConnectionEvent>(...Object.values(events)) },
  );
  const crowded = Array.from({ length: socketOutboxMax - 2 }, () => events.keep);
  let heard = 0;
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), fc.boolean(), (history, isCrowded) => {
      const running = new RunningConnection(guest);
      let state: ClientConnection = guest;
      for (const one of [events.greeted, ...(isCrowded ? crowded : [])]) {
        state = stepConnection(state, one).state;
        running.step(one);
      }
      for (const one of history) {
        const step = stepConnection(state, one);
        state = step.state;
        expect(running.step(one)).toEqual(step.effects);
        expect(running.state.kind).toBe(state.kind);
        heard += Number(one.type === "message" && state.kind === "live");
      }
      expect(running.state).toEqual(state);
    }),
    fuzz(400),
  );
  expect(heard).toBeGreaterThan(100);
});

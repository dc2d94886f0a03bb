import { expect, test } from "vitest";
import { type RoomEvent, type RoomEventConsumer, RoomEvents } from "./room-events.ts";

/** These tests use only the id and kind of an event. */
const event = (kind: "matched" | "live" | "ended") => ({ id: "call-1", kind }) as RoomEvent;

function stream() {
  const logged: object[] = [];
  const events = new RoomEvents({ logger: { error: (details) => void logged.push(details) } });
  const heard: string[] = [];
  const consumer = (name: string, then: (event: RoomEvent) => void = () => {}): RoomEventConsumer => ({
    onRoomEvent: (happened) => {
      heard.push(`${name} ${happened.kind}`);
      then(happened);
    },
  });
  return { events, logged, heard, consumer };
}

test("delivers every event to all consumers, in the order of their registration", () => {
  const { events, heard, consumer } = stream();
  events.deliverTo([consumer("meter"), consumer("inspection")]);
  events.publish(event("matched"));
  events.publish(event("live"));
  expect(heard).toEqual(["meter matched", "inspection matched", "meter live", "inspection live"]);
});

test("delivers an event that a consumer causes after the one being delivered", () => {
  const { events, heard, consumer } = stream();
  const ending = consumer("inspection", ({ kind }) => {
    if (kind === "matched") events.publish(event("ended"));
  });
  events.deliverTo([consumer("meter"), ending, consumer("matches")]);
  events.publish(event("matched"));
  expect(heard).toEqual([
    "meter matched",
    "inspection matched",
    "matches matched",
    "meter ended",
    "inspection ended",
    "matches ended",
  ]);
});

test("logs a consumer that throws, and keeps delivering to all others", () => {
  const { events, logged, heard, consumer } = stream();
  const problem = new Error("a consumer with a defect");
  const broken = consumer("meter", () => {
    throw problem;
  });
  events.deliverTo([broken, consumer("inspection")]);
  events.publish(event("matched"));
  events.publish(event("live"));
  expect(heard).toEqual(["meter matched", "inspection matched", "meter live", "inspection live"]);
  expect(logged).toEqual([
    { err: problem, callId: "call-1", event: "matched" },
    { err: problem, callId: "call-1", event: "live" },
  ]);
});

test("accepts consumers once, and before any event", () => {
  const { events } = stream();
  expect(() => events.publish(event("matched"))).toThrow(/before its consumers/);
  events.deliverTo([]);
  expect(() => events.deliverTo([])).toThrow(/already/);
});

import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import type { RoomEvent } from "./room-events.ts";
import { RoomMetrics } from "./room-metrics.ts";

test("measures from the match until both users have video, and counts ends by reason", async () => {
  const metrics = new Registry();
  const clock = new TestClock();
  const room = new RoomMetrics(metrics, clock);
  /** The consumer uses only these fields of an event. */
  const happens = (event: object) => room.onRoomEvent(event as RoomEvent);
  happens({ id: "1", kind: "matched" });
  happens({ id: "2", kind: "matched" });
  happens({ id: "3", kind: "matched", isAdopted: true });
  clock.advance(1_700);
  happens({ id: "1", kind: "joined" });
  happens({ id: "1", kind: "live" });
  happens({ id: "3", kind: "live" });
  clock.advance(9_000);
  happens({ id: "1", kind: "ended", reason: "next", wasLive: true });
  happens({ id: "2", kind: "ended", reason: "not_joined", wasLive: false });
  happens({ id: "3", kind: "ended", reason: "next", wasLive: true });
  const text = await metrics.metrics();
  expect(text).toContain("fava_call_connect_seconds_count 1");
  expect(text).toContain("fava_call_connect_seconds_sum 1.7");
  expect(text).toContain('fava_calls_ended_total{reason="next",connected="yes"} 2');
  expect(text).toContain('fava_calls_ended_total{reason="not_joined",connected="no"} 1');
});

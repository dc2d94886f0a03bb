import { ringMs } from "@fava/wire/limits.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tabLock } from "#features/call/machine/tab-lock.ts";
import { publishSocial } from "#features/people/social-messages.ts";
import { correctServerClock } from "#lib/api/server-clock.ts";
import { isOverlayOpen } from "#lib/overlays.ts";
import { ringOf } from "#testing/ring-fixtures.ts";
import { startRings } from "./incoming-rings.ts";

let owner: AbortController;
const hear = (event: ReturnType<typeof ringOf>) => publishSocial({ type: "social", sequence: 1, event });
const rings = () => isOverlayOpen("ring");

beforeEach(async () => {
  await tabLock.take();
  vi.useFakeTimers();
  owner = new AbortController();
  startRings(owner.signal);
});
afterEach(() => {
  owner.abort();
  correctServerClock(Date.now());
  vi.useRealTimers();
  tabLock.release();
});

test("ends a ring when its time is over, and does not show an expired one", () => {
  hear(ringOf("Kenji", "ring-0", Date.now()));
  expect(rings()).toBe(false);
  hear(ringOf("Bo", "ring-1", Date.now() + 20_000));
  vi.advanceTimersByTime(19_999);
  expect(rings()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(rings()).toBe(false);
});

test("takes the time of a ring from the server, within the limit for rings", () => {
  correctServerClock(Date.now() - 600_000);
  hear(ringOf("Bo", "ring-1", Date.now() - 600_000 + 5_000));
  vi.advanceTimersByTime(4_999);
  expect(rings()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(rings()).toBe(false);
  hear(ringOf("Bo", "ring-2", Date.now() + 600_000));
  vi.advanceTimersByTime(ringMs);
  expect(rings()).toBe(false);
});

test("shows a repeated ring once, and closes open rings with the page's owner", () => {
  hear(ringOf("Bo", "ring-1"));
  hear(ringOf("Bo", "ring-1"));
  publishSocial({ type: "social", sequence: 2, event: { kind: "ring_over", id: "ring-1", why: "cancelled" } });
  expect(rings()).toBe(false);
  hear(ringOf("Bo", "ring-2"));
  owner.abort();
  expect(rings()).toBe(false);
});

import { expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { DirectMedia } from "./direct-media.ts";

test("allows every candidate without a relay, with the configured STUN servers or none", () => {
  const clock = new TestClock();
  const named = new DirectMedia({ stunUrls: ["stun:stun.example"], clock });
  expect(named.credentialsFor()).toEqual({
    iceServers: [{ urls: ["stun:stun.example"] }],
    expiresAtMs: clock.nowMs() + 86_400_000,
  });
  expect(new DirectMedia({ stunUrls: [], clock }).credentialsFor().iceServers).toEqual([]);
  expect(named.policy).toBe("all");
});

import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { CoturnRelay } from "./coturn-relay.ts";

test("creates short-lived credentials that the shared secret alone can verify", () => {
  const clock = new TestClock(1_767_225_600_999);
  const urls = ["turn:turn.example:3478?transport=udp", "turns:turn.example:443"];
  const relay = new CoturnRelay({ urls, secret: "north", credentialSeconds: 600, clock });
  const { iceServers, expiresAtMs } = relay.credentialsFor("ext-ana");
  expect(expiresAtMs).toBe((1_767_225_600 + 600) * 1_000);
  expect(iceServers).toEqual([{ urls, username: "1767226200:ext-ana", credential: "uy/ckxgUtx7+NtfA//nxcwnDbMg=" }]);
  expect(createHmac("sha1", "north").update("1767226200:ext-ana").digest("base64")).toBe(iceServers[0]?.credential);
  expect(relay.policy).toBe("relay");
});

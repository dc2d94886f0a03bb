import { expect, test } from "vitest";
import { ratingOf, relaysOf, testNetwork } from "./network-test.ts";

test("groups relays by transport, and ignores other servers", () => {
  const udp = ["turn:relay.test:3478", "turn:relay.test:3478?transport=udp", "turns:relay.test?transport=udp"];
  const tcp = ["turn:relay.test:3478?transport=tcp", "turns:relay.test:443", "turns:relay.test:443?transport=tcp"];
  const login = { username: "1:ana", credential: "c" };
  const servers = [{ urls: ["stun:relay.test"] }, { urls: [...udp, ...tcp], ...login }];
  expect(relaysOf(servers)).toEqual({ udp: [{ urls: udp, ...login }], tcp: [{ urls: tcp, ...login }] });
});

test("tests nothing without a relay", async () => {
  expect(await testNetwork([{ urls: ["stun:relay.test"] }], new AbortController().signal)).toBeNull();
});

test.each([
  ["all that was sent", { kbps: 1_480, loss: 0 }, "picture"],
  ["just enough for the full video", { kbps: 500, loss: 0.08 }, "picture"],
  ["a little less", { kbps: 499, loss: 0 }, "smallPicture"],
  ["much, with some loss", { kbps: 900, loss: 0.081 }, "smallPicture"],
  ["just enough for a small video", { kbps: 60, loss: 0.2 }, "smallPicture"],
  ["less than that", { kbps: 59, loss: 0 }, "sound"],
  ["much, with heavy loss", { kbps: 900, loss: 0.5 }, "sound"],
  ["nothing", { kbps: 0, loss: 1 }, "sound"],
] as const)("rates a network that carries %s by what a call could send", (_what, carried, expected) => {
  expect(ratingOf(carried)).toBe(expected);
});

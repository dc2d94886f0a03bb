import type { Shield } from "@fava/wire/socket.ts";
import { expect, test } from "vitest";
import { readStored } from "#lib/storage.ts";
import { videoShown, setKeepBlurred } from "./video-shown.ts";

const shield = (other: Shield["other"]): Shield => ({ other, own: "clear" });
const free = { keep: false, askedFor: null };
const kept = { keep: true, askedFor: null };

test.each([
  ["checking", "checking", "checking"],
  ["hidden", "hidden", "hidden"],
  ["clear", "shown", "kept"],
] as const)("treats a video that is %s as %s, and as %s if videos stay blurred", (other, plain, blurred) => {
  expect(videoShown(shield(other), free, "r1")).toBe(plain);
  expect(videoShown(shield(other), kept, "r1")).toBe(blurred);
});

test("shows one video on request, for its call only, and never one that the checks hide", () => {
  const asked = { keep: true, askedFor: "r1" };
  expect(videoShown(shield("clear"), asked, "r1")).toBe("shown");
  expect(videoShown(shield("clear"), asked, "r2")).toBe("kept");
  expect(videoShown(shield("hidden"), asked, "r1")).toBe("hidden");
});

test("stores the choice of blurred videos in this browser", () => {
  setKeepBlurred(true);
  expect(readStored("keepBlurred")).toBe(1);
  setKeepBlurred(false);
  expect(readStored("keepBlurred")).toBe(0);
});

import { afterEach, expect, test, vi } from "vitest";
import { acknowledgeEnd } from "#lib/session.ts";
import { clearForSignOut, removeStored } from "#lib/storage.ts";
import { cornerByKey, cornerNow, nearestCorner, nextCorner, setCorner } from "./self-corner.ts";

const phone = { width: 390, height: 844 };

afterEach(() => removeStored("selfCorner"));

test("moves the local video to the corner nearest to where it was dropped, in either reading direction", () => {
  expect(nearestCorner({ x: 20, y: 30 }, phone, false)).toBe("top-start");
  expect(nearestCorner({ x: 300, y: 30 }, phone, false)).toBe("top-end");
  expect(nearestCorner({ x: 300, y: 700 }, phone, true)).toBe("bottom-start");
  expect(nearestCorner({ x: 20, y: 700 }, phone, true)).toBe("bottom-end");
});

test("moves it along one side by arrow keys, and through all corners by presses", () => {
  expect(cornerByKey("top-end", "ArrowDown", false)).toBe("bottom-end");
  expect(cornerByKey("top-end", "ArrowLeft", false)).toBe("top-start");
  expect(cornerByKey("top-end", "ArrowRight", true)).toBe("top-start");
  expect(cornerByKey("bottom-start", "ArrowUp", false)).toBe("top-start");
  expect(cornerByKey("top-end", "m", false)).toBeNull();
  const met = new Set(["top-end" as const]);
  let corner = nextCorner("top-end");
  for (; corner !== "top-end"; corner = nextCorner(corner)) (met as Set<string>).add(corner);
  expect(met.size).toBe(4);
});

test("[STORE-1] shows it in its default corner to the next user who signs in", () => {
  vi.stubGlobal("window", { matchMedia: () => ({ matches: false }) });
  setCorner("bottom-start");
  expect(cornerNow()).toBe("bottom-start");
  clearForSignOut();
  acknowledgeEnd();
  expect(cornerNow()).toBe("bottom-end");
});

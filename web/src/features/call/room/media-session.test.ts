import { expect, test, vi } from "vitest";
import { keysFor, type MediaKeys } from "./media-session.ts";

const keys: MediaKeys = {
  toggleMicrophone: vi.fn<() => void>(),
  toggleCamera: vi.fn<() => void>(),
  hangUp: vi.fn<() => void>(),
  next: vi.fn<() => void>(),
};

test("switches, hangs up and goes to the next partner by media keys in a call", () => {
  for (const status of ["connecting", "in-call"] as const) {
    expect(keysFor(status, keys)).toEqual({
      togglemicrophone: keys.toggleMicrophone,
      togglecamera: keys.toggleCamera,
      hangup: keys.hangUp,
      nexttrack: keys.next,
    });
  }
});

test("registers no Next without a partner, and no keys on home", () => {
  expect(Object.keys(keysFor("searching", keys))).toEqual(["togglemicrophone", "togglecamera", "hangup"]);
  expect(keysFor("idle", keys)).toEqual({});
});

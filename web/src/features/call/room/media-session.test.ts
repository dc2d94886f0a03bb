import { expect, test, vi } from "vitest";
import { keysFor, type MediaKeys } from "./media-session.ts";

const keys: MediaKeys = {
  toggleMicrophone: vi.fn<() => void>(),
  toggleCamera: vi.fn<() => void>(),
  hangUp: vi.fn<() => void>(),
  next: vi.fn<() => void>(),
};

test("in a call the media keys switch, hang up and go on to the next person", () => {
  for (const status of ["connecting", "in-call"] as const) {
    expect(keysFor(status, keys)).toEqual({
      togglemicrophone: keys.toggleMicrophone,
      togglecamera: keys.toggleCamera,
      hangup: keys.hangUp,
      nexttrack: keys.next,
    });
  }
});

test("while nobody is there, there is no next one; at home the keys are the browser's", () => {
  expect(Object.keys(keysFor("searching", keys))).toEqual(["togglemicrophone", "togglecamera", "hangup"]);
  expect(keysFor("idle", keys)).toEqual({});
});

import { afterEach, expect, test, vi } from "vitest";
import { missingCallSupport } from "./call-support.ts";

afterEach(() => void vi.unstubAllGlobals());

test("accepts a browser with all features", () => {
  expect(missingCallSupport()).toBeNull();
});

test("rejects a browser without WebRTC", () => {
  vi.stubGlobal("RTCPeerConnection", undefined);
  expect(missingCallSupport()).toBe("blocked");
});

test.each([
  ["Firefox 131", () => vi.stubGlobal("HTMLVideoElement", class {})],
  ["Chrome 122 and Safari 17.4", () => vi.stubGlobal("CSS", { supports: () => false })],
])("finds what %s lack", (_browser, lack) => {
  lack();
  expect(missingCallSupport()).toBe("old");
});

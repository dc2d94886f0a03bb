import { FakeLocks } from "#testing/fake-locks.ts";

/**
 * Unit tests run without a browser. They get one that can have calls (`missingCallSupport`) and has only this tab; a test of
 * another browser removes features.
 */
Object.assign(globalThis, {
  RTCPeerConnection: function unused(): void {},
  HTMLVideoElement: class {
    requestVideoFrameCallback(): void {}
  },
  CSS: { supports: () => true },
});
const navigator = { locks: new FakeLocks().manager, platform: "", userAgent: "", maxTouchPoints: 0 };
Object.defineProperty(globalThis, "navigator", { configurable: true, value: navigator });

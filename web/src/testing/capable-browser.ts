import { FakeLocks } from "#testing/fake-locks.ts";

/**
 * Units run without a browser. For them there is one that can have calls (`whyNoCalls`) and that has this tab alone; a test
 * of another one stubs what it lacks.
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

/**
 * Units run without a browser. For them there is one that can have calls (`whyNoCalls`); a test of another one stubs what it
 * lacks.
 */
Object.assign(globalThis, {
  RTCPeerConnection: function unused(): void {},
  HTMLVideoElement: class {
    requestVideoFrameCallback(): void {}
  },
  CSS: { supports: () => true },
});

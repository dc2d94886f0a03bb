/**
 * Why this browser cannot have calls; null if it can. It tests features, because user agents are unreliable.
 *
 * - old: it lacks a feature of Chrome and Edge 123, Firefox 132 and Safari 17.5 and later.
 * - blocked: it has no WebRTC, as in Lockdown Mode, in Tor Browser, with an extension that blocks it, or inside some
 *   apps.
 */
export function missingCallSupport(): "old" | "blocked" | null {
  if (!hasWhatFloorHas()) return "old";
  return typeof RTCPeerConnection === "function" ? null : "blocked";
}

/** Tests the newest features that the page requires in each browser. */
function hasWhatFloorHas(): boolean {
  return (
    // Firefox 132.
    "requestVideoFrameCallback" in HTMLVideoElement.prototype &&
    // Chrome and Edge 123, Safari 17.5: without it nothing has a colour.
    CSS.supports("color", "light-dark(red, red)")
  );
}

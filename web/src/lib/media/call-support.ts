/**
 * Why this browser cannot have calls; null where it can. What decides is what the browser has: a user agent says what it likes.
 *
 * - old: it lacks something that every browser has from Chrome or Edge 123, Firefox 132 and Safari 17.5 on.
 * - blocked: it has no WebRTC, as in Lockdown Mode, in Tor Browser, with an extension that blocks it, or inside some apps.
 */
export function whyNoCalls(): "old" | "blocked" | null {
  if (!hasWhatFloorHas()) return "old";
  return typeof RTCPeerConnection === "function" ? null : "blocked";
}

/** Each is the youngest that its browser has of what the page cannot do without. */
function hasWhatFloorHas(): boolean {
  return (
    // Firefox 132.
    "requestVideoFrameCallback" in HTMLVideoElement.prototype &&
    // Chrome and Edge 123, Safari 17.5: without it nothing has a colour.
    CSS.supports("color", "light-dark(red, red)")
  );
}

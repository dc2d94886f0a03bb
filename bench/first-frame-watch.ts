/** What a page has noted of its newest call, in milliseconds of its own clock. */
export interface FrameNotes {
  pressedMs: number;
  /** The match push arrived. */
  matchedMs: number;
  /** The other's offer came inside the push. */
  hadOffer: boolean;
  /** The first frame of the other person's picture was handed to the compositor. */
  firstFrameMs: number;
}

declare global {
  interface Window {
    frameNotes: FrameNotes;
  }
}

/**
 * Runs in the page before its own scripts: notes the press in the capture phase, so before the product hears of it, the
 * match push, and the first frame of the video whose name ends as given. Its inner functions stay without names, since
 * tsx wraps named ones in a helper that the page does not have.
 */
export function watchFirstFrame(remoteLabelEnd: string): void {
  const notes = { pressedMs: 0, matchedMs: 0, hadOffer: false, firstFrameMs: 0 };
  window.frameNotes = notes;
  document.addEventListener(
    "click",
    () => Object.assign(notes, { pressedMs: performance.now(), matchedMs: 0, hadOffer: false, firstFrameMs: 0 }),
    { capture: true },
  );
  const Original = window.WebSocket;
  window.WebSocket = class extends Original {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener("message", ({ data }) => {
        const text = String(data);
        if (!text.includes("100001")) return;
        notes.matchedMs = performance.now();
        notes.hadOffer = text.includes('"peerOffer":"');
      });
    }
  };
  // oxlint-disable-next-line typescript/unbound-method -- called below with the element it belongs to
  const request = HTMLVideoElement.prototype.requestVideoFrameCallback;
  HTMLVideoElement.prototype.requestVideoFrameCallback = function (callback) {
    return request.call(this, (nowMs, frame) => {
      const isRemote = this.getAttribute("aria-label")?.endsWith(remoteLabelEnd) ?? false;
      if (isRemote && notes.firstFrameMs === 0) notes.firstFrameMs = performance.now();
      callback(nowMs, frame);
    });
  };
}

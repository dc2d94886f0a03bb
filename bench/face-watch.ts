/** What a page has noted of its newest match, in milliseconds of its own clock; 0: has not happened. */
export interface FaceNotes {
  pressedMs: number;
  /** The match push arrived. */
  matchedMs: number;
  /** The other's offer came inside the push. */
  hadOffer: boolean;
  /** The first frame of the other person's picture was handed to the compositor. */
  frameMs: number;
  /** The picture was there with nothing over it, and the page had been painted so. */
  clearMs: number;
  /** Those over 50 ms that ran between the push and the first frame, as long as they were. */
  longTasksMs: number[];
}

declare global {
  interface Window {
    faceNotes: () => FaceNotes;
    longTasks: PerformanceEntry[];
    /** Of the benchmark: resolves nothing, and asks the page for nothing. */
    tellFaceClear?: () => unknown;
  }
}

/**
 * Runs in the page before its own scripts: notes the press in the capture phase, so before the product hears of it, the
 * match push, the first frame of the video whose name ends as given, and when it is clear: neither a blur, nor the own
 * picture of the search, nor an avatar covers its middle. Between push and clear face it only hears of changes of the
 * document; it asks for no frames and polls nothing. Its functions are methods, since tsx wraps named ones in a helper
 * that the page does not have.
 */
export function watchFace({ labelEnd }: { labelEnd: string }): void {
  const none = { matchedMs: 0, hadOffer: false, frameMs: 0, clearMs: 0 };
  const notes = { pressedMs: 0, ...none };
  const watch = {
    /** Of the match before: it may still be there when the next push comes. */
    before: null as Element | null,
    seen: null as HTMLVideoElement | null,
    video() {
      return document.querySelector<HTMLVideoElement>(`video[aria-label$="${labelEnd}"]`);
    },
    look() {
      const video = watch.video();
      if (!video || video === watch.before) return;
      if (video !== watch.seen) {
        watch.seen = video;
        video.requestVideoFrameCallback((_, { presentationTime }) => {
          if (notes.frameMs === 0) {
            // Not now: the product's own callback may have run before this one, and for long.
            notes.frameMs = presentationTime;
          }
          watch.look();
        });
      }
      if (notes.frameMs === 0 || video.hasAttribute("data-hidden")) return;
      const { left, top, width, height } = video.getBoundingClientRect();
      const inFront = document.elementsFromPoint(left + width / 2, top + height / 2);
      const at = inFront.indexOf(video);
      if (at < 0 || inFront.slice(0, at).some((element) => element.matches("canvas, video"))) return;
      changes.disconnect();
      // A message comes after the paint of the frame in which it was sent.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          notes.clearMs = performance.now();
          window.tellFaceClear?.();
        };
        port2.postMessage(null);
      });
    },
  };
  const changes = new MutationObserver(() => watch.look());
  window.faceNotes = () => ({
    ...notes,
    longTasksMs: window.longTasks
      .filter(({ startTime, duration }) => startTime < notes.frameMs && startTime + duration > notes.matchedMs)
      .map(({ duration }) => duration),
  });
  document.addEventListener("click", () => Object.assign(notes, { pressedMs: performance.now(), ...none }), {
    capture: true,
  });
  const Original = window.WebSocket;
  window.WebSocket = class extends Original {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener("message", ({ data }) => {
        const text = String(data);
        if (!text.includes("100001")) return;
        const hadOffer = text.includes('"peerOffer":"');
        Object.assign(notes, none, { matchedMs: performance.now(), hadOffer });
        watch.before = watch.video();
        changes.observe(document, {
          subtree: true,
          childList: true,
          attributeFilter: ["hidden", "data-hidden"],
        });
      });
    }
  };
}

/** Runs in the page beside it: gathers what the browser calls long, which is 50 ms and more. */
export function watchLongTasks(): void {
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries())).observe({ type: "longtask" });
}

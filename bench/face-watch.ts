/** Times of the newest match, in milliseconds of the page's clock; 0: not yet. */
export interface FaceNotes {
  /** The time stamp of the input event, so that a busy page's delay before its handler counts. */
  pressedMs: number;
  matchedMs: number;
  /** The push contained the partner's offer. */
  hadOffer: boolean;
  /** When the first frame of the partner's picture went to the compositor. */
  frameMs: number;
  /** When the picture was painted with nothing over it. */
  clearMs: number;
  /** Durations of tasks over 50 ms that ran between the push and the first frame. */
  longTasksMs: number[];
}

declare global {
  interface Window {
    faceNotes: () => FaceNotes;
    longTasks: PerformanceEntry[];
    /** A function of the benchmark; the page ignores its result. */
    tellFaceClear?: () => unknown;
  }
}

/**
 * Runs in the page before its own scripts. It notes the press (in the capture phase, so before the product), the match
 * push, the first frame of the video whose label ends with `labelEnd`, and when that video is clear: no blur, no
 * preview of the search and no avatar covers its middle. Between push and clear face it only observes changes of the
 * document; what is in front of the video it asks after the paint, when the layout is known, in a task of its own. Its
 * functions are methods, since tsx wraps named functions in a helper that the page does not have.
 */
export function watchFace({ labelEnd }: { labelEnd: string }): void {
  const none = { matchedMs: 0, hadOffer: false, frameMs: 0, clearMs: 0 };
  const notes = { pressedMs: 0, ...none };
  const watch = {
    /** What the video played when the push came; the next call may use the same element. */
    before: null as MediaProvider | null,
    isAsked: false,
    video() {
      return document.querySelector<HTMLVideoElement>(`video[aria-label$="${labelEnd}"]`);
    },
    look() {
      const video = watch.video();
      if (watch.isAsked || !video || (watch.before && video.srcObject === watch.before)) return;
      watch.isAsked = true;
      video.requestVideoFrameCallback((_, { presentationTime }) => {
        // Not the current time: the product's own callback may have run before this one, and for long.
        notes.frameMs = presentationTime;
        watch.lookAfterPaint();
      });
    },
    /** The task follows the paint of this frame, before work of the page that waits for its turn. */
    lookAfterPaint() {
      void scheduler.postTask(() => watch.tellIfClear(), { priority: "user-blocking" });
    },
    tellIfClear() {
      const nowMs = performance.now();
      const video = watch.video();
      if (notes.frameMs === 0 || notes.clearMs > 0 || !video || video.hasAttribute("data-hidden")) return;
      const { left, top, width, height } = video.getBoundingClientRect();
      const inFront = document.elementsFromPoint(left + width / 2, top + height / 2);
      const at = inFront.indexOf(video);
      if (at < 0 || inFront.slice(0, at).some((element) => element.matches("canvas, video"))) return;
      changes.disconnect();
      notes.clearMs = nowMs;
      window.tellFaceClear?.();
    },
    changed() {
      if (notes.frameMs === 0) watch.look();
      else requestAnimationFrame(() => watch.lookAfterPaint());
    },
  };
  const changes = new MutationObserver(() => watch.changed());
  window.faceNotes = () => ({
    ...notes,
    longTasksMs: window.longTasks
      .filter(({ startTime, duration }) => startTime < notes.frameMs && startTime + duration > notes.matchedMs)
      .map(({ duration }) => duration),
  });
  document.addEventListener("click", ({ timeStamp }) => Object.assign(notes, { pressedMs: timeStamp, ...none }), {
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
        watch.before = watch.video()?.srcObject ?? null;
        watch.isAsked = false;
        changes.observe(document, {
          subtree: true,
          childList: true,
          attributeFilter: ["hidden", "data-hidden"],
        });
      });
    }
  };
}

/** Runs in the page as well: collects the tasks that the browser calls long (50 ms and more). */
export function watchLongTasks(): void {
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries())).observe({ type: "longtask" });
}

import { chromium, type Browser, type BrowserServer, type CDPSession, type Page } from "@playwright/test";
import type { FaceDevice } from "./face-person.ts";
import { type FaceBrowsers, faceLaunchOptions } from "./face-rounds.ts";
import { cpuUse, setTreePriority, type ThreadPriorities } from "./process-tree.ts";

/** The debugging session of each page that runs as a phone. */
const sessions = new WeakMap<Page, CDPSession>();

/** The first process of each phone. */
const processIds = new WeakMap<Browser, number>();

/**
 * Of a phone that goes first. A real one has a core for each busy thread; on fewer cores its slowed main threads would
 * wait for the threads of its own media.
 */
const firstPriorities: ThreadPriorities = { main: -20, others: -10 };
const usualPriorities: ThreadPriorities = { main: 0, others: 0 };

/** How long a finger touches a button; the press counts when it leaves. */
const touchMs = 80;

/** A cheap Android phone: its window, touch and pixels. `slowDown` makes its processor slow. */
export const phone: FaceDevice = {
  context: {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    userAgent:
      "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36",
  },
  async prepare(page) {
    const session = await page.context().newCDPSession(page);
    sessions.set(page, session);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.addInitScript(watchPhone);
  },
  async press(page, place) {
    const session = sessionOf(page);
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [place] });
    await page.waitForTimeout(touchMs);
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  },
};

/**
 * Slows the main thread of a page down, `rate` times; 1: not at all. Chromium does it with a loop that also runs while
 * the page is idle, and that slows no other thread.
 */
export async function slowDown(page: Page, rate: number): Promise<void> {
  await sessionOf(page).send("Emulation.setCPUThrottlingRate", { rate });
}

/**
 * Lets the processes of the phone that has this page go before all others, as if it had cores of its own, or no longer.
 * Returns whether the system allowed it: that needs root.
 */
export function goFirst(page: Page, isFirst: boolean): boolean {
  const browser = page.context().browser();
  const processId = browser && processIds.get(browser);
  if (!processId) throw new Error("the page is no phone");
  return setTreePriority(processId, isFirst ? firstPriorities : usualPriorities);
}

/** 1.6 Mbit/s down, 0.75 up, 150 ms a round trip. Chromium applies it to HTTP, not to calls. */
export async function slowNetwork(page: Page): Promise<void> {
  const session = sessionOf(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 93_750,
  });
}

/** Processor time of the tasks of a page's main thread since it was opened, in milliseconds; the loop counts in them. */
export async function taskMs(page: Page): Promise<number> {
  const { metrics } = await sessionOf(page).send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1_000;
}

function sessionOf(page: Page): CDPSession {
  const session = sessions.get(page);
  if (!session) throw new Error("the page is no phone");
  return session;
}

/** Three phones: each is a browser of its own, since all pages of one browser share its one fake camera. */
export interface Phones extends AsyncDisposable {
  readonly browsers: FaceBrowsers;
  /** Processor time of all their processes since they started, in seconds; NaN where the system does not count it. */
  processorSeconds(): number;
}

export async function openPhones(): Promise<Phones> {
  const hosts = await Promise.all([openPhone(), openPhone(), openPhone()]);
  const [one, other, third] = hosts;
  return {
    browsers: [one.browser, other.browser, third.browser],
    processorSeconds() {
      const uses = hosts.map(({ browser }) => cpuUse(processIds.get(browser) ?? 0));
      return uses.reduce((sum, use) => sum + (use ? use.ownMs + use.childrenMs : Number.NaN), 0) / 1_000;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(hosts.map(({ server }) => server.close()));
    },
  };
}

async function openPhone(): Promise<{ server: BrowserServer; browser: Browser }> {
  const { executablePath, args } = faceLaunchOptions();
  // The tests do without the optimizing compilers, which every phone has.
  const kept = args.filter((argument) => !argument.startsWith("--js-flags"));
  const server = await chromium.launchServer({ executablePath, args: kept });
  const browser = await chromium.connect(server.wsEndpoint());
  processIds.set(browser, server.process().pid ?? 0);
  return { server, browser };
}

/** Totals of the call in a page. */
export interface CallTotals {
  readonly taskMs: number;
  readonly frames: number;
  readonly droppedFrames: number;
  /** Of media, sent and received. */
  readonly bytes: number;
  /** Durations of all tasks over 50 ms. */
  readonly longTasksMs: readonly number[];
}

export async function callTotals(page: Page): Promise<CallTotals> {
  const totals = await page.evaluate(() => window.phone.totals());
  return { ...totals, taskMs: await taskMs(page) };
}

declare global {
  interface Window {
    phone: {
      peers: RTCPeerConnection[];
      /** Messages of the page's sockets wait until then, in milliseconds of its clock. */
      heldUntilMs: number;
      /** From the newest press to the paint of the search that it started; 0: none yet. */
      searchMs: number;
      totals(): Promise<Omit<CallTotals, "taskMs">>;
    };
  }
}

/**
 * Runs in the page before its own scripts. Its functions are methods, since tsx wraps named functions in a helper that
 * the page does not have.
 */
function watchPhone(): void {
  const watch = {
    peers: [] as RTCPeerConnection[],
    heldUntilMs: 0,
    searchMs: 0,
    async totals() {
      const [video] = [...document.querySelectorAll("video")].toSorted(
        (one, other) => other.getBoundingClientRect().width - one.getBoundingClientRect().width,
      );
      const { totalVideoFrames = 0, droppedVideoFrames = 0 } = video?.getVideoPlaybackQuality() ?? {};
      let bytes = 0;
      for (const peer of watch.peers)
        for (const row of ((await peer.getStats()) as unknown as Map<string, Record<string, number | string>>).values())
          if (row["type"] === "transport") bytes += Number(row["bytesSent"]) + Number(row["bytesReceived"]);
      const longTasksMs = window.longTasks.map(({ duration }) => duration);
      return { frames: totalVideoFrames, droppedFrames: droppedVideoFrames, bytes, longTasksMs };
    },
  };
  window.phone = watch;
  const Peer = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends Peer {
    constructor(options?: RTCConfiguration) {
      super(options);
      watch.peers = [...watch.peers.filter(({ connectionState }) => connectionState !== "closed"), this];
    }
  };
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    override send(data: Parameters<WebSocket["send"]>[0]) {
      const heldMs = watch.heldUntilMs - performance.now();
      if (heldMs > 0) setTimeout(() => super.send(data), heldMs);
      else super.send(data);
    }
  };
  document.addEventListener(
    "click",
    ({ timeStamp }) => {
      watch.searchMs = 0;
      if (document.querySelector("[data-match-state]")) return;
      const changes = new MutationObserver(() => {
        if (!document.querySelector("[data-match-state='1']")) return;
        changes.disconnect();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => (watch.searchMs = performance.now() - timeStamp);
          port2.postMessage(null);
        });
      });
      changes.observe(document, { subtree: true, childList: true, attributeFilter: ["data-match-state"] });
      setTimeout(() => changes.disconnect(), 5_000);
    },
    { capture: true },
  );
}

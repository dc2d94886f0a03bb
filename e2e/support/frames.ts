import { type BrowserContext, expect, type Page } from "@playwright/test";
import { isFirefox } from "./engine.ts";

interface Push {
  code: number;
  [field: string]: unknown;
}

/** The messages of a page's chat sockets, oldest first. */
export interface Frames {
  readonly received: readonly string[];
  readonly sent: readonly string[];
  pushes(code?: number): Push[];
}

declare global {
  interface Window {
    frameOfTheTest: (direction: "received" | "sent", text: string) => Promise<void>;
  }
}

const kept = new WeakMap<Page, { received: string[]; sent: string[] }>();

/** Records every message of a page and of pages that its browser opens later, from now on. */
export async function collectFrames(page: Page): Promise<void> {
  const known = kept.get(page);
  if (known) known.received.length = known.sent.length = 0;
  else {
    const context = page.context();
    if (isFirefox(page)) await reportFramesIn(context);
    keepFrames(page);
    context.on("page", keepFrames);
  }
}

/** The pages report their messages, because WebDriver BiDi has no events of sockets. */
async function reportFramesIn(context: BrowserContext): Promise<void> {
  await context.exposeBinding("frameOfTheTest", ({ page }, direction: "received" | "sent", text: string) => {
    kept.get(page)?.[direction].push(text);
  });
  await context.addInitScript(reportFrames);
}

/** Runs in every page before the page's own scripts. */
function reportFrames(): void {
  const Original = window.WebSocket;
  window.WebSocket = class extends Original {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener("message", ({ data }) => void window.frameOfTheTest("received", String(data)));
    }
    override send(data: string | ArrayBuffer | Blob | ArrayBufferView<ArrayBuffer>): void {
      if (typeof data === "string") void window.frameOfTheTest("sent", data);
      super.send(data);
    }
  };
}

function keepFrames(page: Page): void {
  const frames = { received: [] as string[], sent: [] as string[] };
  kept.set(page, frames);
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => void frames.received.push(String(payload)));
    socket.on("framesent", ({ payload }) => void frames.sent.push(String(payload)));
  });
}

export function framesOf(page: Page): Frames {
  const { received, sent } = kept.get(page) ?? { received: [], sent: [] };
  return {
    received,
    sent,
    pushes(code) {
      const frames = received.map((text) => JSON.parse(text) as { type: string; push?: Push });
      return frames.flatMap(({ push }) => (push && (code === undefined || push.code === code) ? [push] : []));
    },
  };
}

/** Waits until the chat session of a page is open, so that pushes reach it. */
export async function expectConnected(page: Page): Promise<void> {
  await expect.poll(() => framesOf(page).received.some((frame) => frame.includes('"welcome"'))).toBe(true);
}

import { expect, type Page } from "@playwright/test";

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

const kept = new WeakMap<Page, { received: string[]; sent: string[] }>();

/** Records every message of a page and of pages that its browser opens later, from now on. */
export function collectFrames(page: Page): void {
  const known = kept.get(page);
  if (known) known.received.length = known.sent.length = 0;
  else {
    keepFrames(page);
    page.context().on("page", keepFrames);
  }
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

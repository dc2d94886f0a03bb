import type { BrowserContext, Page } from "@playwright/test";

export interface Push {
  code: number;
  [field: string]: unknown;
}

/** What the server sent to a page over its chat sockets, oldest first. */
export interface Received {
  readonly texts: readonly string[];
  pushes(code?: number): Push[];
}

const received = new WeakMap<Page, string[]>();

/** Keeps every text that the pages of a context receive; called before they open a socket. */
export function collectFrames(context: BrowserContext): void {
  context.on("page", (page) => {
    const texts: string[] = [];
    received.set(page, texts);
    page.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => void texts.push(String(payload)));
    });
  });
}

export function framesOf(page: Page): Received {
  const texts = received.get(page) ?? [];
  return {
    texts,
    pushes(code) {
      const frames = texts.map((text) => JSON.parse(text) as { type: string; push?: Push });
      return frames.flatMap(({ push }) => (push && (code === undefined || push.code === code) ? [push] : []));
    },
  };
}

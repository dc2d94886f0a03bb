import { flushSync } from "react-dom";
import { vi } from "vitest";
import { page } from "vitest/browser";
import { cleanup, render, renderHook } from "vitest-browser-react";
import type { OwnUser } from "@fava/wire/people.ts";
import { App } from "#app/App.tsx";
import { preloadRoute } from "#app/routes.tsx";
import { correctServerClock } from "#lib/api/server-clock.ts";
import { keepSignKey } from "#lib/api/sign-keys.ts";
import { activateLanguage } from "#lib/i18n.ts";
import type { Language } from "#lib/languages.ts";
import { closeMedia } from "#lib/media/local-media.ts";
import { closeAllOverlays, useOverlays } from "#lib/overlays.ts";
import { restored, startSession } from "#lib/session.ts";
import { applyTheme } from "#lib/theme.ts";
import { dismissPassingToasts } from "#ui/toast-store.ts";
import { afterEachTest } from "#testing/test-cleanup.ts";
import { type Answers, type FixtureSocket, FixtureWorld } from "#testing/fixture-world.ts";
import { FixtureUpload } from "#testing/fixture-upload.ts";
import { memberAnswers, visitorAnswers } from "#testing/fixtures.ts";
import { fieldsOf } from "#testing/form-fields.ts";

export const desktop = { width: 1440, height: 900 } as const;
export const phone = { width: 390, height: 844 } as const;

export interface PageOptions {
  path?: string;
  /** The user who is signed in; by default none. */
  as?: OwnUser;
  /** Responses in addition to the default ones for a visitor or member. */
  answers?: Answers;
  language?: Language;
  window?: { width: number; height: number };
  /** What the browser's storage contains before the page opens. */
  stored?: Readonly<Record<string, string>>;
  /**
   * How far the server's clock, in the date header of its responses, is ahead of the device's. No date header by
   * default.
   */
  serverAheadMs?: number;
}

const bareAddress = location.href;
/** A key that signs; nobody verifies. */
const signKey = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
let opened: { server: FixtureWorld; owner: AbortController } | null = null;
let sessions = 0;

/**
 * Opens the whole page as `main.tsx` does, in this test's window and with fixtures as its server. It closes after the
 * test; a request without a response, or a response that breaks the contract, fails the test.
 *
 * Modules live on from test to test and from file to file: `test-cleanup.ts` resets them.
 */
export async function openPage(options: PageOptions = {}): Promise<FixtureWorld> {
  const { path = "/", as, answers = {}, language = "en", window: size = desktop, stored = {} } = options;
  if (opened) throw new Error("a test can open only one page");
  const server = new FixtureWorld({ ...(as ? memberAnswers(as) : visitorAnswers), ...answers });
  opened = { server, owner: new AbortController() };
  answerFrom(server, options.serverAheadMs);
  await page.viewport(size.width, size.height);
  history.replaceState(null, "", path);
  for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value);
  if (as) await keepSession(as);
  await activateLanguage(language, { remember: false });
  applyTheme();
  startSession(opened.owner.signal);
  await Promise.all([preloadRoute(location.pathname), location.pathname === "/" && restored()]);
  // The production build of React renders without waiting: afterwards the page is there in any case.
  await flushSync(() => render(<App />));
  return server;
}

afterEachTest(async () => {
  if (!opened) return;
  const { server, owner } = opened;
  opened = null;
  closeAllOverlays();
  dismissPassingToasts();
  closeMedia();
  correctServerClock(Date.now());
  try {
    // A dialog that is still closing would appear on the next page.
    await dialogsGone();
  } finally {
    await cleanup();
    localStorage.clear();
    // Like another tab's sign-out: modules drop their data of the user, such as the wallet, with the session.
    window.dispatchEvent(new StorageEvent("storage", { key: "loginToken" }));
    owner.abort();
    history.replaceState(null, "", bareAddress);
  }
  if (server.faults.length > 0) throw new Error(`faults of the page or its fixtures: ${server.faults.join("; ")}`);
});

/** A closed dialog stays until its animation is over. */
export async function dialogsGone(): Promise<void> {
  const { result: overlays } = await flushSync(() => renderHook(useOverlays));
  await vi.waitUntil(() => overlays.current.length === 0, { timeout: 15_000 });
  await vi.waitUntil(() => document.querySelector('[role="dialog"], [role="alertdialog"]') === null);
}

/** Another tab of the browser signs in. */
export async function signInElsewhere(user: OwnUser): Promise<void> {
  await keepSession(user);
  window.dispatchEvent(new StorageEvent("storage", { key: "loginToken" }));
}

async function keepSession(user: OwnUser): Promise<void> {
  // Each session has a new token, because the page takes the same token for the same session.
  sessions += 1;
  const token = `token-${sessions}`;
  await keepSignKey(token, signKey);
  const kept = {
    loginToken: token,
    tencentCloudToken: "sign",
    externalId: user.externalId,
    uid: user.user_id,
    nickname: user.nickname,
    user_avatar: user.avatar,
  };
  for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, String(value));
}

function answerFrom(server: FixtureWorld, serverAheadMs: number | undefined): void {
  const carry = globalThis.fetch.bind(globalThis);
  vi.stubGlobal("fetch", async (input: string, init?: RequestInit) => {
    const { pathname, searchParams } = new URL(input, location.href);
    if (pathname === "/healthz" && server.isAway) throw new TypeError("Failed to fetch");
    if (pathname === "/healthz") return Response.json({ status: "up" });
    const isCall = pathname.startsWith("/api/") || pathname.startsWith("/admin/");
    if (!isCall && pathname !== "/gateway/entry") return carry(input, init);
    const answer = isCall
      ? server.call(pathname, fieldsOf(init?.body as Uint8Array))
      : server.gateway(searchParams.get("Api_data") ?? "");
    const said = await Promise.race([answer, aborted(init?.signal)]);
    if (said === null) throw new TypeError("Failed to fetch");
    if (serverAheadMs === undefined) return Response.json(said);
    return Response.json(said, { headers: { date: new Date(Date.now() + serverAheadMs).toUTCString() } });
  });
  // Uploads use `XMLHttpRequest`, because it reports progress.
  vi.stubGlobal(
    "XMLHttpRequest",
    class extends FixtureUpload {
      constructor() {
        super((path, body) => server.call(path, fieldsOf(body), fileOf(body)));
      }
    },
  );
  vi.stubGlobal(
    "WebSocket",
    class extends FixtureWebSocket {
      constructor() {
        super(server);
      }
    },
  );
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

/** The file of a form as `lib/api/request.ts` writes it, byte for byte; null without one. */
function fileOf(body: Uint8Array): Uint8Array<ArrayBuffer> | null {
  // One character per byte, so that text positions are byte positions.
  const text = new TextDecoder("latin1").decode(body);
  const head = /filename="f"\r\nContent-Type: [^\r]+\r\n\r\n/.exec(text);
  if (!head) return null;
  const boundary = text.slice(0, text.indexOf("\r\n"));
  return body.slice(head.index + head[0].length, text.lastIndexOf(`\r\n${boundary}--`));
}

/** The page's end of a socket whose other end is a fixture. */
class FixtureWebSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;

  readyState: number = FixtureWebSocket.CONNECTING;
  readonly #end: FixtureSocket;

  constructor(server: FixtureWorld) {
    super();
    this.#end = server.connect(
      (text) => {
        if (this.readyState === FixtureWebSocket.OPEN) this.dispatchEvent(new MessageEvent("message", { data: text }));
      },
      () => this.close(1_006),
    );
    queueMicrotask(() => {
      if (this.readyState !== FixtureWebSocket.CONNECTING) return;
      if (server.isAway) return this.close(1_006);
      this.readyState = FixtureWebSocket.OPEN;
      this.dispatchEvent(new Event("open"));
    });
  }

  send(text: string): void {
    this.#end.hear(text);
  }

  close(code = 1_005): void {
    if (this.readyState === FixtureWebSocket.CLOSED) return;
    this.readyState = FixtureWebSocket.CLOSED;
    this.#end.isClosed = true;
    this.dispatchEvent(new CloseEvent("close", { code }));
  }
}

import { createStore, useStore } from "zustand";
import { reachabilityCheckTimeoutMs, socketGraceMs } from "@fava/wire/limits.ts";

/**
 * Whether this page can reach the server; the only source for everything that shows it.
 *
 * fine: as far as known. offline: the browser has no network. away: it has one, but the server does not respond.
 */
type Reachability = "fine" | "offline" | "away";

export interface Connection {
  readonly reach: Reachability;
  /** Since when `reach` has this value, in milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** closed: this tab needs no socket. waiting: the socket is being opened. quiet: it does not respond. */
type SocketSign = "closed" | "waiting" | "live" | "quiet";

/** Any response from this path means that the server is up, except the errors of a proxy without a backend. */
const reachPath = "/healthz";
const gatewayErrors: ReadonlySet<number> = new Set([502, 503, 504]);
/** Interval of probes while nothing responds, plus jitter; longer on a hidden page. */
const askAgainMs = 1_500;
const askAgainHiddenMs = 15_000;

const store = createStore<Connection>(() => ({ reach: "fine", sinceMs: 0 }));
const backListeners = new Set<() => void>();
const answerListeners = new Set<() => void>();

let isFollowed = false;
let isOffline = false;
let isSilent = false;
let socket: SocketSign = "closed";
/** Whether opening the socket takes longer than `socketGraceMs`. */
let isSocketLate = false;
let graceTimer: ReturnType<typeof setTimeout> | undefined;
let askTimer: ReturnType<typeof setTimeout> | undefined;
let asking: Promise<void> | null = null;

/** Read the state, or subscribe to it, outside of React. */
export const connection: Pick<typeof store, "getState" | "subscribe"> = store;

export function useConnection(): Connection {
  return useStore(store);
}

export function useReachability(): Reachability {
  return useStore(store, ({ reach }) => reach);
}

export function isReachable(): boolean {
  return store.getState().reach === "fine";
}

/** Calls `listener` each time the server can be reached again, to reload what is shown; returns how to unsubscribe. */
export function onReachableAgain(listener: () => void): () => void {
  backListeners.add(listener);
  return () => backListeners.delete(listener);
}

/**
 * Calls `listener` when the server responds again, so that a lost socket reconnects at once; returns how to
 * unsubscribe.
 */
export function onServerAnswer(listener: () => void): () => void {
  answerListeners.add(listener);
  return () => answerListeners.delete(listener);
}

/** Follows whether the server can be reached, and the browser's online state, until `signal` aborts. */
export function followConnection(signal: AbortSignal): void {
  isFollowed = true;
  const offline = () => {
    isOffline = true;
    tell();
  };
  // The network may be a captive portal: only a response proves that the server can be reached.
  const online = () => {
    isSocketLate = false;
    if (socket === "waiting" || socket === "quiet") noteSocket("waiting");
    void probeServer();
  };
  window.addEventListener("offline", offline, { signal });
  window.addEventListener("online", online, { signal });
  signal.addEventListener("abort", () => {
    isFollowed = false;
    clearTimeout(askTimer);
    noteSocket("closed");
    [isOffline, isSilent] = [false, false];
    tell();
  });
  if (!navigator.onLine) offline();
}

/** Call it when a request got any response. */
export function noteAnswer(): void {
  clearTimeout(askTimer);
  const wasAway = isOffline || isSilent;
  [isOffline, isSilent] = [false, false];
  tell();
  if (wasAway) for (const listener of answerListeners) listener();
}

/** Reports the state of this tab's chat socket. */
export function noteSocket(sign: SocketSign): void {
  clearTimeout(graceTimer);
  socket = sign;
  isSocketLate = sign === "quiet" || (sign === "waiting" && isSocketLate);
  if (sign === "waiting") {
    graceTimer = setTimeout(() => {
      isSocketLate = true;
      tell();
    }, socketGraceMs);
  }
  if (sign === "quiet") void probeServer();
  tell();
}

/** A tab without a socket has to probe by itself. */
export function hasSocket(): boolean {
  return socket !== "closed";
}

/**
 * Probes the server: after a request without a response, a lost socket, or a press on "Try now". One probe at a time,
 * and none while the connection is not followed.
 */
export async function probeServer(): Promise<void> {
  if (!isFollowed) return;
  clearTimeout(askTimer);
  asking ??= ask().finally(() => {
    asking = null;
  });
  await asking;
}

async function ask(): Promise<void> {
  const asked = fetch(reachPath, { cache: "no-store", signal: AbortSignal.timeout(reachabilityCheckTimeoutMs) });
  // Any failure means the same: no response.
  const answer = await asked.catch(() => null);
  if (!isFollowed) return;
  if (answer && !gatewayErrors.has(answer.status)) return noteAnswer();
  isOffline = !navigator.onLine;
  isSilent = true;
  tell();
  askLater();
}

function askLater(): void {
  clearTimeout(askTimer);
  const delayMs = document.hidden ? askAgainHiddenMs : askAgainMs;
  askTimer = setTimeout(() => void probeServer(), delayMs * (1 + Math.random() / 2));
}

function reachOf(): Reachability {
  if (isOffline) return "offline";
  return isSilent || isSocketLate ? "away" : "fine";
}

function tell(): void {
  const reach = reachOf();
  const before = store.getState().reach;
  if (reach === before) return;
  store.setState({ reach, sinceMs: Date.now() });
  if (reach === "fine") for (const listener of backListeners) listener();
}

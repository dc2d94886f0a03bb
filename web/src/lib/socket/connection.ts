import { createStore, useStore } from "zustand";
import { reachAskMs, socketGraceMs } from "@fava/wire/limits.ts";

/**
 * Whether this page and Fava can hear each other; the one answer for everything that is shown.
 *
 * fine: as far as is known. offline: the browser has no network. away: it has, and Fava does not answer.
 */
type Reach = "fine" | "offline" | "away";

export interface Connection {
  readonly reach: Reach;
  /** Since when it is so, milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** closed: this tab needs none. waiting: it is being opened. quiet: it does not answer. */
type SocketSign = "closed" | "waiting" | "live" | "quiet";

/** Something answers the address of Fava, and is not a proxy that says that nothing is behind it. */
const reachPath = "/healthz";
const gatewayErrors: ReadonlySet<number> = new Set([502, 503, 504]);
/** While nothing answers it is asked again after this long and a part of it more, and seldom where nobody looks. */
const askAgainMs = 1_500;
const askAgainHiddenMs = 15_000;

const store = createStore<Connection>(() => ({ reach: "fine", sinceMs: 0 }));
const backListeners = new Set<() => void>();
const answerListeners = new Set<() => void>();

let isFollowed = false;
let isOffline = false;
let isSilent = false;
let socket: SocketSign = "closed";
/** The socket is waited for longer than opening one takes. */
let isSocketLate = false;
let graceTimer: ReturnType<typeof setTimeout> | undefined;
let askTimer: ReturnType<typeof setTimeout> | undefined;
let asking: Promise<void> | null = null;

/** Read it, or subscribe to it, outside React. */
export const connection: Pick<typeof store, "getState" | "subscribe"> = store;

export function useConnection(): Connection {
  return useStore(store);
}

export function useReach(): Reach {
  return useStore(store, ({ reach }) => reach);
}

export function isReachable(): boolean {
  return store.getState().reach === "fine";
}

/** Tells `listener` each time Fava can be reached again, so that what is shown is fetched anew; answers how to stop. */
export function onBack(listener: () => void): () => void {
  backListeners.add(listener);
  return () => backListeners.delete(listener);
}

/** Tells `listener` that Fava answers again, which a lost socket need not wait to find out; answers how to stop. */
export function onAnswerAgain(listener: () => void): () => void {
  answerListeners.add(listener);
  return () => answerListeners.delete(listener);
}

/** Follows whether Fava can be reached, and the browser's own word on the network, until `signal` is aborted. */
export function followConnection(signal: AbortSignal): void {
  isFollowed = true;
  const offline = () => {
    isOffline = true;
    tell();
  };
  // It may be another network, with a wall: only an answer says that it is over.
  const online = () => {
    isSocketLate = false;
    if (socket === "waiting" || socket === "quiet") noteSocket("waiting");
    void askForAnswer();
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

/** A call was answered, whatever the answer. */
export function noteAnswer(): void {
  clearTimeout(askTimer);
  const wasAway = isOffline || isSilent;
  [isOffline, isSilent] = [false, false];
  tell();
  if (wasAway) for (const listener of answerListeners) listener();
}

/** What the chat socket of this tab is like. */
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
  if (sign === "quiet") void askForAnswer();
  tell();
}

/** A socket tells of itself; a tab without one has to ask. */
export function hasSocket(): boolean {
  return socket !== "closed";
}

/**
 * Asks whether anything answers: after a call without an answer, a socket that was lost, by a press on "Try now". One
 * question at a time, and none where nobody follows.
 */
export async function askForAnswer(): Promise<void> {
  if (!isFollowed) return;
  clearTimeout(askTimer);
  asking ??= ask().finally(() => {
    asking = null;
  });
  await asking;
}

async function ask(): Promise<void> {
  const asked = fetch(reachPath, { cache: "no-store", signal: AbortSignal.timeout(reachAskMs) });
  // Why there is none does not matter.
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
  askTimer = setTimeout(() => void askForAnswer(), delayMs * (1 + Math.random() / 2));
}

function reachOf(): Reach {
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

import { codes } from "@fava/wire/codes.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { matchInfo } from "@fava/wire/endpoints/match.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import { createStore, useStore } from "zustand";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { smallRequest } from "#lib/api/request.ts";
import { closeOverlay, openOverlay, type OverlayResult } from "#lib/overlays.ts";
import { currentUser } from "#lib/session.ts";
import { readStored } from "#lib/storage.ts";
import { mayHaveCall } from "./stored-call.ts";

/** A call of the user that this page is not in, and that a dialog asks about. */
interface OpenCall {
  readonly match: MatchedPush;
  /** Until when the user may return to it, in milliseconds since the epoch; null while another tab is in it. */
  readonly untilMs: number | null;
}

/** Retry interval for a call that no server owns: after a crash another server takes it over within seconds. */
export const lostCallRetryMs = 500;

type Question = "return-call" | "take-over";

const store = createStore<{ open: OpenCall | null }>(() => ({ open: null }));
const listeners = new Set<(match: MatchedPush) => void>();
/** The chosen call, if no listener was registered yet: the call's code loads after the rest of the page. */
let taken: MatchedPush | null = null;

export function useOpenCall(): OpenCall | null {
  return useStore(store, ({ open }) => open);
}

export function openCall(): OpenCall | null {
  return store.getState().open;
}

/** Asks about a call; resolves to null if the question was withdrawn before the user answered. */
export async function askAboutCall(open: OpenCall, question: Question): Promise<OverlayResult | null> {
  store.setState({ open });
  const result = await openOverlay(question);
  if (openCall() !== open) return null;
  store.setState({ open: null });
  return result;
}

export function takeBack(question: Question): void {
  store.setState({ open: null });
  closeOverlay(question);
}

/**
 * The call of the user as the server knows it; null if the server gives no answer. For `patienceMs` it retries while no
 * server owns the call, because its server may just have crashed.
 */
export async function presentCall(patienceMs = 0): Promise<OutputOf<typeof matchInfo> | null> {
  // Works before the session is confirmed: the request's signature identifies the user.
  const userId = currentUser()?.user_id ?? readStored("uid");
  if (userId === null) return null;
  const untilMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return await smallRequest(matchInfo, { user_id: userId });
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      if (error.code !== codes.unavailable || performance.now() >= untilMs) return null;
    }
    await new Promise((resolve) => setTimeout(resolve, lostCallRetryMs));
  }
}

/**
 * Asks before this tab takes camera and chat session from another tab that is in a call. Resolves to false if there is
 * such a tab: the answer to the question replaces what was pressed.
 */
export async function askTakeOver(): Promise<boolean> {
  if (!mayHaveCall()) return true;
  const info = await presentCall();
  if (!info?.match || info.return_ms !== null) return true;
  const { match } = info;
  if ((await askAboutCall({ match, untilMs: null }, "take-over")) !== "done") return false;
  if (listeners.size === 0) taken = match;
  for (const listener of listeners) listener(match);
  return false;
}

/** Calls the listener with a call of another tab that this tab shall continue. Returns how to unsubscribe. */
export function onCallTaken(listener: (match: MatchedPush) => void): () => void {
  listeners.add(listener);
  if (taken) listener(taken);
  taken = null;
  return () => void listeners.delete(listener);
}

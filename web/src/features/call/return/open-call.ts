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
import { mayHaveCall } from "./kept-call.ts";

/** A call of this person that this page is not in, and that a dialog asks about. */
interface OpenCall {
  readonly match: MatchedPush;
  /** Until when it may be gone back to; null while another tab is in it. */
  readonly untilMs: number | null;
}

/** A call that nobody has is asked for this often: after the end of its server another one has it within a few seconds. */
export const lostCallRetryMs = 500;

type Question = "return-call" | "take-over";

const store = createStore<{ open: OpenCall | null }>(() => ({ open: null }));
const listeners = new Set<(match: MatchedPush) => void>();
/** Chosen before anybody listened: the call is loaded after the rest of the page. */
let taken: MatchedPush | null = null;

export function useOpenCall(): OpenCall | null {
  return useStore(store, ({ open }) => open);
}

export function openCall(): OpenCall | null {
  return store.getState().open;
}

/** Asks about a call; null where the question was taken back before it was answered. */
export async function askAbout(open: OpenCall, question: Question): Promise<OverlayResult | null> {
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
 * What the server knows of a call of this person; null where it cannot be asked. For `patienceMs` it is asked again while
 * nobody has their call, because its server has only just died.
 */
export async function presentCall(patienceMs = 0): Promise<OutputOf<typeof matchInfo> | null> {
  // Before the session is confirmed, too: the signature says whose it is.
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
 * Asks before this tab takes camera and chat login from another one that is in a call. False: one is, and
 * what was pressed here is answered by that.
 */
export async function askTakeOver(): Promise<boolean> {
  if (!mayHaveCall()) return true;
  const info = await presentCall();
  if (!info?.match || info.return_ms !== null) return true;
  const { match } = info;
  if ((await askAbout({ match, untilMs: null }, "take-over")) !== "done") return false;
  if (listeners.size === 0) taken = match;
  for (const listener of listeners) listener(match);
  return false;
}

/** Hears which call of another tab this one is to go on with, until the answer is called. */
export function onCallTaken(listener: (match: MatchedPush) => void): () => void {
  listeners.add(listener);
  if (taken) listener(taken);
  taken = null;
  return () => void listeners.delete(listener);
}

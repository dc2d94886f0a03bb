import { ringAnswer, ringMute } from "@fava/wire/endpoints/rings.ts";
import { undoMs } from "@fava/wire/limits.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import { createStore, useStore } from "zustand";
import { tabLock } from "#features/call/machine/tab-lock.ts";
import { isPanicShown } from "#features/call/panic/panic.ts";
import { showCallGone } from "#features/call/return/return-offer.ts";
import { tellFailure } from "#features/people/relation-actions.ts";
import { onSocialMessage } from "#features/people/social-messages.ts";
import { ignoreRequestFailure } from "#lib/api/request-failure.ts";
import { request, smallRequest } from "#lib/api/request.ts";
import { formatTime } from "#lib/format-date.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { closeMedia, localMedia } from "#lib/media/local-media.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { currentUser } from "#lib/session.ts";
import { showToast } from "#ui/toast-store.ts";
import { type Friend, type IncomingRing, ringLeftMs } from "./friend.ts";

type RingEvent = Extract<SocialEvent, { kind: "ring" }>;

/** At most one ring that waits for an answer, and at most one that the user has accepted and that is not over. */
interface Rings {
  readonly waiting: IncomingRing | null;
  readonly taken: IncomingRing | null;
  /**
   * Whether the camera for the accepted ring is opening, or was live before. Null without an accepted ring, and once
   * its call has arrived.
   */
  readonly way: "opening" | "live" | null;
}

const store = createStore<Rings>(() => ({ waiting: null, taken: null, way: null }));
const acceptListeners = new Set<(ring: IncomingRing) => void>();
/**
 * By ring id, the function that ends the ring. With `gone` it tells a user who has accepted that the friend is gone.
 */
const ends = new Map<string, (why: "gone" | "answered") => void>();

/** The ring to answer; null: none. */
export function useIncomingRing(): IncomingRing | null {
  return useStore(store, ({ waiting }) => waiting);
}

/** The accepted ring for which the camera opens; null: none. */
export function useOpeningRing(): IncomingRing | null {
  return useStore(store, ({ taken, way }) => (way === "opening" ? taken : null));
}

/** Whether the user has accepted this ring, and it is not over. */
export function isRingAccepted({ id }: IncomingRing): boolean {
  return store.getState().taken?.id === id;
}

/** Calls the listener for every accepted ring; returns how to unsubscribe. */
export function onRingAccepted(listener: (ring: IncomingRing) => void): () => void {
  acceptListeners.add(listener);
  return () => void acceptListeners.delete(listener);
}

/** Follows incoming rings until `signal` aborts. */
export function startRings(signal: AbortSignal): void {
  const stop = onSocialMessage((frame) => {
    if (frame.type !== "social") return;
    if (frame.event.kind === "ring") begin(frame.event);
    else if (frame.event.kind === "ring_over") ends.get(frame.event.id)?.("gone");
  });
  signal.addEventListener("abort", () => {
    stop();
    for (const end of ends.values()) end("answered");
  });
}

/** Opens the camera, and then reports to the server. With a running camera nothing delays the call. */
export function acceptRing(ring: IncomingRing): void {
  const isLive = localMedia.getState().media.status === "live";
  store.setState({ waiting: null, taken: ring, way: isLive ? "live" : "opening" });
  if (isLive) closeOverlay("ring");
  for (const listener of acceptListeners) listener(ring);
}

/** The camera is open: closes the dialog of the ring, and the call follows. */
export function leaveAcceptedRing(ring: IncomingRing): void {
  if (!isRingAccepted(ring)) return;
  store.setState({ way: null });
  closeOverlay("ring");
}

/** Declines a ring; the friend reads that it was not answered. Closes a camera that opens for it. */
export function declineRing({ id }: IncomingRing): void {
  ends.get(id)?.("answered");
  const user = currentUser();
  // Without a response the ring ends by itself.
  if (user) void smallRequest(ringAnswer, { user_id: user.user_id, id, accept: 0 }).catch(ignoreRequestFailure);
}

/** Declines, and mutes that friend's rings for a day, with an undo. */
export async function declineForToday(ring: IncomingRing): Promise<void> {
  declineRing(ring);
  const untilMs = await muteFriend(ring.friend, true);
  if (typeof untilMs !== "number") return;
  showToast({
    type: "success",
    text: t("ring.muted", { name: isolate(ring.friend.nickname), time: formatTime(untilMs) }),
    durationMs: undoMs,
    action: { text: t("people.undo"), run: () => void unmuteFriend(ring.friend) },
  });
}

/** Unmutes a friend's rings. Resolves to whether the server did; a failure was shown already. */
export async function unmuteFriend(friend: Pick<Friend, "userId" | "nickname">): Promise<boolean> {
  if ((await muteFriend(friend, false)) === undefined) return false;
  showToast({ type: "info", text: t("ring.unmuted", { name: isolate(friend.nickname) }) });
  return true;
}

/** Until when the friend's rings are muted; undefined if the server did not respond, which was shown already. */
async function muteFriend({ userId }: Pick<Friend, "userId">, on: boolean): Promise<number | null | undefined> {
  const user = currentUser();
  if (!user) return undefined;
  try {
    return (await request(ringMute, { user_id: user.user_id, other_id: userId, on: on ? 1 : 0 })).until;
  } catch (error) {
    tellFailure(error);
    return undefined;
  }
}

function begin({ id, from, until }: RingEvent): void {
  const leftMs = ringLeftMs(until);
  // Ignores a ring that is over or known, and any ring right after the emergency exit from a call.
  if (leftMs === 0 || ends.has(id) || isPanicShown()) return;
  const ring: IncomingRing = { id, friend: from };
  const takeAway = tabLock.isHeld ? show(ring) : tellElsewhere(ring, leftMs);
  const timer = setTimeout(() => end("gone"), leftMs);
  ends.set(id, end);
  function end(why: "gone" | "answered"): void {
    clearTimeout(timer);
    ends.delete(id);
    takeAway();
    if (!isRingAccepted(ring)) return;
    const { way } = store.getState();
    store.setState({ taken: null, way: null });
    if (way === "opening") {
      closeOverlay("ring");
      closeMedia();
    }
    if (way && why === "gone") showCallGone(from.nickname);
  }
}

function show(ring: IncomingRing): () => void {
  store.setState({ waiting: ring });
  void openOverlay("ring");
  return () => leave(ring.id);
}

function leave(id: string): void {
  if (store.getState().waiting?.id !== id) return;
  store.setState({ waiting: null });
  closeOverlay("ring");
}

/** Says by a toast that another tab, which has the camera, shows the ring. */
function tellElsewhere({ friend }: IncomingRing, leftMs: number): () => void {
  return showToast({ type: "info", text: t("ring.elsewhere", { name: isolate(friend.nickname) }), durationMs: leftMs });
}

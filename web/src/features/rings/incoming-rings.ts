import { ringAnswer, ringMute } from "@fava/wire/endpoints/rings.ts";
import { undoMs } from "@fava/wire/limits.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import { createStore, useStore } from "zustand";
import { tabLock } from "#features/call/machine/tab-lock.ts";
import { isPanicShown } from "#features/call/panic/panic.ts";
import { tellGone } from "#features/call/return/return-offer.ts";
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

/** The ring that waits for an answer, and the one that was accepted and is not over yet; nobody has to do with two. */
interface Rings {
  readonly waiting: IncomingRing | null;
  readonly taken: IncomingRing | null;
  /** How far the accepted one is: on the way to its call, with a camera that opens for it or one that ran before; null: there, or none. */
  readonly way: "opening" | "live" | null;
}

const store = createStore<Rings>(() => ({ waiting: null, taken: null, way: null }));
const acceptListeners = new Set<(ring: IncomingRing) => void>();
/** What takes a ring away that is still told of; whoever has accepted hears of it where the friend has gone. */
const ends = new Map<string, (why: "gone" | "answered") => void>();

/** The ring that is to be answered; null: nobody rings. */
export function useIncomingRing(): IncomingRing | null {
  return useStore(store, ({ waiting }) => waiting);
}

/** The ring that was accepted, for which the camera opens; null: none. */
export function useOpeningRing(): IncomingRing | null {
  return useStore(store, ({ taken, way }) => (way === "opening" ? taken : null));
}

/** Whether this person has accepted a ring that goes on. */
export function isTaken({ id }: IncomingRing): boolean {
  return store.getState().taken?.id === id;
}

/** Hears of every ring that is accepted, until the answer is called. */
export function onRingAccepted(listener: (ring: IncomingRing) => void): () => void {
  acceptListeners.add(listener);
  return () => void acceptListeners.delete(listener);
}

/** Follows who rings until `signal` is aborted. */
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

/** The camera opens, and the server hears of it then. Where it runs already nothing stands between this and the call. */
export function acceptRing(ring: IncomingRing): void {
  const isLive = localMedia.getState().media.status === "live";
  store.setState({ waiting: null, taken: ring, way: isLive ? "live" : "opening" });
  if (isLive) closeOverlay("ring");
  for (const listener of acceptListeners) listener(ring);
}

/** The camera is there: what stood over the page meanwhile goes, and the call follows. */
export function leaveTaken(ring: IncomingRing): void {
  if (!isTaken(ring)) return;
  store.setState({ way: null });
  closeOverlay("ring");
}

/** The friend reads that it could not be taken. A camera that opens for it is closed. */
export function declineRing({ id }: IncomingRing): void {
  ends.get(id)?.("answered");
  const user = currentUser();
  // Without an answer it ends by itself.
  if (user) void smallRequest(ringAnswer, { user_id: user.user_id, id, accept: 0 }).catch(ignoreRequestFailure);
}

/** Declines, and lets no ring of that friend through for a day, which is said with a way back. */
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

/** Lets a friend ring again. Resolves to whether the server does; that it does not has been told. */
export async function unmuteFriend(friend: Pick<Friend, "userId" | "nickname">): Promise<boolean> {
  if ((await muteFriend(friend, false)) === undefined) return false;
  showToast({ type: "info", text: t("ring.unmuted", { name: isolate(friend.nickname) }) });
  return true;
}

/** Until when the friend's rings are not let through; undefined where the server did not answer, which was told. */
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
  // Told again to a page that knows it; or somebody has just fled, and is asked what happened.
  if (leftMs === 0 || ends.has(id) || isPanicShown()) return;
  const ring: IncomingRing = { id, friend: from };
  const takeAway = tabLock.isHeld ? show(ring) : tellElsewhere(ring, leftMs);
  const timer = setTimeout(() => end("gone"), leftMs);
  ends.set(id, end);
  function end(why: "gone" | "answered"): void {
    clearTimeout(timer);
    ends.delete(id);
    takeAway();
    if (!isTaken(ring)) return;
    const { way } = store.getState();
    store.setState({ taken: null, way: null });
    if (way === "opening") {
      closeOverlay("ring");
      closeMedia();
    }
    if (way && why === "gone") tellGone(from.nickname);
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

/** Another tab has the camera, and rings. */
function tellElsewhere({ friend }: IncomingRing, leftMs: number): () => void {
  return showToast({ type: "info", text: t("ring.elsewhere", { name: isolate(friend.nickname) }), durationMs: leftMs });
}

import type { QualityLevel } from "@fava/wire/socket.ts";
import { useEffect, useState, useSyncExternalStore } from "react";
import { createStore, useStore } from "zustand";
import type { ChatLine } from "#features/call/chat/chat-log.ts";
import { type LocalMedia, localMedia } from "#lib/media/local-media.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { idle } from "./call-machine.ts";
import type { CallNotice, CallState } from "./call-state.ts";

/** What the screens of a call show. */
export interface CallView {
  call: CallState;
  remote: MediaStream | null;
  /** What the other person's browser says of its camera, microphone and page. */
  other: {
    cameraOn: boolean;
    microphoneOn: boolean;
    away: boolean;
    /** Since when its picture is paused, because its network is weak; null: it is not. Milliseconds since the epoch. */
    pausedAtMs: number | null;
    /** How well it gets through, as far as it has said so. */
    level: QualityLevel;
  };
  /** The same of the own picture. */
  ownPausedAtMs: number | null;
  ownLevel: QualityLevel;
  lines: readonly ChatLine[];
}

export const otherAtFirst: CallView["other"] = {
  cameraOn: true,
  microphoneOn: true,
  away: false,
  pausedAtMs: null,
  level: 3,
};
export const ownAtFirst: Pick<CallView, "ownPausedAtMs" | "ownLevel"> = { ownPausedAtMs: null, ownLevel: 3 };

export const callStore = createStore<CallView>(() => ({
  call: idle,
  remote: null,
  other: otherAtFirst,
  ...ownAtFirst,
  lines: [],
}));

/** What the screens are drawn from: the call as it is, but for a moment in which the page has no time to draw. */
export const drawnStore = createStore<CallView>(() => callStore.getState());
/** What is drawn of the own picture in place of what it is by now; null: what it is. */
const mediaStore = createStore<{ instead: LocalMedia | null }>(() => ({ instead: null }));
let mediaTimer: ReturnType<typeof setTimeout> | undefined;
/** A camera that takes longer to open is said to. */
const openingDrawnAfterMs = 100;
let isHeld = false;

callStore.subscribe(draw);
// A search begins in the turn in which the camera has opened, and leaves before its picture is drawn. That
// a camera opens is not drawn where it is open by then: each of the browser's steps to it waits for what the page draws.
localMedia.subscribe(({ media }, { media: before }) => {
  clearTimeout(mediaTimer);
  const isOpening = media.status === "opening";
  const { instead } = mediaStore.getState();
  if (!isOpening && media.status !== "live") return mediaStore.setState({ instead: null });
  if (!isOpening && before.status === "live" && !instead) return;
  mediaStore.setState({ instead: instead ?? before });
  mediaTimer = setTimeout(draw, isOpening ? openingDrawnAfterMs : 0);
});

function draw(): void {
  if (isHeld) return;
  drawnStore.setState(callStore.getState(), true);
  mediaStore.setState({ instead: null });
}

/**
 * Leaves the screens of the call, and the own picture that has just opened, as they are until the answer is called, which
 * draws what has changed by then.
 */
export function holdScreens(): () => void {
  isHeld = true;
  return () => {
    isHeld = false;
    draw();
  };
}

export function useCallView(): CallView {
  return useStore(drawnStore);
}

export function useCallState(): CallState {
  return useStore(drawnStore, (view) => view.call);
}

/** The dialogs that show one notice; each has the name of its notice. */
type EndDialog = "ran-out" | "unchecked" | "not-taken";
type EndNotice<Name extends EndDialog> = Extract<CallNotice, { why: Name }>;

/**
 * The notice of the last call, kept while its dialog slides away. Null where a search began before the dialog had loaded:
 * the dialog then closes without having been seen.
 */
export function useEndNotice<Name extends EndDialog>(name: Name): EndNotice<Name> | null {
  const [notice] = useState(() => lastNotice(name));
  useEffect(() => {
    if (!notice) closeOverlay(name);
  }, [notice, name]);
  return notice;
}

function lastNotice<Name extends EndDialog>(name: Name): EndNotice<Name> | null {
  const { call } = callStore.getState();
  const notice = call.status === "idle" ? call.notice : null;
  return typeof notice === "object" && notice?.why === name ? (notice as EndNotice<Name>) : null;
}

/** The own camera and microphone where nothing is in a hurry to have them: one that opens is drawn a turn later. */
export function useDrawnMedia(): LocalMedia {
  return useSyncExternalStore(followMedia, drawnMedia);
}

function followMedia(changed: () => void): () => void {
  const stops = [localMedia.subscribe(changed), mediaStore.subscribe(changed)];
  return () => stops.forEach((stop) => stop());
}

export function drawnMedia(): LocalMedia {
  return mediaStore.getState().instead ?? localMedia.getState().media;
}

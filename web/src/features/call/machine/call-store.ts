import type { QualityLevel } from "@fava/wire/socket.ts";
import { useEffect, useState, useSyncExternalStore } from "react";
import { createStore, useStore } from "zustand";
import type { ChatLine } from "#features/call/chat/chat-log.ts";
import { type LocalMedia, localMedia, type Sent } from "#lib/media/local-media.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { idle } from "./call-machine.ts";
import type { CallNotice, CallState } from "./call-state.ts";

export interface CallView {
  call: CallState;
  remote: MediaStream | null;
  /** The partner's camera, microphone and page, as their browser reports them. */
  other: {
    camera: Sent;
    microphone: Sent;
    away: boolean;
    /** When the network paused the partner's video, in milliseconds since the epoch; null: not paused. */
    pausedAtMs: number | null;
  };
  /** The same of the local video. */
  ownPausedAtMs: number | null;
  lines: readonly ChatLine[];
}

export const otherAtFirst: CallView["other"] = {
  camera: "on",
  microphone: "on",
  away: false,
  pausedAtMs: null,
};

export const callStore = createStore<CallView>(() => ({
  call: idle,
  remote: null,
  other: otherAtFirst,
  ownPausedAtMs: null,
  lines: [],
}));

/** The quality of the sent videos of a call, the partner's as last reported. */
export interface QualityLevels {
  readonly own: QualityLevel;
  readonly other: QualityLevel;
}

export const levelsAtFirst: QualityLevels = { own: 3, other: 3 };

/** Apart from `callStore`, because only one badge shows it, and a change must not render the whole call screen. */
export const levelStore = createStore<QualityLevels>(() => levelsAtFirst);

/** What the screens draw: `callStore`, but delayed while the page has no time to draw. */
export const renderedStore = createStore<CallView>(() => callStore.getState());
/** The local media that are drawn instead of the current ones; null: the current ones. */
const mediaStore = createStore<{ instead: LocalMedia | null }>(() => ({ instead: null }));
let mediaTimer: ReturnType<typeof setTimeout> | undefined;
/** Only a camera that takes longer than this to open is shown as opening. */
const openingDrawnAfterMs = 300;
/** Since when the screens are frozen, in milliseconds since the epoch; null: they are not. */
let frozenAtMs: number | null = null;

callStore.subscribe(draw);
// A search starts in the turn in which the camera has opened, and its request leaves before the local video is drawn. A
// quick opening is not drawn at all, because drawing would delay each step of the browser towards it.
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
  if (frozenAtMs !== null) return;
  renderedStore.setState(callStore.getState(), true);
  mediaStore.setState({ instead: null });
}

/**
 * Holds the screens of the call and the newly opened local video as they are. Returns a function that draws the
 * changes.
 */
export function freezeScreens(): () => void {
  frozenAtMs = Date.now();
  return () => {
    frozenAtMs = null;
    draw();
  };
}

/** The time for clocks of the call's screens, in milliseconds since the epoch: it stands still while they are frozen. */
export function screenNowMs(): number {
  return frozenAtMs ?? Date.now();
}

export function useCallView(): CallView {
  return useStore(renderedStore);
}

export function useCallState(): CallState {
  return useStore(renderedStore, (view) => view.call);
}

/** The dialogs that show one notice; a dialog is named as its notice. */
type EndDialog = "ran-out" | "unchecked" | "not-taken";
type EndNotice<Name extends EndDialog> = Extract<CallNotice, { why: Name }>;

/**
 * The notice of the last call, kept while its dialog closes. Null if a search started before the dialog had loaded: the
 * dialog then closes unseen.
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

/** The local camera and microphone for views that are not urgent: an opened camera is drawn one turn later. */
export function useRenderedMedia(): LocalMedia {
  return useSyncExternalStore(followMedia, renderedMedia);
}

function followMedia(changed: () => void): () => void {
  const stops = [localMedia.subscribe(changed), mediaStore.subscribe(changed)];
  return () => stops.forEach((stop) => stop());
}

export function renderedMedia(): LocalMedia {
  return mediaStore.getState().instead ?? localMedia.getState().media;
}

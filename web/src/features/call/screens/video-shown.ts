import type { Shield } from "@fava/wire/socket.ts";
import { createStore, useStore } from "zustand";
import { type CallState, type InRoom, isInRoom } from "#features/call/machine/call-state.ts";
import type { CallView } from "#features/call/machine/call-store.ts";
import { createChoiceStore } from "#lib/choice-store.ts";
import { readStored, writeStored } from "#lib/storage.ts";

/**
 * What the remote video shows. `kept`: blurred by the user's choice, `weak`: none of its frames arrive, `busy`: the
 * server has too many frames to check.
 */
export type VideoShown = "shown" | "checking" | "hidden" | "weak" | "busy" | "kept";

interface BlurChoice {
  /** Videos stay blurred until the user asks to see them. */
  keep: boolean;
  /** The room whose video the user asked to see. */
  askedFor: string | null;
}

const store = createChoiceStore<BlurChoice>(() => ({ keep: readStored("keepBlurred") === 1, askedFor: null }));

/** What the frame checks hide stays hidden, whatever the user chose. */
export function videoShown({ other, other_why }: Shield, { keep, askedFor }: BlurChoice, roomId: string): VideoShown {
  if (other !== "clear") return other_why ?? other;
  return keep && askedFor !== roomId ? "kept" : "shown";
}

export function useVideoShown(room: InRoom): VideoShown;
export function useVideoShown(room: InRoom | null): VideoShown | null;
export function useVideoShown(room: InRoom | null): VideoShown | null {
  const choice = useStore(store);
  return room && videoShown(room.shield, choice, room.match.roomId);
}

/** Whether something replaces the remote video: the camera is off, the partner is away, or the video is paused. */
export function isCovered({ camera, away, pausedAtMs }: CallView["other"]): boolean {
  return camera !== "on" || away || pausedAtMs !== null;
}

/** Whether the remote video is visible: it plays, and nothing hides or covers it. */
export function usePictureSeen(call: CallState, other: CallView["other"]): boolean {
  const choice = useStore(store);
  if (!isInRoom(call) || call.status !== "in-call" || call.media !== "playing") return false;
  return !isCovered(other) && videoShown(call.shield, choice, call.match.roomId) === "shown";
}

export function useKeepBlurred(): boolean {
  return useStore(store, ({ keep }) => keep);
}

/** Saves the choice for this call and later ones. */
export function setKeepBlurred(keep: boolean): void {
  writeStored("keepBlurred", keep ? 1 : 0);
  store.setState({ keep, askedFor: null });
}

/** Shows the video of this call only. */
export function showVideoOf(roomId: string): void {
  store.setState({ askedFor: roomId });
}

/** Whether the remote video is shown whole, with bars beside it, or fills its place and is cropped. */
const fit = createStore<{ whole: boolean }>(() => ({ whole: false }));

export function useVideoWhole(): boolean {
  return useStore(fit, ({ whole }) => whole);
}

export function toggleVideoFit(): void {
  fit.setState(({ whole }) => ({ whole: !whole }));
}

import type { Shield } from "@fava/wire/socket.ts";
import { createStore, useStore } from "zustand";
import { type CallState, type InRoom, isInRoom } from "#features/call/machine/call-state.ts";
import type { CallView } from "#features/call/machine/call-store.ts";
import { createChoiceStore } from "#lib/choice-store.ts";
import { readStored, writeStored } from "#lib/storage.ts";

/**
 * What is to be seen of the remote picture; `kept`: it stays blurred because this person wants it so, `weak`: no frame
 * of it arrives, `busy`: the server has too many frames to check.
 */
export type VideoShown = "shown" | "checking" | "hidden" | "weak" | "busy" | "kept";

interface BlurChoice {
  /** Pictures stay blurred until this person asks to see them. */
  keep: boolean;
  /** The room whose picture was asked for. */
  askedFor: string | null;
}

const store = createChoiceStore<BlurChoice>(() => ({ keep: readStored("keepBlurred") === 1, askedFor: null }));

/** What our checks hide stays hidden, whatever this person has chosen. */
export function videoShown({ other, other_why }: Shield, { keep, askedFor }: BlurChoice, roomId: string): VideoShown {
  if (other !== "clear") return other_why ?? other;
  return keep && askedFor !== roomId ? "kept" : "shown";
}

export function useVideoShown(room: InRoom): VideoShown {
  const choice = useStore(store);
  return videoShown(room.shield, choice, room.match.roomId);
}

/** Whether something stands in the place of the other's picture: their camera is off, they are away, or it is paused. */
export function isCovered({ cameraOn, away, pausedAtMs }: CallView["other"]): boolean {
  return !cameraOn || away || pausedAtMs !== null;
}

/** Whether the other's picture can be seen as it is: it moves, and nothing hides or covers it. */
export function usePictureSeen(call: CallState, other: CallView["other"]): boolean {
  const choice = useStore(store);
  if (!isInRoom(call) || call.status !== "in-call" || call.media !== "playing") return false;
  return !isCovered(other) && videoShown(call.shield, choice, call.match.roomId) === "shown";
}

export function useKeepBlurred(): boolean {
  return useStore(store, ({ keep }) => keep);
}

/** Switches it on or off for this call and those to come. */
export function setKeepBlurred(keep: boolean): void {
  writeStored("keepBlurred", keep ? 1 : 0);
  store.setState({ keep, askedFor: null });
}

/** Shows the picture of this one call. */
export function showVideoOf(roomId: string): void {
  store.setState({ askedFor: roomId });
}

/** Whether the other's picture is shown whole, with bars beside it, or fills its place and is cut. */
const fit = createStore<{ whole: boolean }>(() => ({ whole: false }));

export function useVideoWhole(): boolean {
  return useStore(fit, ({ whole }) => whole);
}

export function toggleVideoFit(): void {
  fit.setState(({ whole }) => ({ whole: !whole }));
}

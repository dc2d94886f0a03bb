import type { Shield } from "@fava/wire/socket.ts";
import { createStore, useStore } from "zustand";
import { readStored, writeStored } from "#lib/storage.ts";
import type { InRoom } from "./call-state.ts";

/** What is to be seen of the remote picture; `kept`: it stays blurred because this person wants it so. */
export type PictureShown = "shown" | "checking" | "hidden" | "kept";

interface BlurChoice {
  /** Pictures stay blurred until this person asks to see them. */
  keep: boolean;
  /** The room whose picture was asked for. */
  askedFor: string | null;
}

const store = createStore<BlurChoice>(() => ({ keep: readStored("keepBlurred") === 1, askedFor: null }));

/** What our checks hide stays hidden, whatever this person has chosen (rules SAFE-205, SAFE-210). */
export function pictureShown({ other }: Shield, { keep, askedFor }: BlurChoice, roomId: string): PictureShown {
  if (other !== "clear") return other;
  return keep && askedFor !== roomId ? "kept" : "shown";
}

export function usePictureShown(room: InRoom): PictureShown {
  const choice = useStore(store);
  return pictureShown(room.shield, choice, room.match.roomId);
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
export function showPictureOf(roomId: string): void {
  store.setState({ askedFor: roomId });
}

import { remoteVolumePercent } from "@fava/wire/limits.ts";
import { createStore, useStore } from "zustand";

/** How the remote video of a call plays. */
interface Playback {
  /** 0 to 100. */
  readonly volumePercent: number;
  /** What the browser plays only after a press; null: nothing. */
  readonly blocked: "sound" | "all" | null;
  /** How often the user pressed to play it. */
  readonly presses: number;
}

const atFirst: Playback = { volumePercent: remoteVolumePercent, blocked: null, presses: 0 };
/** Of the newest call; each call begins `atFirst`. */
const store = createStore<{ roomId: string | null; playback: Playback }>(() => ({ roomId: null, playback: atFirst }));

export function usePlayback(roomId: string | null): Playback {
  return useStore(store, (now) => (now.roomId === roomId ? now.playback : atFirst));
}

export function setPlayback(roomId: string, change: Partial<Playback>): void {
  store.setState((now) => ({ roomId, playback: { ...(now.roomId === roomId ? now.playback : atFirst), ...change } }));
}

/** The volume of the remote sound, 0 to 100. `toggleMuted` turns it off, and on again to the first volume of a call. */
export function useVolume(roomId: string): {
  percent: number;
  isMuted: boolean;
  setPercent: (percent: number) => void;
  toggleMuted: () => void;
} {
  const { volumePercent: percent } = usePlayback(roomId);
  const isMuted = percent === 0;
  const setPercent = (volumePercent: number) => setPlayback(roomId, { volumePercent });
  return { percent, isMuted, setPercent, toggleMuted: () => setPercent(isMuted ? remoteVolumePercent : 0) };
}

/** Lets a new video element play, for the press of the user. */
export function playAgain(roomId: string): void {
  const { playback } = store.getState();
  setPlayback(roomId, { blocked: null, presses: playback.presses + 1 });
}

import { createStore, useStore } from "zustand";
import type { ChatLine } from "./chat-log.ts";
import { idle } from "./call-machine.ts";
import type { CallState } from "./call-state.ts";

/** What the screens of a call show. */
export interface CallView {
  call: CallState;
  remote: MediaStream | null;
  /** What the other person's browser says of its camera, microphone and page. */
  other: { cameraOn: boolean; microphoneOn: boolean; away: boolean };
  lines: readonly ChatLine[];
}

export const otherAtFirst: CallView["other"] = { cameraOn: true, microphoneOn: true, away: false };

export const callStore = createStore<CallView>(() => ({ call: idle, remote: null, other: otherAtFirst, lines: [] }));

export function useCallView(): CallView {
  return useStore(callStore);
}

export function useCallState(): CallState {
  return useStore(callStore, (view) => view.call);
}

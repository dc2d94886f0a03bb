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

/** What the screens are drawn from: the call as it is, but for a moment in which the page has no time to draw. */
export const drawnStore = createStore<CallView>(() => callStore.getState());
let isHeld = false;

callStore.subscribe(draw);

function draw(): void {
  if (!isHeld) drawnStore.setState(callStore.getState(), true);
}

/** Leaves the screens of the call as they are until the answer is called, which draws what has changed by then. */
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

import { localMedia } from "#lib/media/local-media.ts";
import { keepAwake } from "#lib/wake-lock.ts";
import { isInRoom } from "./call-state.ts";
import { callStore } from "./call-store.ts";
import { type MediaKeys, offerKeys, showSwitches } from "./media-session.ts";

/** What the device does for a call: its screen stays on while somebody is there, its media keys are the call's. */
export function followDevice(keys: MediaKeys, signal: AbortSignal): void {
  let awake: AbortController | null = null;
  let shown = callStore.getState().call.status;
  const follow = () => {
    const { call } = callStore.getState();
    if (isInRoom(call) && !awake) {
      awake = new AbortController();
      keepAwake(awake.signal);
    } else if (!isInRoom(call)) {
      awake?.abort();
      awake = null;
    }
    if (call.status === shown) return;
    shown = call.status;
    offerKeys(shown, keys);
    showSwitches(localMedia.getState().media);
  };
  const stops = [
    callStore.subscribe(follow),
    localMedia.subscribe(({ media }) => callStore.getState().call.status !== "idle" && showSwitches(media)),
  ];
  signal.addEventListener("abort", () => {
    for (const stop of stops) stop();
    awake?.abort();
    offerKeys("idle", keys);
  });
}

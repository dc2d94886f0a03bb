import { askFor } from "./ask.ts";
import { useNotifyState } from "./use-notify-state.ts";

/**
 * "Tell me when I am away", beside a friend's missed call: asks our own question. Null if this browser notifies of
 * rings already or cannot, if the permission is denied, or if the user declined in the last 30 days.
 */
export function useRingOffer(): (() => void) | null {
  const [state, setState] = useNotifyState("ring");
  if (state !== "open") return null;
  return () => void askFor("ring").then((result) => setState(result === "done" ? "on" : "declined"));
}

import { useSyncExternalStore } from "react";
import type { MachineStore } from "./machine-store.ts";

/** The state of a machine; the component follows it. */
export function useMachine<State, Event>(store: MachineStore<State, Event>): State {
  return useSyncExternalStore(store.subscribe, store.getState, store.getInitialState);
}

import { createStore, useStore } from "zustand";
import { useUser } from "#lib/session.ts";

/** The remaining balance in a paid call, the price of a minute, and the seconds until the video ends. */
interface RunningMeter {
  readonly balance: number;
  readonly price: number;
  readonly secondsLeft: number;
}

/** Null while no paid call runs. The call sets it, dialogs over it read it. */
const store = createStore<{ meter: RunningMeter | null }>(() => ({ meter: null }));

export function setRunningMeter(meter: RunningMeter | null): void {
  store.setState({ meter });
}

export function useRunningMeter(): RunningMeter | null {
  return useStore(store, ({ meter }) => meter);
}

/** The beans that the user can spend; in a paid call they decrease with its meter. */
export function useBalance(): number {
  const known = useUser()?.credit5 ?? 0;
  return useRunningMeter()?.balance ?? known;
}

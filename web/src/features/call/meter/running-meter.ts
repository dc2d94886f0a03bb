import { createStore, useStore } from "zustand";
import { useUser } from "#lib/session.ts";

/** What a paid call has left of the balance by now, and what its minute costs. */
interface RunningMeter {
  readonly balance: number;
  readonly price: number;
}

/** Null while no paid call runs. The call says it; dialogs over it read it. */
const store = createStore<{ meter: RunningMeter | null }>(() => ({ meter: null }));

export function setRunningMeter(meter: RunningMeter | null): void {
  store.setState({ meter });
}

export function useRunningMeter(): RunningMeter | null {
  return useStore(store, ({ meter }) => meter);
}

/** Beans that there are to spend: in a paid call they go down with its meter. */
export function useBalance(): number {
  const known = useUser()?.credit5 ?? 0;
  return useRunningMeter()?.balance ?? known;
}

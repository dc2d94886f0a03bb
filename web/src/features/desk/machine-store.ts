import { createStore, type StoreApi } from "zustand";

export interface Step<State, Effect> {
  readonly state: State;
  readonly effects: readonly Effect[];
}

/** A pure machine that runs: its state to subscribe to, and the way in for events. */
export interface MachineStore<State, Event> extends Pick<
  StoreApi<State>,
  "getState" | "subscribe" | "getInitialState"
> {
  readonly dispatch: (event: Event) => void;
}

/** Runs `step`, and hands what it wants done to `run`, in order. Events of an effect come in after its step. */
export function machineStore<State, Event, Effect>(options: {
  initial: State;
  step: (state: State, event: Event) => Step<State, Effect>;
  run: (effect: Effect, dispatch: (event: Event) => void) => void;
}): MachineStore<State, Event> {
  const store = createStore<{ value: State }>(() => ({ value: options.initial }));
  const dispatch = (event: Event): void => {
    const { state, effects } = options.step(store.getState().value, event);
    store.setState({ value: state });
    for (const effect of effects) options.run(effect, dispatch);
  };
  return {
    dispatch,
    getState: () => store.getState().value,
    getInitialState: () => options.initial,
    subscribe: (listener) => store.subscribe((now, before) => listener(now.value, before.value)),
  };
}

/** A store whose calls and timers belong to a component: they end with it. */
export interface LivingStore {
  /** Begins, and answers how to end: what is pending is sent then, and nothing comes in any more. */
  readonly start: () => () => void;
}

/** What a living store's effects ask for: whether it has ended, and one timer. */
export interface Life extends LivingStore {
  readonly signal: () => AbortSignal;
  readonly startTimer: (delayMs: number, then: () => void) => void;
  readonly stopTimer: () => void;
}

/** A life that can begin again after its end. `leave` sends what is pending. */
export function newLife(leave: () => void): Life {
  const life = { ended: new AbortController(), timer: undefined as ReturnType<typeof setTimeout> | undefined };
  const stopTimer = () => clearTimeout(life.timer);
  return {
    signal: () => life.ended.signal,
    stopTimer,
    startTimer: (delayMs, then) => {
      stopTimer();
      life.timer = setTimeout(then, delayMs);
    },
    start: () => {
      life.ended = new AbortController();
      return () => {
        leave();
        stopTimer();
        life.ended.abort();
      };
    },
  };
}

import { useEffect, useState, useSyncExternalStore } from "react";
import { createStore, type StoreApi } from "zustand";
import type { PreparedCall } from "#lib/api/prepared-call.ts";
import { connection, isReachable, onBack } from "#lib/connection.ts";

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
interface Life extends LivingStore {
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

/** The state of a machine; the component follows it. */
export function useMachine<State, Event>(store: MachineStore<State, Event>): State {
  return useSyncExternalStore(store.subscribe, store.getState, store.getInitialState);
}

type LivingEvent = { readonly type: "leave" | "refresh" } | { readonly type: "online"; readonly isOnline: boolean };

interface DeskStore extends LivingStore {
  readonly dispatch: (event: LivingEvent) => void;
}

/**
 * A store that is made once and lives as long as the component: it hears whether Fava can be reached and of the page that goes
 * away, and sends what is pending when it ends.
 */
export function useDeskStore<Store extends DeskStore>(make: () => Store): Store {
  const [store] = useState(make);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const online = () => store.dispatch({ type: "online", isOnline: isReachable() });
    const stops = [connection.subscribe(online), onBack(() => store.dispatch({ type: "refresh" }))];
    window.addEventListener("pagehide", () => store.dispatch({ type: "leave" }), { signal });
    const end = store.start();
    online();
    store.dispatch({ type: "refresh" });
    return () => {
      listening.abort();
      for (const stop of stops) stop();
      end();
    };
  }, [store]);
  return store;
}

/**
 * The calls of the decision that can still be undone, signed ahead, for the moment when the page goes away (rule
 * DESK-104).
 */
export class Farewell {
  #wanted = "";
  #ready: { key: string; calls: readonly PreparedCall[] } | null = null;

  /** Makes the calls of the decision named `key` ready, in place of those before. Never rejects. */
  async prepare(key: string, making: readonly Promise<PreparedCall>[]): Promise<void> {
    this.#wanted = key;
    this.#ready = null;
    try {
      const calls = await Promise.all(making);
      if (this.#wanted === key) this.#ready = { key, calls };
    } catch (error) {
      console.info("not signed ahead", error);
    }
  }

  /** Sends them in this very turn; null where they are not ready, and the usual way has to do. */
  send(key: string): Promise<void> | null {
    if (this.#ready?.key !== key) return null;
    const { calls } = this.#ready;
    this.#ready = null;
    return Promise.all(calls.map((call) => call())).then(
      () => undefined,
      (error: unknown) => console.info("not sent while leaving", error),
    );
  }
}

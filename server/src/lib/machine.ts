import type { Clock } from "#ports/clock.ts";

/** What a machine works on. `timer` runs until the next change by time alone. */
export interface Running<State> {
  state: State;
  timer: Disposable | null;
  dueMs: number | null;
}

export type Untimed<Event> = Event extends unknown ? Omit<Event, "nowMs"> : never;

export interface MachineParts<Subject extends Running<unknown>, Event, Effect> {
  clock: Pick<Clock, "monotonicMs" | "after">;
  step: (
    state: Subject["state"],
    event: Event,
  ) => { readonly state: Subject["state"]; readonly effects: readonly Effect[] };
  /** When the state changes by time alone, on the monotonic clock; null if never. */
  dueMs: (state: Subject["state"]) => number | null;
  /** Executes an effect, and may dispatch events to the same subject. */
  run: (subject: Subject, effect: Effect) => void;
  due: (subject: Subject) => void;
}

/** Runs one pure machine for many subjects. Keeps no reference to a subject without a timer. */
export class MachineRunner<Subject extends Running<unknown>, Event, Effect> {
  readonly #parts: MachineParts<Subject, Event, Effect>;

  constructor(parts: MachineParts<Subject, Event, Effect>) {
    this.#parts = parts;
  }

  /** Changes the state, executes the effects, and then sets the timer by the latest state. */
  dispatch(subject: Subject, event: Event): void {
    const { state, effects } = this.#parts.step(subject.state, event);
    subject.state = state;
    for (const effect of effects) this.#parts.run(subject, effect);
    this.arm(subject);
  }

  /** Sets the timer of an initial state. After an event `dispatch` does so. */
  arm(subject: Subject): void {
    const { clock, dueMs: dueMsOf } = this.#parts;
    const dueMs = dueMsOf(subject.state);
    if (dueMs === subject.dueMs) return;
    this.stop(subject);
    if (dueMs === null) return;
    subject.dueMs = dueMs;
    subject.timer = clock.after(Math.max(0, dueMs - clock.monotonicMs()), () => this.#comeDue(subject));
  }

  catchUp(subject: Subject): void {
    if (subject.dueMs !== null && subject.dueMs <= this.#parts.clock.monotonicMs()) this.#comeDue(subject);
  }

  stop(subject: Subject): void {
    subject.timer?.[Symbol.dispose]();
    subject.timer = null;
    subject.dueMs = null;
  }

  #comeDue(subject: Subject): void {
    this.stop(subject);
    this.#parts.due(subject);
  }
}

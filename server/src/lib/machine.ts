import type { Clock } from "#ports/clock.ts";

/** A subject of a machine. The timer is for the next change by time alone. */
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
  /** When time alone changes the state, by the monotonic clock; null: never. */
  dueMs: (state: Subject["state"]) => number | null;
  /** Executes an effect; it may dispatch to the same subject. */
  run: (subject: Subject, effect: Effect) => void;
  due: (subject: Subject) => void;
}

/** Runs one pure machine for many subjects. It keeps no reference to a subject without a timer. */
export class MachineRunner<Subject extends Running<unknown>, Event, Effect> {
  readonly #parts: MachineParts<Subject, Event, Effect>;

  constructor(parts: MachineParts<Subject, Event, Effect>) {
    this.#parts = parts;
  }

  /** Changes the state, executes the effects, then sets the timer by the state of that moment. */
  dispatch(subject: Subject, event: Event): void {
    const { state, effects } = this.#parts.step(subject.state, event);
    subject.state = state;
    for (const effect of effects) this.#parts.run(subject, effect);
    this.arm(subject);
  }

  /** Sets the timer of an initial state; `dispatch` does so for all others. */
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

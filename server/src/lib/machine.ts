import type { Clock } from "#ports/clock.ts";

/** Whatever a machine runs on: where it stands, and the timer for the moment at which time alone changes that. */
export interface Running<State> {
  state: State;
  timer: Disposable | null;
  dueMs: number | null;
}

/** An event as it is told to whoever adds the time. */
export type Untimed<Event> = Event extends unknown ? Omit<Event, "nowMs"> : never;

export interface MachineParts<Subject extends Running<unknown>, Event, Effect> {
  clock: Pick<Clock, "monotonicMs" | "after">;
  /** What becomes of a state by an event, and what follows from it; pure. */
  step: (
    state: Subject["state"],
    event: Event,
  ) => { readonly state: Subject["state"]; readonly effects: readonly Effect[] };
  /** When time alone changes the state, of the monotonic clock; null: never. */
  dueMs: (state: Subject["state"]) => number | null;
  /** Carries out an effect; it may dispatch to the same subject. */
  run: (subject: Subject, effect: Effect) => void;
  /** The moment has come: dispatches what the machine takes for a tick. */
  due: (subject: Subject) => void;
}

/**
 * Runs one pure machine for many subjects, each with at most one timer. It keeps nothing of them, so that whoever forgets
 * a subject whose state is due no more needs no word with it.
 */
export class MachineRunner<Subject extends Running<unknown>, Event, Effect> {
  readonly #parts: MachineParts<Subject, Event, Effect>;

  constructor(parts: MachineParts<Subject, Event, Effect>) {
    this.#parts = parts;
  }

  /** The state changes first, then each effect is carried out, then the timer is set by the state of that moment. */
  dispatch(subject: Subject, event: Event): void {
    const { state, effects } = this.#parts.step(subject.state, event);
    subject.state = state;
    for (const effect of effects) this.#parts.run(subject, effect);
    this.arm(subject);
  }

  /** Sets the timer; for a state that no event led to, as `dispatch` does so itself. */
  arm(subject: Subject): void {
    const { clock, dueMs: dueMsOf } = this.#parts;
    const dueMs = dueMsOf(subject.state);
    if (dueMs === subject.dueMs) return;
    this.stop(subject);
    if (dueMs === null) return;
    subject.dueMs = dueMs;
    subject.timer = clock.after(Math.max(0, dueMs - clock.monotonicMs()), () => this.#comeDue(subject));
  }

  /** Does what is due by now without waiting for the timer. */
  catchUp(subject: Subject): void {
    if (subject.dueMs !== null && subject.dueMs <= this.#parts.clock.monotonicMs()) this.#comeDue(subject);
  }

  /** Time brings nothing more, until something is dispatched again. */
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

import {
  type Funds,
  meterDueMs,
  type MeterEffect,
  type MeterEnd,
  type MeterEvent,
  type MeterState,
  openMeter,
  type Pause,
  stepMeter,
} from "./meter-machine.ts";

/** Beans a minute of every meter here. */
export const price = 1_600n;
/** How long the payer's own word stops the clock of each. */
export const ownPauseMs = 10_000;
export const byPayer: Pause = { why: "reconnecting", byPayer: true };
export const byOther: Pause = { why: "reconnecting", byPayer: false };
const rich: Funds = { balance: 100_000n, have: 100_000n, limit: "balance" };
type Told<Event> = Event extends unknown ? Omit<Event, "nowMs"> : never;

/** A meter with a ledger that does what it is told, when it is told to. */
export class MeterBench {
  nowMs = 0;
  state: MeterState = openMeter(price, ownPauseMs);
  readonly told: Extract<MeterEffect, { type: "tell" }>[] = [];
  /** Ledger work that was asked for and not answered, the oldest first. */
  readonly asked: MeterEffect[] = [];
  readonly holds = new Map<number, bigint | null>();
  credited = 0n;
  closed = false;
  /** Time that is to be paid after the free seconds, by a count of our own. */
  trulyCountedMs = 0;
  freeGranted = false;
  measured: Extract<MeterEffect, { type: "measured" }> | null = null;
  #pause: Pause | null = null;
  #ownPauseLeftMs = ownPauseMs;
  #isCounting = false;

  constructor() {
    this.send({ type: "matched" });
  }

  send(event: Told<MeterEvent>): void {
    if (event.type === "picture") this.#pause = event.pause;
    const { state, effects } = stepMeter(this.state, { ...event, nowMs: this.nowMs } as MeterEvent);
    this.state = state;
    this.#isCounting = (this.#isCounting || state.kind !== "waiting") && event.type !== "ended";
    for (const effect of effects) {
      if (effect.type === "tell") this.told.push(effect);
      else if (effect.type === "close-call") this.closed = true;
      else if (effect.type === "measured") this.measured = effect;
      else this.asked.push(effect);
    }
  }

  /** Time passes without the timer being heard. */
  sleep(ms: number): void {
    this.nowMs += ms;
    if (!this.#isCounting) return;
    const stoodMs = this.#pause === null ? 0 : this.#pause.byPayer ? Math.min(ms, this.#ownPauseLeftMs) : ms;
    if (this.#pause?.byPayer) this.#ownPauseLeftMs -= stoodMs;
    this.trulyCountedMs += ms - stoodMs;
  }

  /** Time passes, ticks come when they are due, and the ledger answers at once. */
  run(ms: number): void {
    const untilMs = this.nowMs + ms;
    this.answerAll();
    for (let due = meterDueMs(this.state); due !== null && due <= untilMs; due = meterDueMs(this.state)) {
      this.sleep(due - this.nowMs);
      this.send({ type: "tick" });
      this.answerAll();
    }
    this.sleep(untilMs - this.nowMs);
  }

  answerAll(funds = rich): void {
    while (this.asked.length > 0) this.answer("done", funds);
  }

  /** The oldest work is done, refused, or fails before or after it took effect; then it stays to be tried again. */
  answer(how: "done" | "refused" | "failed" | "unconfirmed", funds = rich): void {
    const [work] = this.asked;
    if (!work) return;
    if (how === "failed" || how === "unconfirmed") {
      if (how === "unconfirmed") this.#do(work, false);
      return work.type === "take-minute" ? this.send({ type: "failing" }) : undefined;
    }
    this.asked.shift();
    const isRefused = how === "refused" && !(work.type === "take-minute" && this.holds.has(work.minute));
    this.#do(work, isRefused);
    if (work.type === "open") {
      this.freeGranted = how === "done";
      this.send({ type: "opened", isFree: how === "done", funds });
    }
    if (work.type === "take-minute") this.send({ type: isRefused ? "refused" : "held", funds });
  }

  get openHolds(): number {
    return [...this.holds.values()].filter((posted) => posted === null).length;
  }

  get posted(): bigint {
    return [...this.holds.values()].reduce<bigint>((sum, posted) => sum + (posted ?? 0n), 0n);
  }

  #do(work: MeterEffect, isRefused: boolean): void {
    if (work.type === "take-minute") {
      if (work.settle) this.#settle(work.settle);
      if (!isRefused && !this.holds.has(work.minute)) this.holds.set(work.minute, null);
    }
    if (work.type === "finish") {
      for (const settlement of work.settlements) if (this.holds.has(settlement.minute)) this.#settle(settlement);
      if (work.credit.of === "call") this.credited = this.posted;
      if (work.credit.of === "minute")
        this.credited = work.credit.beans < this.posted ? work.credit.beans : this.posted;
    }
    if (this.openHolds > 1) throw new Error("two open holds");
  }

  #settle({ minute, amount }: { minute: number; amount: bigint }): void {
    const before = this.holds.get(minute);
    if (before === undefined) throw new Error(`minute ${minute} was never held`);
    if (before !== null && before !== amount) throw new Error(`minute ${minute} was settled as ${before}`);
    if (amount > price) throw new Error("more than was held");
    this.holds.set(minute, amount);
  }
}

/** Live, with free seconds and enough beans. */
export function liveMeter(): MeterBench {
  const bench = new MeterBench();
  bench.answerAll();
  bench.send({ type: "live" });
  return bench;
}

/** Ends the call; answers what it has cost, less what was given back. */
export function endMeter(bench: MeterBench, why: MeterEnd = "left"): bigint {
  bench.send({ type: "ended", why });
  bench.answerAll();
  return bench.posted - bench.credited;
}

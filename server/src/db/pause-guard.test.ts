import { describe, expect, test } from "vitest";
import { Emitter } from "#lib/emitter.ts";
import type { Clock } from "#ports/clock.ts";
import { NoOwnerError, PeerTimeoutError } from "#ports/peers.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { PauseGuard } from "./pause-guard.ts";

/** A process with its own clock, which may pause, and beats that a test answers. */
class FakeProcess {
  readonly turns = new Emitter<[askedAtMs: number]>();
  isLost = false;
  beats = 0;
  readonly #time = new TestClock();
  #stoodStillMs = 0;
  readonly clock: Clock = {
    nowMs: () => this.#time.nowMs() + this.#stoodStillMs,
    monotonicMs: () => this.#time.monotonicMs() + this.#stoodStillMs,
    processorMs: () => this.#time.processorMs(),
    after: (delayMs, work) => this.#time.after(delayMs, work),
  };

  beatNow(): void {
    this.beats += 1;
  }

  onTurn(listener: (askedAtMs: number) => void): Disposable {
    return this.turns.on(listener);
  }

  runs(ms: number): void {
    this.#time.advance(ms);
  }

  pauses(ms: number): void {
    this.#stoodStillMs += ms;
  }
}

const answered = async () => "answer";

function started() {
  const process = new FakeProcess();
  const pauseGuard = new PauseGuard({ processes: process, clock: process.clock });
  return { process, pauseGuard };
}

describe("a suspended server", () => {
  test("is not in doubt while running or after a pause of a second", () => {
    const { process, pauseGuard } = started();
    process.runs(60_000);
    expect(pauseGuard.isInDoubt).toBe(false);
    process.pauses(1_000);
    expect([pauseGuard.isInDoubt, process.beats]).toEqual([false, 0]);
  });

  test("is in doubt right after a longer pause, until a beat that started later", async () => {
    const { process, pauseGuard } = started();
    process.runs(1_000);
    const beforeMs = process.clock.monotonicMs();
    process.pauses(2_000);
    expect([pauseGuard.isInDoubt, process.beats]).toEqual([true, 1]);
    await expect(pauseGuard.say(answered)).rejects.toThrow(PeerTimeoutError);
    // This beat started before the pause.
    process.turns.emit(beforeMs);
    expect(pauseGuard.isInDoubt).toBe(true);
    process.turns.emit(process.clock.monotonicMs());
    expect([pauseGuard.isInDoubt, await pauseGuard.say(answered)]).toEqual([false, "answer"]);
  });

  test("detects its own pause by a timer", () => {
    const { process } = started();
    process.pauses(2_000);
    process.runs(250);
    expect(process.beats).toBe(1);
  });

  test("assumes that it was not declared dead after five seconds without an answer of the database", () => {
    const { process, pauseGuard } = started();
    process.pauses(30_000);
    expect(pauseGuard.isInDoubt).toBe(true);
    process.runs(4_900);
    expect(pauseGuard.isInDoubt).toBe(true);
    process.runs(200);
    expect(pauseGuard.isInDoubt).toBe(false);
  });

  test("stays in doubt after it was considered dead", async () => {
    const { process, pauseGuard } = started();
    process.pauses(30_000);
    expect(pauseGuard.isInDoubt).toBe(true);
    process.isLost = true;
    process.runs(10_000);
    await expect(pauseGuard.say(answered)).rejects.toThrow(NoOwnerError);
    expect(pauseGuard.isInDoubt).toBe(true);
  });
});

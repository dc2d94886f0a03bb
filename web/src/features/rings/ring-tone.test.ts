import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { playRingTone } from "./ring-tone.ts";

/** A sound context as Safari opens it outside of a press: suspended until a press resumes it. */
class SuspendedContext extends EventTarget {
  static last: SuspendedContext;
  state = "suspended";
  currentTime = 0;
  destination = {};
  mayRun = false;
  resumptions = 0;

  constructor() {
    super();
    SuspendedContext.last = this;
  }

  async resume(): Promise<void> {
    this.resumptions += 1;
    if (!this.mayRun) throw new DOMException("no press", "NotAllowedError");
    this.setState("running");
  }

  setState(state: string): void {
    this.state = state;
    this.dispatchEvent(new Event("statechange"));
  }

  async close(): Promise<void> {
    this.setState("closed");
  }
}

let notes: number;
let page: EventTarget;
let view: EventTarget & { hidden: boolean };
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "info").mockReturnValue();
  notes = 0;
  page = new EventTarget();
  view = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal("window", page);
  vi.stubGlobal("document", view);
  vi.stubGlobal("AudioContext", SuspendedContext);
  const part = { connect: () => part, start: () => (notes += 1), stop: () => undefined };
  const gain = { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined };
  vi.stubGlobal("OscillatorNode", function OscillatorNode() {
    return part;
  });
  vi.stubGlobal("GainNode", function GainNode() {
    return { ...part, gain };
  });
  stop = playRingTone();
});

afterEach(() => {
  stop();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("plays no note while the browser suspends the sound, and two at once after a press", async () => {
  await vi.advanceTimersByTimeAsync(30_000);
  expect(notes).toBe(0);
  SuspendedContext.last.mayRun = true;
  page.dispatchEvent(new Event("pointerup"));
  await vi.advanceTimersByTimeAsync(0);
  expect(notes).toBe(2);
});

test("goes on after a phone call has interrupted the sound", async () => {
  const context = SuspendedContext.last;
  context.mayRun = true;
  page.dispatchEvent(new Event("keydown"));
  await vi.advanceTimersByTimeAsync(0);
  context.setState("interrupted");
  const before = notes;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(notes).toBe(before);
  view.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(0);
  expect([context.state, notes]).toEqual(["running", before + 2]);
});

test("leaves nothing behind when it stops", async () => {
  stop();
  const { resumptions } = SuspendedContext.last;
  page.dispatchEvent(new Event("click"));
  view.dispatchEvent(new Event("visibilitychange"));
  expect([SuspendedContext.last.state, SuspendedContext.last.resumptions]).toEqual(["closed", resumptions]);
  expect(vi.getTimerCount()).toBe(0);
});

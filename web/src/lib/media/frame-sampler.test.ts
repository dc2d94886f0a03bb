import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inspectedFrame, inspectionTicketMs } from "@fava/wire/limits.ts";
import { fitted, type FrameAsked, FrameSampler, type FrameSamplerOptions } from "./frame-sampler.ts";

const track = { kind: "video" } as MediaStreamTrack;
const picture = new Blob(["jpeg"]);
const asked = (ticket: string, change: Partial<FrameAsked> = {}): FrameAsked => ({
  roomId: "r1",
  ticket,
  view: "own",
  dueInMs: 0,
  ...change,
});

let options: { [Name in keyof FrameSamplerOptions]: ReturnType<typeof vi.fn<FrameSamplerOptions[Name]>> };
let sampler: FrameSampler;
/** Ends the sending that is on its way. */
let arrive: () => void;
const sent = () => options.send.mock.calls.map(([{ ticket }]) => ticket);

beforeEach(() => {
  vi.useFakeTimers();
  options = {
    trackOf: vi.fn<FrameSamplerOptions["trackOf"]>(() => track),
    take: vi.fn<FrameSamplerOptions["take"]>(() => Promise.resolve(picture)),
    send: vi.fn<FrameSamplerOptions["send"]>(() => new Promise((resolve) => (arrive = resolve))),
    isHidden: vi.fn<FrameSamplerOptions["isHidden"]>(() => false),
  };
  sampler = new FrameSampler(options);
});

afterEach(() => {
  sampler.stop();
  vi.useRealTimers();
});

test("[SAFE-202] a picture is taken when it is due, and sent for its ticket", async () => {
  sampler.ask(asked("t1", { dueInMs: 800 }));
  await vi.advanceTimersByTimeAsync(799);
  expect(options.take).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(options.send).toHaveBeenCalledWith(asked("t1", { dueInMs: 800 }), picture, expect.any(AbortSignal));
});

test("[SAFE-202] a hidden page, whose timers are late, takes it at once", async () => {
  options.isHidden.mockReturnValue(true);
  sampler.ask(asked("t1", { dueInMs: 5_000 }));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent()).toEqual(["t1"]);
});

test("[SAFE-202] one picture of a view is on its way; the other view does not wait for it", async () => {
  sampler.ask(asked("t1"));
  await vi.advanceTimersByTimeAsync(0);
  sampler.ask(asked("t2"));
  sampler.ask(asked("theirs", { view: "received" }));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent()).toEqual(["t1", "theirs"]);
});

test("[SAFE-202] of those that fall due meanwhile the newest goes as soon as the one before has arrived", async () => {
  sampler.ask(asked("t1"));
  await vi.advanceTimersByTimeAsync(0);
  sampler.ask(asked("t2"));
  sampler.ask(asked("t3"));
  arrive();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent()).toEqual(["t1", "t3"]);
});

test("[SAFE-202] a picture that fails is not told, and the next one is sent", async () => {
  vi.spyOn(console, "info").mockReturnValue();
  options.send.mockRejectedValueOnce(new Error("offline"));
  sampler.ask(asked("t1"));
  await vi.advanceTimersByTimeAsync(0);
  sampler.ask(asked("t2"));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent()).toEqual(["t1", "t2"]);
});

test("[SAFE-202] one that takes longer than its ticket lives is given up", async () => {
  vi.spyOn(AbortSignal, "timeout").mockImplementation((delayMs) => {
    const owner = new AbortController();
    setTimeout(() => owner.abort(), delayMs);
    return owner.signal;
  });
  options.take.mockImplementation(
    (_track, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(null))),
  );
  sampler.ask(asked("t1"));
  await vi.advanceTimersByTimeAsync(inspectionTicketMs);
  options.take.mockResolvedValue(picture);
  sampler.ask(asked("t2"));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent()).toEqual(["t2"]);
});

test("[SAFE-203] nothing is taken of a view that shows nothing, such as a camera that is switched off", async () => {
  options.trackOf.mockReturnValue(null);
  sampler.ask(asked("t1"));
  await vi.advanceTimersByTimeAsync(0);
  expect(options.take).not.toHaveBeenCalled();
});

test("[SAFE-203] after the call nothing is taken, and what is on its way is given up", async () => {
  sampler.ask(asked("t1"));
  sampler.ask(asked("theirs", { view: "received", dueInMs: 500 }));
  await vi.advanceTimersByTimeAsync(0);
  sampler.stop();
  expect(options.send.mock.calls[0]?.[2].aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent()).toEqual(["t1"]);
});

test.each([
  [
    { width: 640, height: 480 },
    { width: 640, height: 480 },
  ],
  [
    { width: 1280, height: 720 },
    { width: 640, height: 360 },
  ],
  [
    { width: 720, height: 1280 },
    { width: 270, height: 480 },
  ],
  [
    { width: 320, height: 240 },
    { width: 320, height: 240 },
  ],
  [
    { width: 5_000, height: 1 },
    { width: 640, height: 1 },
  ],
])("[SAFE-204] a picture of $width x $height is sent whole, and enlarged by nothing", (size, fit) => {
  expect(fitted(size.width, size.height)).toEqual(fit);
  expect(fit.width <= inspectedFrame.widthPx && fit.height <= inspectedFrame.heightPx).toBe(true);
});

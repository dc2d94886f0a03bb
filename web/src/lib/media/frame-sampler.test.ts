import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { inspectedFrame, inspectionLateMs, inspectionTicketMs } from "@fava/wire/limits.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { fitted, type FrameAsked, FrameSampler, type FrameSamplerOptions, pictureSizes } from "./frame-sampler.ts";

const track = { kind: "video" } as MediaStreamTrack;
const asked = (ticket: string, change: Partial<FrameAsked> = {}): FrameAsked => ({
  roomId: "r1",
  ticket,
  view: "own",
  dueInMs: 0,
  ...change,
});

let options: { [Name in keyof FrameSamplerOptions]: ReturnType<typeof vi.fn<FrameSamplerOptions[Name]>> };
let sampler: FrameSampler;
/** Tickets of the frames that arrived, in order. */
let arrived: string[];
const begun = () => options.send.mock.calls.map(([{ ticket }]) => ticket);
const sizes = () => options.take.mock.calls.map(([, { edgePx }]) => edgePx);
const pass = (timeMs: number) => vi.advanceTimersByTimeAsync(timeMs);

/** An uplink that takes this long per frame. */
function uplinkTakes(timeMs: number): void {
  options.send.mockImplementation(async ({ ticket }, _picture, signal) => {
    await wait(timeMs, signal);
    arrived.push(ticket);
  });
}

function wait(timeMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, timeMs);
    signal.addEventListener("abort", () => reject(new RequestFailure({ code: 0, reason: "aborted" })));
  });
}

/** The server requests a frame every `everyMs`, `count` times in all. */
async function askEvery(everyMs: number, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    sampler.ask(asked(`t${n}`));
    await pass(everyMs);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "info").mockReturnValue();
  vi.spyOn(AbortSignal, "timeout").mockImplementation((delayMs) => {
    const owner = new AbortController();
    setTimeout(() => owner.abort(new DOMException("over", "TimeoutError")), delayMs);
    return owner.signal;
  });
  arrived = [];
  options = {
    trackOf: vi.fn<FrameSamplerOptions["trackOf"]>(() => track),
    take: vi.fn<FrameSamplerOptions["take"]>(() => Promise.resolve(new Blob(["jpeg"]))),
    send: vi.fn<FrameSamplerOptions["send"]>(),
    isHidden: vi.fn<FrameSamplerOptions["isHidden"]>(() => false),
  };
  uplinkTakes(100);
  sampler = new FrameSampler(options);
});

afterEach(() => {
  sampler.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("captures a frame when it is due and sends it with its ticket", async () => {
  sampler.ask(asked("t1", { dueInMs: 800 }));
  await pass(799);
  expect(options.take).not.toHaveBeenCalled();
  await pass(1);
  expect(options.send).toHaveBeenCalledWith(asked("t1", { dueInMs: 800 }), expect.any(Blob), expect.any(AbortSignal));
});

test("captures at once on a hidden page, whose timers fire late", async () => {
  options.isHidden.mockReturnValue(true);
  sampler.ask(asked("t1", { dueInMs: 5_000 }));
  await pass(0);
  expect(begun()).toEqual(["t1"]);
});

test("drops no request when a busy page receives the next one late", async () => {
  sampler.ask(asked("t1", { dueInMs: 300 }));
  sampler.ask(asked("t2", { dueInMs: 300 }));
  await pass(1_000);
  expect(arrived).toEqual(["t1", "t2"]);
});

test("captures each frame at its moment while earlier ones are being sent", async () => {
  uplinkTakes(8_000);
  await askEvery(2_000, 3);
  expect(options.take).toHaveBeenCalledTimes(3);
});

test("keeps the newest request while a slow encoder works, and captures it next", async () => {
  options.take.mockImplementation(async () => {
    await wait(5_000, new AbortController().signal);
    return new Blob(["jpeg"]);
  });
  sampler.ask(asked("t1"));
  await pass(1_000);
  sampler.ask(asked("t2"));
  sampler.ask(asked("t3"));
  await pass(11_000);
  expect(arrived).toEqual(["t1", "t3"]);
});

test("waits for a frame at most as long as its ticket is valid, then captures the next one", async () => {
  options.take.mockImplementationOnce(
    (_track, _size, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(null))),
  );
  sampler.ask(asked("t1"));
  await pass(1_000);
  sampler.ask(asked("t2"));
  await pass(inspectionTicketMs);
  expect(arrived).toEqual(["t2"]);
});

test("delivers every frame over an uplink that delays each by 8 s", async () => {
  uplinkTakes(8_000);
  await askEvery(10_000, 6);
  expect(arrived).toEqual(["t1", "t2", "t3", "t4", "t5", "t6"]);
});

test("leaves no gap of more than 30 s in ten minutes when one upload of twenty is lost", async () => {
  const gaps: number[] = [];
  let last = Date.now();
  let count = 0;
  options.send.mockImplementation(async (_asked, _picture, signal) => {
    count += 1;
    // Every twentieth upload gets no response.
    if (count % 20 === 10) await new Promise((_, reject) => signal.addEventListener("abort", reject));
    await wait(count % 2 === 0 ? 8_000 : 2_000, signal);
    gaps.push(Date.now() - last);
    last = Date.now();
  });
  await askEvery(10_000, 60);
  expect(gaps.length).toBeGreaterThanOrEqual(55);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(30_000);
});

test.each([
  ["the connection is lost", new RequestFailure({ code: 0, reason: "network" })],
  ["the request times out", new RequestFailure({ code: 0, reason: "timeout" })],
  ["the server fails", new RequestFailure({ code: codes.serverError, reason: "" })],
  ["the database is away", new RequestFailure({ code: codes.unavailable, reason: "" })],
  ["a limit is reached", new RequestFailure({ code: codes.slowDown, reason: "" })],
])("retries a frame if %s, with growing waits", async (_what, failure) => {
  for (let n = 0; n < 3; n += 1) options.send.mockRejectedValueOnce(failure);
  sampler.ask(asked("t1"));
  await pass(499);
  expect(options.send).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(options.send).toHaveBeenCalledTimes(2);
  await pass(999);
  expect(options.send).toHaveBeenCalledTimes(2);
  await pass(1);
  expect(options.send).toHaveBeenCalledTimes(3);
  await pass(2_100);
  expect(arrived).toEqual(["t1"]);
});

test("waits as long as the server asks for before it retries", async () => {
  options.send.mockRejectedValueOnce(
    new RequestFailure({ code: codes.slowDown, reason: "", data: { retry_after: 3 } }),
  );
  sampler.ask(asked("t1"));
  await pass(2_999);
  expect(options.send).toHaveBeenCalledTimes(1);
  await pass(101);
  expect(arrived).toEqual(["t1"]);
});

test("does not retry a frame that the server rejects, and sends the next one", async () => {
  options.send.mockRejectedValueOnce(new RequestFailure({ code: codes.badInput, reason: "" }));
  await askEvery(5_000, 2);
  expect(begun()).toEqual(["t1", "t2"]);
  expect(arrived).toEqual(["t2"]);
});

test("drops a frame when the server no longer accepts it", async () => {
  options.send.mockRejectedValue(new RequestFailure({ code: 0, reason: "network" }));
  sampler.ask(asked("t1"));
  await pass(inspectionLateMs);
  const tries = options.send.mock.calls.length;
  await pass(60_000);
  expect(options.send).toHaveBeenCalledTimes(tries);
});

test("uploads at most two frames of a view and keeps the newest waiting one, each view on its own", async () => {
  uplinkTakes(6_000);
  for (const ticket of ["t1", "t2", "t3", "t4"]) {
    sampler.ask(asked(ticket));
    await pass(100);
  }
  sampler.ask(asked("theirs", { view: "received" }));
  await pass(0);
  expect(begun()).toEqual(["t1", "t2", "theirs"]);
  await pass(12_000);
  expect(arrived).toEqual(["t1", "t2", "theirs", "t4"]);
});

test("replaces a frame that waits for its retry by a newer one", async () => {
  options.send.mockRejectedValueOnce(new RequestFailure({ code: 0, reason: "network" }));
  sampler.ask(asked("t1"));
  await pass(100);
  sampler.ask(asked("t2"));
  await pass(5_000);
  expect(arrived).toEqual(["t2"]);
});

test("captures smaller frames while uploads are slow, and larger ones after three quick ones in a row", async () => {
  uplinkTakes(8_000);
  await askEvery(10_000, 4);
  expect(sizes()).toEqual([480, 320, 240, 240]);
  uplinkTakes(200);
  await askEvery(10_000, 7);
  expect(sizes().slice(4)).toEqual([240, 240, 240, 320, 320, 320, 480]);
});

test("captures a smaller frame after one that did not arrive in time", async () => {
  uplinkTakes(inspectionLateMs + 1);
  await askEvery(inspectionLateMs, 2);
  expect(sizes()).toEqual([480, 320]);
});

test("captures nothing of a view that shows nothing, such as a camera that is off", async () => {
  options.trackOf.mockReturnValue(null);
  sampler.ask(asked("t1"));
  await pass(0);
  expect(options.take).not.toHaveBeenCalled();
});

test("stops sampling and aborts uploads when a call ends, and samples the next call from the start", async () => {
  uplinkTakes(8_000);
  sampler.ask(asked("t1"));
  sampler.ask(asked("theirs", { view: "received", dueInMs: 500 }));
  await pass(0);
  sampler.stop();
  expect(options.send.mock.calls[0]?.[2].aborted).toBe(true);
  await pass(1_000);
  expect(begun()).toEqual(["t1"]);
  sampler.ask(asked("t2", { roomId: "r2" }));
  await pass(0);
  expect(begun()).toEqual(["t1", "t2"]);
  expect(sizes()).toEqual([480, 480]);
});

test("retries nothing of a call that is over", async () => {
  options.send.mockRejectedValue(new RequestFailure({ code: 0, reason: "network" }));
  sampler.ask(asked("t1"));
  await pass(0);
  sampler.stop();
  await pass(20_000);
  expect(begun()).toEqual(["t1"]);
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
])("sends a frame of $width x $height uncropped, and never enlarges it", (size, fit) => {
  expect(fitted(size.width, size.height)).toEqual(fit);
  expect(fit.width <= inspectedFrame.widthPx && fit.height <= inspectedFrame.heightPx).toBe(true);
});

test.each([
  [1280, 720],
  [720, 1280],
  [640, 480],
])("keeps the aspect ratio of %i x %i in every smaller size, and enough pixels for the classifier", (width, height) => {
  for (const size of pictureSizes) {
    const fit = fitted(width, height, size);
    expect(fit.width / fit.height).toBeCloseTo(width / height, 1);
    expect(Math.min(fit.width, fit.height)).toBeGreaterThanOrEqual(224);
    expect(Math.min(fit.width, fit.height)).toBeLessThanOrEqual(size.edgePx);
  }
});

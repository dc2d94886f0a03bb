import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { mediaStallMs } from "@fava/wire/limits.ts";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { type FlowChange, FlowWatch, ReceivedMedia } from "#lib/media/peer-connection.ts";

/** The results of a watch for readings of `[time, bytes, frames]`. */
function watch(...readings: [number, number, number][]): FlowChange[] {
  const flow = new FlowWatch();
  return readings.map(([nowMs, bytes, framesDecoded]) => flow.step({ bytes, framesDecoded }, nowMs));
}

describe("the flow of media", () => {
  test("starts with the first decoded frame, reported once, and not before the element can have shown it", () => {
    expect(watch([0, 0, 0], [500, 100, 0], [1_000, 200, 1], [1_500, 300, 2], [2_000, 400, 3])).toEqual([
      null,
      null,
      null,
      "first-frame",
      null,
    ]);
  });

  test("stalls after 1.5 s without a new byte, reported once", () => {
    expect(mediaStallMs).toBe(1_500);
    expect(watch([0, 100, 1], [1_499, 100, 1], [1_500, 100, 1], [2_000, 100, 1], [60_000, 100, 1])).toEqual([
      null,
      "first-frame",
      "stalled",
      null,
      null,
    ]);
  });

  test("continues with the first new byte, and may stall again", () => {
    const readings: [number, number, number][] = [
      [0, 100, 1],
      [500, 100, 1],
      [1_500, 100, 1],
      [2_000, 101, 1],
      [3_499, 101, 1],
      [3_500, 101, 1],
    ];
    expect(watch(...readings)).toEqual([null, "first-frame", "stalled", "flowing", null, "stalled"]);
  });

  test("cannot stall before media has flowed: the match timeout covers that", () => {
    expect(watch([0, 0, 0], [10_000, 0, 0])).toEqual([null, null]);
  });

  test("continues while bytes arrive, even if the camera is off", () => {
    expect(watch([0, 100, 1], [1_400, 150, 1], [2_800, 200, 1])).toEqual([null, "first-frame", null]);
  });

  test("reports at most one first frame, then stalls and flows in turn", () => {
    const reading = fc.record({ afterMs: fc.integer({ min: 1, max: 2_000 }), bytes: fc.nat(3), frames: fc.nat(1) });
    fc.assert(
      fc.property(fc.array(reading), (readings) => {
        const flow = new FlowWatch();
        let [nowMs, bytes, framesDecoded] = [0, 0, 0];
        const told = readings.map((change) => {
          nowMs += change.afterMs;
          bytes += change.bytes;
          framesDecoded += change.frames;
          return flow.step({ bytes, framesDecoded }, nowMs);
        });
        expect(told.filter((change) => change === "first-frame").length).toBeLessThanOrEqual(1);
        const turns = told.filter((change) => change === "stalled" || change === "flowing");
        expect(turns).toEqual(turns.map((_, index) => (index % 2 === 0 ? "stalled" : "flowing")));
      }),
      fuzz(100),
    );
  });
});

test("sums what was received over all tracks, and nothing that was sent", () => {
  const report = new Map<string, object>([
    ["a", { type: "inbound-rtp", bytesReceived: 100, headerBytesReceived: 24, packetsReceived: 2 }],
    ["v", { type: "inbound-rtp", bytesReceived: 1_000, framesDecoded: 7 }],
    ["o", { type: "outbound-rtp", bytesReceived: 9, framesDecoded: 9 }],
    ["t", { type: "transport", bytesReceived: 9 }],
  ]);
  // The headers of RTP, and 42 bytes around each of the two packets.
  const carriedBytes = 1_100 + 24 + 2 * 42;
  expect(new ReceivedMedia().read(report)).toEqual({ bytes: 1_100, framesDecoded: 7, carriedBytes });
});

test("reads only the rows of sound and video once both exist, and finds them again when one is replaced", () => {
  const media = new ReceivedMedia();
  const report = new Map<string, object>([["a", { type: "inbound-rtp", kind: "audio", bytesReceived: 100 }]]);
  const scan = vi.spyOn(report, "forEach");
  expect(media.read(report).bytes).toBe(100);
  report.set("v", { type: "inbound-rtp", kind: "video", bytesReceived: 1_000, framesDecoded: 7 });
  expect(media.read(report)).toEqual({ bytes: 1_100, framesDecoded: 7, carriedBytes: 1_100 });
  expect(media.read(report)).toEqual({ bytes: 1_100, framesDecoded: 7, carriedBytes: 1_100 });
  expect(scan).toHaveBeenCalledTimes(2);
  report.delete("v");
  report.set("v2", { type: "inbound-rtp", kind: "video", bytesReceived: 50, framesDecoded: 1 });
  expect(media.read(report)).toEqual({ bytes: 150, framesDecoded: 1, carriedBytes: 150 });
  expect(scan).toHaveBeenCalledTimes(3);
});

import { afterEach, describe, expect, test, vi } from "vitest";
import { mediaStatsMs, sendStatsMs } from "@fava/wire/limits.ts";
import { FakePeerConnection } from "#testing/fake-peer-connection.ts";
import { setMediaOption } from "./media-options.ts";
import { eachPeerWorld, type MadePeer } from "#testing/peer-world.ts";

const world = eachPeerWorld();
afterEach(() => setMediaOption("signs", false));
const top = {
  active: true,
  scaleResolutionDownBy: 1,
  maxFramerate: 24,
  maxBitrate: 1_200_000,
  priority: "low",
  networkPriority: "low",
};
const third = { ...top, scaleResolutionDownBy: 1.5, maxFramerate: 20, maxBitrate: 500_000 };
const second = { ...top, scaleResolutionDownBy: 2, maxFramerate: 15, maxBitrate: 250_000 };
const first = { ...top, scaleResolutionDownBy: 4, maxFramerate: 8, maxBitrate: 100_000 };

const parametersOf = ({ connection }: MadePeer) => connection.transceivers.map(({ sender }) => sender.parameters);
const pictureOf = (made: MadePeer) => parametersOf(made)[1]?.encodings[0];

/** The first rung is chosen by the reading after the one that finds the first frame. */
const firstRungMs = 2 * mediaStatsMs;

/** Frames flow for this long. */
async function flow({ connection }: MadePeer, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += mediaStatsMs) {
    connection.received = {
      bytes: connection.received.bytes + 10_000,
      framesDecoded: connection.received.framesDecoded + 10,
    };
    connection.sending.bytesSent += 20_000;
    await vi.advanceTimersByTimeAsync(mediaStatsMs);
  }
}

describe.each(["offerer", "answerer"] as const)("what the %s sends", (role) => {
  const inCall = () => (role === "offerer" ? world().connectedOfferer() : world().connectedAnswerer());

  test("is left to the browser until the first frame is painted, and then starts one rung below the top", async () => {
    const made = await inCall();
    await vi.advanceTimersByTimeAsync(10_000);
    await flow(made, mediaStatsMs);
    expect(parametersOf(made)).toEqual([{ encodings: [{}] }, { encodings: [{}] }]);
    await flow(made, mediaStatsMs);
    expect(pictureOf(made)).toEqual(third);
  });

  test("starts another rung lower when the browser asks to save data", async () => {
    vi.stubGlobal("navigator", { connection: { saveData: true } });
    const made = await inCall();
    await flow(made, firstRungMs);
    expect(pictureOf(made)).toEqual(second);
  });

  test("prefers sound to video, and frame rate to resolution", async () => {
    const made = await inCall();
    await flow(made, firstRungMs);
    expect(parametersOf(made)).toEqual([
      { encodings: [{ maxBitrate: 32_000, priority: "high", networkPriority: "high" }] },
      { encodings: [third], degradationPreference: "maintain-framerate" },
    ]);
  });

  test("prefers video to sound for users who sign, with at least 20 frames per second, and never pauses it", async () => {
    setMediaOption("signs", true);
    const made = await inCall();
    await flow(made, firstRungMs);
    const signed = { ...third, priority: "high", networkPriority: "high" };
    const sound = { maxBitrate: 32_000, priority: "low", networkPriority: "low" };
    expect(parametersOf(made).map(({ encodings }) => encodings[0])).toEqual([sound, signed]);
    made.connection.sending.availableOutgoingBitrate = 20_000;
    made.connection.sending.fractionLost = 0.3;
    await flow(made, 60_000);
    expect(parametersOf(made).map(({ encodings }) => encodings[0])).toEqual([
      { ...sound, maxBitrate: 8_000 },
      { ...signed, scaleResolutionDownBy: 4, maxFramerate: 20, maxBitrate: 100_000 },
    ]);
  });

  test("changes during a call: a paused video returns when the user chooses to sign", async () => {
    const made = await inCall();
    await flow(made, firstRungMs);
    made.connection.sending.availableOutgoingBitrate = 40_000;
    await flow(made, 14_000);
    expect(pictureOf(made)).toMatchObject({ active: false });
    setMediaOption("signs", true);
    await flow(made, sendStatsMs);
    expect(parametersOf(made).map(({ encodings }) => encodings[0])).toEqual([
      { maxBitrate: 8_000, priority: "low", networkPriority: "low" },
      { ...first, maxFramerate: 20, priority: "high", networkPriority: "high" },
    ]);
    expect(world().rungs.at(-1)).toBe(1);
    setMediaOption("signs", false);
    await flow(made, sendStatsMs);
    expect(pictureOf(made)).toEqual(first);
  });

  test("follows the statistics of the connection every two seconds", async () => {
    const made = await inCall();
    await flow(made, firstRungMs);
    made.connection.sending.availableOutgoingBitrate = 70_000;
    await flow(made, sendStatsMs * 2);
    expect(pictureOf(made)).toEqual(third);
    await flow(made, sendStatsMs);
    expect(pictureOf(made)).toEqual(first);
    made.connection.sending.availableOutgoingBitrate = 2_000_000;
    await flow(made, 36_000);
    expect(pictureOf(made)).toEqual(top);
    made.connection.sending.fractionLost = 0.11;
    await flow(made, sendStatsMs * 2);
    expect(pictureOf(made)).toEqual(second);
    made.connection.sending.fractionLost = 0;
    made.connection.sending.qualityLimitationReason = "bandwidth";
    await flow(made, 120_000);
    expect(pictureOf(made)).toEqual(second);
  });

  test("is sound alone when the network carries no video, with a report, and video again later", async () => {
    const made = await inCall();
    await flow(made, firstRungMs);
    made.connection.sending.availableOutgoingBitrate = 40_000;
    await flow(made, 14_000);
    expect([pictureOf(made), parametersOf(made)[0]?.encodings[0]]).toMatchObject([
      { active: false },
      { maxBitrate: 16_000, priority: "high" },
    ]);
    expect(world().rungs).toEqual([3, 1, 0]);
    made.connection.sound.roundTripTime = 1.1;
    await flow(made, 20_000);
    expect(world().rungs).toEqual([3, 1, 0]);
    made.connection.sound.roundTripTime = 0.1;
    // The last reports on the paused video stay in the statistics.
    Object.assign(made.connection.sending, { roundTripTime: 1.8, fractionLost: 0.5 });
    await flow(made, 14_000);
    Object.assign(made.connection.sending, { roundTripTime: 0.1, fractionLost: 0 });
    expect([pictureOf(made), parametersOf(made)[0]?.encodings[0]]).toMatchObject([first, { maxBitrate: 32_000 }]);
    expect(world().rungs).toEqual([3, 1, 0, 1]);
  });

  test("follows the round trip and the encoded frames of a browser that tells neither capacity nor limits", async () => {
    const made = await inCall();
    const { sending } = made.connection;
    sending.availableOutgoingBitrate = sending.qualityLimitationReason = undefined;
    await flow(made, firstRungMs + 14_000);
    expect(pictureOf(made)).toEqual(top);
    sending.roundTripTime = 0.36;
    await flow(made, sendStatsMs * 2);
    expect(pictureOf(made)).toEqual(third);
    // After a minute the longer round trip is the usual one.
    await flow(made, 150_000);
    expect(pictureOf(made)).toEqual(top);

    for (let seconds = 0; seconds < 8; seconds += 2) {
      sending.framesCaptured += 60;
      sending.framesEncoded += 30;
      await flow(made, 2_000);
    }
    expect(pictureOf(made)).toEqual(third);
  });

  test("is sound alone after four seconds in which the browser mostly repeats lost packets", async () => {
    const made = await inCall();
    await flow(made, firstRungMs);
    for (let times = 0; times < 3; times += 1) {
      made.connection.sending.retransmittedBytesSent += 60_000;
      await flow(made, sendStatsMs);
    }
    expect(world().rungs).toEqual([3, 0]);
  });

  test("requests the frame rate no more after a browser has refused it", async () => {
    const refused = vi.fn<(parameters: object) => boolean>((parameters) => "degradationPreference" in parameters);
    FakePeerConnection.refuses = refused;
    const made = await inCall();
    await flow(made, firstRungMs);
    expect(parametersOf(made)[1]).toEqual({ encodings: [third] });
    made.connection.sending.availableOutgoingBitrate = 70_000;
    await flow(made, sendStatsMs * 3);
    expect(parametersOf(made)[1]).toEqual({ encodings: [first] });
    expect(refused.mock.results.filter(({ value }) => value === true)).toHaveLength(1);
  });

  test("stays unchanged in a browser that refuses all of it, or reports no encodings", async () => {
    const info = vi.spyOn(console, "info").mockReturnValue(undefined);
    FakePeerConnection.refuses = () => true;
    const refusing = await inCall();
    await flow(refusing, firstRungMs);
    expect(parametersOf(refusing)).toEqual([{ encodings: [{}] }, { encodings: [{}] }]);
    expect(info).toHaveBeenCalledTimes(2);
    FakePeerConnection.refuses = () => false;
    const silent = await inCall();
    for (const { sender } of silent.connection.transceivers) sender.parameters.encodings = [];
    await flow(silent, 10_000);
    expect(parametersOf(silent)).toEqual([{ encodings: [] }, { encodings: [] }]);
  });
});

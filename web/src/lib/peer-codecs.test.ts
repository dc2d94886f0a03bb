import { afterEach, expect, test, vi } from "vitest";
import { preferVp8 } from "#lib/media/peer-connection.ts";

afterEach(() => void vi.unstubAllGlobals());

const codec = (mimeType: string, sdpFmtpLine?: string) => ({ mimeType, clockRate: 90_000, sdpFmtpLine });
const vp8 = codec("video/VP8");
const vp9 = codec("video/VP9");
const h264 = codec("video/H264", "profile-level-id=42e01f");
const rtx = codec("video/rtx");
const red = codec("video/red");

function browserWith(codecs: readonly object[] | null): void {
  vi.stubGlobal("RTCRtpReceiver", { getCapabilities: () => codecs && { codecs } });
}

/** The preferences set on a video transceiver, one list per call of the method. */
function chosen(): unknown[][] {
  const setCodecPreferences = vi.fn<RTCRtpTransceiver["setCodecPreferences"]>();
  preferVp8({ setCodecPreferences } as unknown as RTCRtpTransceiver);
  return setCodecPreferences.mock.calls.map(([codecs]) => [...codecs]);
}

test("[CALL-5] orders VP8 first, then retransmission and error correction, then the others in the browser's order", () => {
  browserWith([h264, rtx, vp9, red, vp8]);
  expect(chosen()).toEqual([[vp8, rtx, red, h264, vp9]]);
});

test("[CALL-5] keeps every codec of the browser, for partners without VP8", () => {
  const all = [vp9, vp8, codec("video/AV1"), codec("video/ulpfec"), codec("video/flexfec-03"), h264];
  browserWith(all);
  const [codecs] = chosen();
  expect(new Set(codecs)).toEqual(new Set(all));
  expect(codecs).toHaveLength(all.length);
});

test("[CALL-5] keeps the order of a browser without VP8, without the list or without the method", () => {
  browserWith([h264, vp9]);
  expect(chosen()).toEqual([]);
  browserWith(null);
  expect(chosen()).toEqual([]);
  browserWith([vp8]);
  expect(() => preferVp8({} as RTCRtpTransceiver)).not.toThrow();
});

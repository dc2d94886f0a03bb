/** What travels with a video codec: retransmission and forward error correction. */
const companions = new Set(["video/rtx", "video/red", "video/ulpfec", "video/flexfec-03"]);

/** Prefers VP8 for a video transceiver (rule CALL-5); browsers without the call keep their own order. */
export function preferVp8(transceiver: RTCRtpTransceiver): void {
  const codecs = RTCRtpReceiver.getCapabilities("video")?.codecs ?? [];
  const vp8 = codecs.filter((codec) => codec.mimeType.toLowerCase() === "video/vp8");
  if (vp8.length === 0 || !("setCodecPreferences" in transceiver)) return;
  const others = codecs.filter((codec) => !vp8.includes(codec) && !companions.has(codec.mimeType.toLowerCase()));
  const helpers = codecs.filter((codec) => companions.has(codec.mimeType.toLowerCase()));
  transceiver.setCodecPreferences([...vp8, ...helpers, ...others]);
}

import { usesSignLanguage } from "./media-options.ts";
import {
  openLadder,
  type RungNumber,
  rungs,
  type SendReading,
  stepLadder,
  withSignLanguage,
} from "./quality-ladder.ts";

/** Limit for sound beside video. */
const soundBitsPerSecondMax = 32_000;
/** Limit for sound while no video is sent. */
const soundAloneBitsPerSecondMax = 16_000;
/** Frame rate for users who sign: choppy hands are unreadable at any resolution. */
const signedFramesPerSecondMin = 20;
/** Readings of the last minute, whose shortest round trip is compared. */
const roundTripsMax = 30;
/** The processor is too slow if it encodes less than this share of the frames; a few frames a second are no measure. */
const encodedShareMin = 0.7;
const judgedFramesPerSecondMin = 10;
/** Limit for sound of users who sign, on the lowest rung: their video comes first. */
const soundBesideSignsBitsPerSecondMax = 8_000;

/** A call starts one rung below the top, or lower if the browser asks to save data. */
function firstRung(): RungNumber {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData ? 2 : 3;
}

/**
 * Sends as much video and sound as the network of one connection carries, sound first. For users who sign, video comes
 * first and is never paused, also when they choose that during a call.
 */
export class SenderQuality {
  readonly #connection: Pick<RTCPeerConnection, "getTransceivers">;
  readonly #tellRung: (rung: RungNumber) => void;
  #ladder = openLadder(firstRung(), usesSignLanguage());
  #before: Sent | null = null;
  readonly #roundTripsMs: number[] = [];
  /** Whether to ask the browser to keep the frame rate rather than the resolution; false once it has rejected that. */
  #prefersFrames = true;

  /**
   * Starts on the first rung, once the connection has negotiated its codecs.
   *
   * @param tellRung is called with each rung of the video, including the first
   */
  constructor(connection: Pick<RTCPeerConnection, "getTransceivers">, tellRung: (rung: RungNumber) => void) {
    this.#connection = connection;
    this.#tellRung = tellRung;
    this.#apply();
  }

  /** Reads the statistics of the connection at `nowMs` of the monotonic clock. */
  read(report: RTCStatsReport, nowMs: number): void {
    const sent = sentIn(report);
    const before = this.#before;
    this.#before = sent;
    if (!before) return;
    const { rung, signs } = this.#ladder;
    const ladder = signs === usesSignLanguage() ? this.#ladder : withSignLanguage(this.#ladder, !signs);
    const reading = { ...readingOf(before, sent), delayGrowthMs: this.#delayGrowthMs(sent) };
    this.#ladder = stepLadder(ladder, reading, nowMs);
    if (this.#ladder.rung !== rung || this.#ladder.signs !== signs) this.#apply();
  }

  /** Compares the video's round trip, which is reported every second; the sound's is reported every five seconds. */
  #delayGrowthMs({ availableKbps, videoRoundTripMs }: Sent): number | null {
    if (availableKbps !== null || videoRoundTripMs === null) return null;
    this.#roundTripsMs.push(videoRoundTripMs);
    if (this.#roundTripsMs.length > roundTripsMax) this.#roundTripsMs.shift();
    return videoRoundTripMs - Math.min(...this.#roundTripsMs);
  }

  #apply(): void {
    this.#tellRung(this.#ladder.rung);
    for (const { sender } of this.#connection.getTransceivers()) {
      // Rejects if the connection was closed before.
      if (sender.track) this.#set(sender).catch((error: unknown) => console.info("could not set the sender", error));
    }
  }

  async #set(sender: RTCRtpSender): Promise<void> {
    const parameters = sender.getParameters();
    const [encoding] = parameters.encodings;
    // The browser has not negotiated yet, or reports no encodings: there is nothing to set.
    if (!encoding) return;
    const isPicture = sender.track?.kind === "video";
    Object.assign(encoding, isPicture ? this.#picture() : this.#sound());
    if (!isPicture || !this.#prefersFrames) return sender.setParameters(parameters);
    try {
      await sender.setParameters({ ...parameters, degradationPreference: "maintain-framerate" });
    } catch {
      this.#prefersFrames = false;
      await this.#set(sender);
    }
  }

  #sound(): Partial<RTCRtpEncodingParameters> {
    const { rung, signs } = this.#ladder;
    if (signs) {
      const maxBitrate = rung === 1 ? soundBesideSignsBitsPerSecondMax : soundBitsPerSecondMax;
      return { maxBitrate, priority: "low", networkPriority: "low" };
    }
    const maxBitrate = rung === 0 ? soundAloneBitsPerSecondMax : soundBitsPerSecondMax;
    return { maxBitrate, priority: "high", networkPriority: "high" };
  }

  #picture(): Partial<RTCRtpEncodingParameters> {
    const { rung, signs } = this.#ladder;
    if (rung === 0) return { active: false };
    const { scale, framesPerSecondMax, pictureKbpsMax } = rungs[rung];
    const priority = signs ? "high" : "low";
    return {
      active: true,
      scaleResolutionDownBy: scale,
      maxFramerate: signs ? Math.max(framesPerSecondMax, signedFramesPerSecondMin) : framesPerSecondMax,
      maxBitrate: pictureKbpsMax * 1_000,
      priority,
      networkPriority: priority,
    };
  }
}

/** Totals and latest values of everything sent on a connection. */
interface Sent {
  readonly atMs: number;
  readonly bytes: number;
  /** Bytes that repeat lost packets. */
  readonly resentBytes: number;
  readonly availableKbps: number | null;
  readonly loss: number;
  readonly soundLoss: number;
  readonly videoRoundTripMs: number | null;
  readonly soundRoundTripMs: number | null;
  /** Null if the browser does not tell. */
  readonly limitedBy: SendReading["limitedBy"] | null;
  /** Frames of the video. */
  readonly captured: number;
  readonly encoded: number;
}

type Row = Partial<{
  type: string;
  timestamp: number;
  bytesSent: number;
  headerBytesSent: number;
  retransmittedBytesSent: number;
  qualityLimitationReason: string;
  fractionLost: number;
  roundTripTime: number;
  kind: string;
  id: string;
  selectedCandidatePairId: string;
  availableOutgoingBitrate: number;
  frames: number;
  framesEncoded: number;
}>;

const limits: Readonly<Record<string, SendReading["limitedBy"]>> = { cpu: "processor", bandwidth: "way" };

function sentIn(report: RTCStatsReport): Sent {
  let [atMs, bytes, resentBytes, loss, soundLoss, captured, encoded] = [0, 0, 0, 0, 0, 0, 0];
  let way: string | undefined;
  const roundTripsMs: Partial<Record<string, number>> = {};
  let limitedBy: Sent["limitedBy"] = null;
  report.forEach((row: Row) => {
    if (row.type === "outbound-rtp") {
      atMs = row.timestamp ?? 0;
      bytes += (row.bytesSent ?? 0) + (row.headerBytesSent ?? 0);
      resentBytes += row.retransmittedBytesSent ?? 0;
      encoded += row.framesEncoded ?? 0;
      const reason = row.qualityLimitationReason;
      if (reason !== undefined) limitedBy = limits[reason] ?? limitedBy ?? "nothing";
    }
    if (row.type === "media-source") captured += row.frames ?? 0;
    if (row.type === "remote-inbound-rtp") {
      loss = Math.max(loss, row.fractionLost ?? 0);
      if (row.kind === "audio") soundLoss = row.fractionLost ?? 0;
      if (row.kind !== undefined && row.roundTripTime !== undefined) roundTripsMs[row.kind] = row.roundTripTime * 1_000;
    }
    way ??= row.selectedCandidatePairId;
  });
  const { availableOutgoingBitrate }: Row = way === undefined ? {} : (report.get(way) ?? {});
  const availableKbps = availableOutgoingBitrate === undefined ? null : availableOutgoingBitrate / 1_000;
  const { video: videoRoundTripMs = null, audio: soundRoundTripMs = null } = roundTripsMs;
  return {
    atMs,
    bytes,
    resentBytes,
    availableKbps,
    loss,
    soundLoss,
    videoRoundTripMs,
    soundRoundTripMs,
    limitedBy,
    captured,
    encoded,
  };
}

function readingOf(before: Sent, sent: Sent): Omit<SendReading, "delayGrowthMs"> {
  const { availableKbps, loss, soundLoss, videoRoundTripMs, soundRoundTripMs } = sent;
  const passedMs = Math.max(1, sent.atMs - before.atMs);
  // Bits per millisecond are kilobits per second.
  const kbpsOf = (bytes: number) => (Math.max(0, bytes) * 8) / passedMs;
  const sentKbps = kbpsOf(sent.bytes - before.bytes);
  const resentShare = kbpsOf(sent.resentBytes - before.resentBytes) / Math.max(1, sentKbps);
  const roundTripMs = videoRoundTripMs === null ? soundRoundTripMs : Math.max(videoRoundTripMs, soundRoundTripMs ?? 0);
  const limitedBy = sent.limitedBy ?? (isSlow(before, sent, passedMs) ? "processor" : "nothing");
  return { availableKbps, sentKbps, loss, soundLoss, resentShare, roundTripMs, soundRoundTripMs, limitedBy };
}

/** Whether the browser encodes fewer frames than are captured and wanted on the top rung. */
function isSlow(before: Sent, sent: Sent, passedMs: number): boolean {
  const perSecond = (frames: number) => (frames * 1_000) / passedMs;
  const wanted = Math.min(perSecond(sent.captured - before.captured), rungs[4].framesPerSecondMax);
  return wanted >= judgedFramesPerSecondMin && perSecond(sent.encoded - before.encoded) < wanted * encodedShareMin;
}

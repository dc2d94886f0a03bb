import {
  candidateBatchMs,
  candidatesPerSignalMax,
  leftConnectionMsMax,
  mediaStallMs,
  mediaStatsMs,
  sendStatsMs,
} from "@fava/wire/limits.ts";
import type { IceServer } from "@fava/wire/pushes.ts";
import type { Candidate, Signal } from "@fava/wire/signals.ts";
import type { RungNumber } from "./quality-ladder.ts";
import { SenderQuality } from "./sender-quality.ts";

export interface ConnectionOptions {
  iceServers: readonly IceServer[];
  policy: RTCIceTransportPolicy;
  /** Finds its own ways before it has a description: of use where one is about to come. */
  gathersAhead?: boolean;
}

export interface PeerOptions extends ConnectionOptions {
  /** The own tracks; closing the connection never stops them. */
  stream: MediaStream;
  /** One that was opened before the own tracks were there (`openConnection`). */
  connection?: RTCPeerConnection | null;
  /** Of its first offer, where an earlier connection of the same room has made some; what belongs to those is dropped. */
  firstGeneration?: number;
}

/** What a connection tells the room it belongs to. */
export interface PeerListener {
  signal(signal: Signal): void;
  remoteStream(stream: MediaStream): void;
  flow(change: "first-frame" | "stalled" | "flowing"): void;
  /** How much of the own picture is sent from now on; 0: nothing, for want of a network that carries it. */
  rung(rung: RungNumber): void;
  /** New paths are about to be looked for; waited for, so that `useServers` comes in time. */
  beforeRestart(): Promise<void>;
}

/** A prepared offer waits this long for its first candidates, so that most travel inside the match push. */
const gatherMs = 400;
/** Candidates that may wait for their description; a browser finds far fewer. */
const earlyCandidatesMax = 256;
/** What is received is read more often than what is sent. */
const receivedReadings = sendStatsMs / mediaStatsMs;

/**
 * One peer connection. Only the offerer makes offers, so there is no glare: the answerer asks for a restart. Signals are
 * taken one after the other, because a candidate must not overtake its description; those of an older generation are
 * dropped.
 */
export class Peer {
  readonly #connection: RTCPeerConnection;
  readonly #options: PeerOptions;
  readonly #role: "offerer" | "answerer";
  readonly #firstGeneration: number;
  #listener: PeerListener | null = null;
  #generation: number;
  /** The newest offer that was answered; the same one may come in the match push and again as a signal. */
  #answered: number;
  #chain: Promise<void> = Promise.resolve();
  /** Steps of the chain that have not ended. */
  #waiting = 0;
  #gathered: Candidate[] = [];
  #early: Candidate[] = [];
  #batchTimer: ReturnType<typeof setTimeout> | undefined;
  #stopGathering: () => void = () => undefined;
  #statsTimer: ReturnType<typeof setInterval> | undefined;
  #closed = false;

  constructor(role: "offerer" | "answerer", options: PeerOptions) {
    this.#role = role;
    this.#options = options;
    const { firstGeneration = 0 } = options;
    this.#firstGeneration = this.#generation = firstGeneration;
    this.#answered = firstGeneration - 1;
    this.#connection = options.connection ?? openConnection(options);
    this.#connection.addEventListener("icecandidate", ({ candidate }) => candidate && this.#keepCandidate(candidate));
    this.#connection.addEventListener("track", ({ streams }) => {
      const [remote] = streams;
      if (remote) this.#listener?.remoteStream(remote);
    });
    this.#connection.addEventListener("iceconnectionstatechange", () => {
      // Faster than the statistics when the browser already knows; otherwise they find out.
      if (this.#connection.iceConnectionState === "failed") this.#listener?.flow("stalled");
    });
  }

  /** Makes the first offer in advance and waits a moment for its first candidates. */
  async prepareOffer(): Promise<string> {
    for (const track of this.#options.stream.getTracks()) {
      const transceiver = this.#connection.addTransceiver(track, {
        direction: "sendrecv",
        streams: [this.#options.stream],
      });
      if (track.kind === "video") preferVp8(transceiver);
    }
    await this.#connection.setLocalDescription(await this.#connection.createOffer());
    await this.#untilGathered();
    // What is in the description already does not travel a second time.
    this.#gathered = [];
    return this.#connection.localDescription?.sdp ?? "";
  }

  /** Begins the room: from now on candidates and descriptions go out, and the flow of media is watched. */
  begin(listener: PeerListener): void {
    this.#listener = listener;
    this.#sendCandidates();
    const watch = new FlowWatch();
    /** From the first picture on: nothing is done that the picture would wait for. */
    let quality: SenderQuality | null = null;
    let readings = 0;
    this.#statsTimer = setInterval(() => {
      void this.#connection.getStats().then((report) => {
        if (this.#closed) return;
        const change = watch.step(receivedIn(report), performance.now());
        if (change === "first-frame")
          quality ??= new SenderQuality(this.#connection, (rung) => this.#listener?.rung(rung));
        readings += 1;
        if (readings % receivedReadings === 0) quality?.read(report, performance.now());
        if (change) this.#listener?.flow(change);
      });
    }, mediaStatsMs);
  }

  /** Sends the first offer when it did not travel with the match. */
  offer(): void {
    this.#queue(async () => {
      if (!this.#connection.localDescription) await this.prepareOffer();
      this.#sendOffer();
    });
  }

  take(signal: Signal): void {
    this.#queue(() => this.#take(signal));
  }

  /** New paths for the same media: the offerer makes a new offer, the answerer asks for one. */
  restart(): void {
    if (this.#role === "offerer") this.#queue(() => this.#offerAnew());
    else this.#listener?.signal({ type: "restart", generation: this.#generation });
  }

  /** Other servers, or other credentials for the same ones; the next restart is the first to use them. */
  useServers(iceServers: readonly IceServer[]): void {
    if (!this.#closed) this.#connection.setConfiguration(configurationOf({ ...this.#options, iceServers }));
  }

  close(): void {
    if (this.#end()) this.#connection.close();
  }

  /**
   * Ends in this turn all that is sent and received, and closes the connection later (rule CALL-105): that keeps the page
   * waiting for the browser's other threads, in the middle of the next match.
   */
  leave(): void {
    if (!this.#end()) return;
    // A step under way would go on with a connection that is open, and might send.
    if (this.#waiting > 0) return this.#connection.close();
    for (const { sender, receiver } of this.#connection.getTransceivers()) {
      // It rejects where the connection was closed before.
      sender.replaceTrack(null).catch((error: unknown) => console.info("nothing was sent any more", error));
      receiver.track.stop();
    }
    closeSoon(this.#connection);
  }

  /** False: it has ended already. */
  #end(): boolean {
    if (this.#closed) return false;
    this.#closed = true;
    this.#listener = null;
    clearTimeout(this.#batchTimer);
    clearInterval(this.#statsTimer);
    this.#stopGathering();
    return true;
  }

  async #take(signal: Signal): Promise<void> {
    switch (signal.type) {
      case "offer":
        return this.#answer(signal);
      case "answer":
        if (signal.generation !== this.#generation || this.#connection.signalingState !== "have-local-offer") return;
        await this.#connection.setRemoteDescription({ type: "answer", sdp: signal.sdp });
        return this.#addEarly();
      case "candidates":
        if (signal.generation === this.#generation) await this.#addCandidates(signal.candidates);
        return;
      case "restart":
        if (this.#role === "offerer") await this.#restartAsked(signal.generation);
    }
  }

  /** Also while the last offer is unanswered: signals do not outlive a socket, so it or its answer may be lost. */
  async #offerAnew(): Promise<void> {
    await this.#listener?.beforeRestart();
    this.#generation += 1;
    this.#gathered = [];
    this.#early = [];
    await this.#connection.setLocalDescription(await this.#connection.createOffer({ iceRestart: true }));
    this.#sendOffer();
  }

  /** Whoever asks of an older offer has not seen the newest: it is on its way or answered, or it was lost. */
  async #restartAsked(generation: number): Promise<void> {
    if (generation === this.#generation) await this.#offerAnew();
    else if (this.#connection.signalingState === "have-local-offer") this.#sendOffer();
  }

  #sendOffer(): void {
    const sdp = this.#connection.localDescription?.sdp ?? "";
    this.#listener?.signal({ type: "offer", generation: this.#generation, sdp });
  }

  async #answer(offer: Extract<Signal, { type: "offer" }>): Promise<void> {
    if (this.#role !== "answerer" || offer.generation <= this.#answered) return;
    if (offer.generation > this.#firstGeneration) await this.#listener?.beforeRestart();
    this.#answered = offer.generation;
    this.#generation = offer.generation;
    await this.#connection.setRemoteDescription({ type: "offer", sdp: offer.sdp });
    this.#attachTracks();
    this.#gathered = [];
    // The browser makes the answer itself, which saves a way through its threads and back.
    await this.#connection.setLocalDescription();
    const sdp = this.#connection.localDescription?.sdp ?? "";
    this.#listener?.signal({ type: "answer", generation: this.#generation, sdp });
    await this.#addEarly();
  }

  /**
   * Puts the own tracks into the offer's own transceivers, which `addTrack` takes where they are free (source: WebRTC
   * 1.0, section 5.1); `replaceTrack` would do so, too, a round through another thread later for each track.
   */
  #attachTracks(): void {
    for (const transceiver of this.#connection.getTransceivers()) {
      const { kind } = transceiver.receiver.track;
      const track = this.#options.stream.getTracks().find((own) => own.kind === kind);
      if (!track || transceiver.sender.track) continue;
      this.#connection.addTrack(track, this.#options.stream);
      if (kind === "video") preferVp8(transceiver);
    }
  }

  async #addCandidates(candidates: readonly Candidate[]): Promise<void> {
    const { remoteDescription, signalingState } = this.#connection;
    // An unanswered offer of a restart: these belong to the answer, not to the description that is still there.
    if (!remoteDescription || signalingState === "have-local-offer") {
      this.#early.push(...candidates.slice(0, earlyCandidatesMax - this.#early.length));
      return;
    }
    for (const candidate of candidates) {
      try {
        await this.#connection.addIceCandidate(candidate as RTCIceCandidateInit);
      } catch (error) {
        // One bad path is no reason to lose the others.
        console.warn("candidate refused", error);
      }
    }
  }

  async #addEarly(): Promise<void> {
    const early = this.#early;
    this.#early = [];
    await this.#addCandidates(early);
  }

  #keepCandidate(candidate: RTCIceCandidate): void {
    if (candidate.candidate === "") return;
    const { candidate: line, sdpMid, sdpMLineIndex, usernameFragment } = candidate;
    this.#gathered.push({ candidate: line, sdpMid, sdpMLineIndex, usernameFragment });
    if (!this.#listener || this.#batchTimer !== undefined) return;
    this.#batchTimer = setTimeout(() => this.#sendCandidates(), candidateBatchMs);
  }

  #sendCandidates(): void {
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    const waiting = this.#gathered;
    this.#gathered = [];
    for (let from = 0; from < waiting.length; from += candidatesPerSignalMax) {
      const candidates = waiting.slice(from, from + candidatesPerSignalMax);
      this.#listener?.signal({ type: "candidates", generation: this.#generation, candidates });
    }
  }

  #untilGathered(): Promise<void> {
    if (this.#connection.iceGatheringState === "complete") return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      this.#stopGathering = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#connection.addEventListener("icegatheringstatechange", () => {
        if (this.#connection.iceGatheringState === "complete") this.#stopGathering();
      });
    });
  }

  /**
   * One step at a time, and none after the end; a step that fails leaves the next ones their chance. The first one begins
   * in the turn that brought it: whatever else that turn has to do, such as drawing a screen, comes after it.
   */
  #queue(step: () => Promise<void>): void {
    const run = async () => {
      if (this.#closed) return;
      try {
        await step();
      } catch (error) {
        if (!this.#closed) console.warn("signalling step failed", error);
      }
    };
    const isFree = this.#waiting === 0;
    this.#waiting += 1;
    this.#chain = (isFree ? run() : this.#chain.then(run)).then(() => {
      this.#waiting -= 1;
    });
  }
}

/** Connections that were left and are still to be closed. */
const leftConnections = new Set<RTCPeerConnection>();
let leftTimer: ReturnType<typeof setTimeout> | undefined;

function closeSoon(connection: RTCPeerConnection): void {
  leftConnections.add(connection);
  leftTimer ??= setTimeout(closeLeftConnections, leftConnectionMsMax);
}

/** Closes what was left: the page has time for it now. It is done without, too, `leftConnectionMsMax` after the leaving. */
export function closeLeftConnections(): void {
  clearTimeout(leftTimer);
  leftTimer = undefined;
  for (const connection of leftConnections) connection.close();
  leftConnections.clear();
}

/**
 * The connection of a later `Peer`: to make one keeps the page waiting for the browser's other threads, most of all where it
 * begins to look for its ways, so it is made where the page has time.
 */
export function openConnection(options: ConnectionOptions): RTCPeerConnection {
  return new RTCPeerConnection(configurationOf(options));
}

function configurationOf({ iceServers, policy, gathersAhead = false }: ConnectionOptions): RTCConfiguration {
  return {
    ...(gathersAhead && { iceCandidatePoolSize: 1 }),
    iceServers: iceServers.map(({ urls, username, credential }) => ({
      urls: [...urls],
      ...(username !== undefined && { username }),
      ...(credential !== undefined && { credential }),
    })),
    iceTransportPolicy: policy,
    bundlePolicy: "max-bundle",
  };
}

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

/** Totals of everything received on a connection. */
interface Received {
  bytes: number;
  framesDecoded: number;
}

export function receivedIn(report: RTCStatsReport): Received {
  const total: Received = { bytes: 0, framesDecoded: 0 };
  report.forEach((entry: { type: string; bytesReceived?: number; framesDecoded?: number }) => {
    if (entry.type !== "inbound-rtp") return;
    total.bytes += entry.bytesReceived ?? 0;
    total.framesDecoded += entry.framesDecoded ?? 0;
  });
  return total;
}

export type FlowChange = "first-frame" | "stalled" | "flowing" | null;

/**
 * Watches the totals of one connection: no new bytes for 1.5 s is a stall, which `failed` of ICE would tell only after
 * half a minute.
 */
export class FlowWatch {
  #last: Received = { bytes: 0, framesDecoded: 0 };
  #movedAtMs: number | null = null;
  #stalled = false;

  /** Takes a reading; answers what has changed since the last one. Nothing stalls before media has flowed once. */
  step(now: Received, nowMs: number): FlowChange {
    const first = this.#last.framesDecoded === 0 && now.framesDecoded > 0;
    const moved = now.bytes > this.#last.bytes;
    this.#last = now;
    if (moved) this.#movedAtMs = nowMs;
    if (first) return "first-frame";
    if (moved && this.#stalled) {
      this.#stalled = false;
      return "flowing";
    }
    if (this.#stalled || this.#movedAtMs === null || nowMs - this.#movedAtMs < mediaStallMs) return null;
    this.#stalled = true;
    return "stalled";
  }
}

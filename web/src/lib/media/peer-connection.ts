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
  /**
   * Whether to gather ICE candidates before the connection has a description; useful if an offer is about to be made.
   */
  gathersAhead?: boolean;
}

export interface PeerOptions extends ConnectionOptions {
  /** The local tracks, until `useStream`; closing the connection never stops them. */
  stream: MediaStream;
  /** A connection that was opened before the local tracks existed (`openConnection`). */
  connection?: RTCPeerConnection | null;
  /**
   * The generation of its first offer, above those of an earlier connection of the same room, whose signals are
   * dropped.
   */
  firstGeneration?: number;
}

/** What a connection reports to its room. */
export interface PeerListener {
  signal(signal: Signal): void;
  remoteStream(stream: MediaStream): void;
  flow(change: "first-frame" | "stalled" | "flowing"): void;
  /** The rung at which the local video is sent from now on; 0: none, because the network cannot carry it. */
  rung(rung: RungNumber): void;
  /** Called before an ICE restart, which waits for the promise: `useServers` can set fresh credentials first. */
  beforeRestart(): Promise<void>;
}

/** A prepared offer waits this long for its first candidates, so that the match push carries most of them. */
const gatherMs = 400;
/** Limit of remote candidates that wait for their description; a browser finds far fewer. */
const earlyCandidatesMax = 256;
/** The statistics of sent media are read once for this many readings of received media. */
const receivedReadings = sendStatsMs / mediaStatsMs;

/**
 * One peer connection. Only the offerer makes offers, so there is no glare: the answerer asks for a restart. Signals
 * are handled one after the other, because a candidate must not overtake its description; signals of an older
 * generation are dropped.
 */
export class Peer {
  readonly #connection: RTCPeerConnection;
  readonly #options: PeerOptions;
  /** The local tracks. */
  #stream: MediaStream;
  readonly #role: "offerer" | "answerer";
  readonly #firstGeneration: number;
  #listener: PeerListener | null = null;
  #generation: number;
  /**
   * Generation of the newest offer that was answered. The same offer may come in the match push and again as a signal.
   */
  #answered: number;
  #chain: Promise<void> = Promise.resolve();
  /** Steps of the chain that have not ended. */
  #waiting = 0;
  #gathered: Candidate[] = [];
  #early: Candidate[] = [];
  #batchTimer: ReturnType<typeof setTimeout> | undefined;
  #stopGathering: () => void = () => undefined;
  #statsTimer: ReturnType<typeof setInterval> | undefined;
  #carriedBytes = 0;
  #closed = false;

  constructor(role: "offerer" | "answerer", options: PeerOptions) {
    this.#role = role;
    this.#options = options;
    this.#stream = options.stream;
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
      // Some browsers report a failure earlier than the statistics show it.
      if (this.#connection.iceConnectionState === "failed") this.#listener?.flow("stalled");
    });
  }

  /** Returns once what had been received at the last reading, in bytes on the network. */
  takeCarriedBytes(): number {
    const bytes = this.#carriedBytes;
    this.#carriedBytes = 0;
    return bytes;
  }

  /** Makes the first offer ahead and waits up to `gatherMs` for its first candidates. */
  async prepareOffer(): Promise<string> {
    for (const track of this.#stream.getTracks()) {
      const transceiver = this.#connection.addTransceiver(track, { direction: "sendrecv", streams: [this.#stream] });
      if (track.kind === "video") preferVp8(transceiver);
    }
    await this.#connection.setLocalDescription(await this.#connection.createOffer());
    await this.#untilGathered();
    // The description already contains these candidates.
    this.#gathered = [];
    return this.#connection.localDescription?.sdp ?? "";
  }

  /** Starts the room: sends candidates and descriptions from now on, and watches the flow of media. */
  begin(listener: PeerListener): void {
    this.#listener = listener;
    this.#sendCandidates();
    const watch = new FlowWatch();
    const received = new ReceivedMedia();
    /** Null until the reading after the partner's first frame, because nothing may delay the paint of that frame. */
    let quality: SenderQuality | null = null;
    let hasFrame = false;
    let readings = 0;
    this.#statsTimer = setInterval(() => {
      void this.#connection.getStats().then((report) => {
        if (this.#closed) return;
        const totals = received.read(report);
        this.#carriedBytes = totals.carriedBytes;
        const change = watch.step(totals, performance.now());
        if (hasFrame) quality ??= new SenderQuality(this.#connection, (rung) => this.#listener?.rung(rung));
        hasFrame ||= totals.framesDecoded > 0;
        readings += 1;
        if (readings % receivedReadings === 0) quality?.read(report, performance.now());
        if (change) this.#listener?.flow(change);
      });
    }, mediaStatsMs);
  }

  /** Sends the first offer if the match push did not carry it. */
  offer(): void {
    this.#queue(async () => {
      if (!this.#connection.localDescription) await this.prepareOffer();
      this.#sendOffer();
    });
  }

  take(signal: Signal): void {
    this.#queue(() => this.#take(signal));
  }

  /** Restarts ICE for the same media: the offerer makes a new offer, the answerer asks for one. */
  restart(): void {
    if (this.#role === "offerer") this.#queue(() => this.#offerAnew());
    else this.#listener?.signal({ type: "restart", generation: this.#generation });
  }

  /** Sends the tracks of this stream from now on. The connection stays as it is. */
  useStream(stream: MediaStream): void {
    if (this.#closed) return;
    this.#stream = stream;
    for (const { sender } of this.#connection.getTransceivers()) {
      const track = stream.getTracks().find(({ kind }) => kind === sender.track?.kind);
      if (!track || track === sender.track) continue;
      sender.replaceTrack(track).catch((error: unknown) => console.warn("could not replace a local track", error));
    }
  }

  /** Sets other ICE servers or credentials; the next restart uses them first. */
  useServers(iceServers: readonly IceServer[]): void {
    if (!this.#closed) this.#connection.setConfiguration(configurationOf({ ...this.#options, iceServers }));
  }

  close(): void {
    if (this.#end()) this.#connection.close();
  }

  /**
   * Stops sending in this turn, and closes the connection later (rule CALL-105): closing it, or stopping what it
   * receives, blocks the page until other threads of the browser respond, in the middle of the next match.
   */
  leave(): void {
    const hasBegun = this.#listener !== null;
    if (!this.#end()) return;
    // A pending step would continue on an open connection, and might send.
    if (this.#waiting > 0) return this.#connection.close();
    for (const { sender } of hasBegun ? this.#connection.getTransceivers() : [])
      // Rejects if the connection was closed before.
      sender.replaceTrack(null).catch((error: unknown) => console.info("could not stop sending", error));
    closeSoon(this.#connection);
  }

  /** Returns false if it has ended already. */
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

  /** Makes a new offer, even while the last one is unanswered. A lost socket may have lost that offer or its answer. */
  async #offerAnew(): Promise<void> {
    await this.#listener?.beforeRestart();
    this.#generation += 1;
    this.#gathered = [];
    this.#early = [];
    await this.#connection.setLocalDescription(await this.#connection.createOffer({ iceRestart: true }));
    this.#sendOffer();
  }

  /**
   * A request with an older generation means that the answerer has not seen the newest offer: resend it if it is
   * unanswered.
   */
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
    // The browser creates the answer itself, which saves a round trip to its other threads.
    await this.#connection.setLocalDescription();
    const sdp = this.#connection.localDescription?.sdp ?? "";
    this.#listener?.signal({ type: "answer", generation: this.#generation, sdp });
    await this.#addEarly();
  }

  /**
   * Adds the local tracks to the transceivers of the offer: `addTrack` uses free ones (source: WebRTC 1.0, section
   * 5.1); `replaceTrack` would do so too, but with a round trip to another thread per track.
   */
  #attachTracks(): void {
    for (const transceiver of this.#connection.getTransceivers()) {
      const { kind } = transceiver.receiver.track;
      const track = this.#stream.getTracks().find((own) => own.kind === kind);
      if (!track || transceiver.sender.track) continue;
      this.#connection.addTrack(track, this.#stream);
      if (kind === "video") preferVp8(transceiver);
    }
  }

  async #addCandidates(candidates: readonly Candidate[]): Promise<void> {
    const { remoteDescription, signalingState } = this.#connection;
    // The offer of a restart is unanswered: these candidates belong to its answer, not to the current description.
    if (!remoteDescription || signalingState === "have-local-offer") {
      this.#early.push(...candidates.slice(0, earlyCandidatesMax - this.#early.length));
      return;
    }
    for (const candidate of candidates) {
      try {
        await this.#connection.addIceCandidate(candidate as RTCIceCandidateInit);
      } catch (error) {
        // One invalid candidate must not stop the others.
        console.warn("adding an ICE candidate failed", error);
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
   * Runs one step at a time, and none after the end; a step that fails does not stop the next ones. The first step
   * starts in the turn that queued it, before anything else of that turn, such as drawing a screen.
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

/** Connections that were left but not closed yet. */
const leftConnections = new Set<RTCPeerConnection>();
let leftTimer: ReturnType<typeof setTimeout> | undefined;

function closeSoon(connection: RTCPeerConnection): void {
  leftConnections.add(connection);
  leftTimer ??= setTimeout(closeLeftConnections, leftConnectionMsMax);
}

/**
 * Closes the connections that were left: when the page is idle, or at the end of the calls. A timer does it otherwise,
 * `leftConnectionMsMax` after the first of them was left.
 */
export function closeLeftConnections(): void {
  clearTimeout(leftTimer);
  leftTimer = undefined;
  for (const connection of leftConnections) connection.close();
  leftConnections.clear();
}

/**
 * Opens the connection of a later `Peer`. Creating one blocks the page until other threads of the browser respond, most
 * of all when it starts to gather, so it is done when the page is idle.
 */
export function openConnection(options: ConnectionOptions): RTCPeerConnection {
  return new RTCPeerConnection(configurationOf(options));
}

/** Lets a connection without a description gather ICE candidates from now on, with these servers. */
export function gatherAhead(connection: RTCPeerConnection, options: ConnectionOptions): void {
  connection.setConfiguration(configurationOf({ ...options, gathersAhead: true }));
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

/** The helpers of a video codec: retransmission and forward error correction. */
const companions = new Set(["video/rtx", "video/red", "video/ulpfec", "video/flexfec-03"]);

/** Prefers VP8 for a video transceiver; browsers without that method keep their order (rule CALL-5). */
export function preferVp8(transceiver: RTCRtpTransceiver): void {
  const codecs = RTCRtpReceiver.getCapabilities("video")?.codecs ?? [];
  const vp8 = codecs.filter((codec) => codec.mimeType.toLowerCase() === "video/vp8");
  if (vp8.length === 0 || !("setCodecPreferences" in transceiver)) return;
  const others = codecs.filter((codec) => !vp8.includes(codec) && !companions.has(codec.mimeType.toLowerCase()));
  const helpers = codecs.filter((codec) => companions.has(codec.mimeType.toLowerCase()));
  transceiver.setCodecPreferences([...vp8, ...helpers, ...others]);
}

interface Flow {
  bytes: number;
  framesDecoded: number;
}

interface Received extends Flow {
  /** What a relay sends for these bytes: they with the headers of every layer. */
  carriedBytes: number;
}

interface InboundRow {
  type: string;
  kind?: string;
  bytesReceived?: number;
  headerBytesReceived?: number;
  packetsReceived?: number;
  framesDecoded?: number;
}

/** Around a packet of media from a relay: the tag of SRTP 10, TURN 4, UDP 8 and IPv4 20. */
const relayedPacketBytes = 42;

/** Reads the totals of received media. */
export class ReceivedMedia {
  /** The ids of the rows of sound and video, once both exist: a browser converts only the rows that a page reads. */
  #ids: readonly string[] = [];

  read(report: RTCStatsReport): Received {
    const known = this.#ids.map((id) => report.get(id) as InboundRow | undefined);
    const rows = known.filter((row) => row !== undefined);
    return totalOf(rows.length > 0 && rows.length === known.length ? rows : this.#find(report));
  }

  #find(report: RTCStatsReport): InboundRow[] {
    const rows = new Map<string, InboundRow>();
    report.forEach((row: InboundRow, id: string) => {
      if (row.type === "inbound-rtp") rows.set(id, row);
    });
    const kinds = new Set([...rows.values()].map(({ kind }) => kind));
    this.#ids = kinds.has("audio") && kinds.has("video") ? [...rows.keys()] : [];
    return [...rows.values()];
  }
}

function totalOf(rows: readonly InboundRow[]): Received {
  const total: Received = { bytes: 0, framesDecoded: 0, carriedBytes: 0 };
  for (const row of rows) {
    const { bytesReceived = 0, headerBytesReceived = 0, packetsReceived = 0, framesDecoded = 0 } = row;
    total.bytes += bytesReceived;
    total.framesDecoded += framesDecoded;
    total.carriedBytes += bytesReceived + headerBytesReceived + packetsReceived * relayedPacketBytes;
  }
  return total;
}

export type FlowChange = "first-frame" | "stalled" | "flowing" | null;

/**
 * Watches the totals of one connection: no new bytes for 1.5 s is a stall, which ICE `failed` reports only after half a
 * minute.
 */
export class FlowWatch {
  #last: Flow = { bytes: 0, framesDecoded: 0 };
  #movedAtMs: number | null = null;
  #stalled = false;
  #isFrameReported = false;

  /**
   * Takes a reading and returns what has changed since the last one. There is no stall before media has flowed once.
   *
   * The first frame is reported one reading after it was decoded. In a visible page the video element reports it earlier,
   * when it is shown. A report before that would make the page draw the call, which delays the paint of the frame.
   */
  step(now: Flow, nowMs: number): FlowChange {
    const first = !this.#isFrameReported && this.#last.framesDecoded > 0;
    this.#isFrameReported ||= first;
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

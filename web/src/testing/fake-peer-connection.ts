type Description = { type: "offer" | "answer"; sdp: string };

export interface FakeParameters {
  encodings: Record<string, unknown>[];
  degradationPreference?: string;
}

class FakeTransceiver {
  readonly receiver: { track: { kind: string } };
  readonly sender: {
    track: unknown;
    streams: unknown[];
    /** The sender's parameters; without `encodings` as in a browser that reports none. */
    parameters: FakeParameters;
    replaceTrack(track: unknown): Promise<void>;
    getParameters(): FakeParameters;
    setParameters(parameters: FakeParameters): Promise<void>;
  };
  direction: string;
  preferences: readonly { mimeType: string }[] | null = null;

  constructor(kind: string, direction: string, track: unknown = null) {
    this.receiver = { track: { kind } };
    this.direction = direction;
    this.sender = {
      track,
      streams: [],
      parameters: { encodings: [{}] },
      getParameters: () => structuredClone(this.sender.parameters),
      setParameters: async (parameters) => {
        if (FakePeerConnection.refuses(parameters))
          throw new DOMException("unknown member", "InvalidModificationError");
        this.sender.parameters = parameters;
      },
      replaceTrack: async (other) => {
        this.sender.track = other;
      },
    };
  }

  setCodecPreferences(codecs: readonly { mimeType: string }[]): void {
    this.preferences = codecs;
  }
}

/**
 * A peer connection without media. It rejects what the standard rejects (candidates without a description, descriptions
 * in the wrong state, other bundles later, everything once closed); the test gathers candidates and lets media arrive.
 */
export class FakePeerConnection extends EventTarget {
  static all: FakePeerConnection[] = [];
  /** Whether the browser rejects these parameters. */
  static refuses: (parameters: FakeParameters) => boolean = () => false;

  config: RTCConfiguration;
  readonly transceivers: FakeTransceiver[] = [];
  readonly added: RTCIceCandidateInit[] = [];
  /** How often a remote offer was applied. */
  offersTaken = 0;
  restarts = 0;
  /** The ICE servers at the newest local description. */
  gatheredWith: RTCIceServer[] | undefined;
  closings = 0;
  received: { bytes: number; framesDecoded: number; packets?: number; headerBytes?: number } = {
    bytes: 0,
    framesDecoded: 0,
  };
  /** Statistics of the network and of what was sent. Not every browser has those that may be undefined. */
  sending = {
    availableOutgoingBitrate: 2_000_000 as number | undefined,
    fractionLost: 0,
    roundTripTime: 0.05,
    bytesSent: 0,
    retransmittedBytesSent: 0,
    framesCaptured: 0,
    framesEncoded: 0,
    qualityLimitationReason: "none" as string | undefined,
  };
  /** What the other end reports on the sound; `sending` has its report on the video. */
  sound = { fractionLost: 0, roundTripTime: 0.05 };
  localDescription: Description | null = null;
  remoteDescription: Description | null = null;
  signalingState = "stable";
  iceGatheringState = "new";
  iceConnectionState = "new";
  #made = 0;

  constructor(config: RTCConfiguration) {
    super();
    this.config = config;
    FakePeerConnection.all.push(this);
  }

  setConfiguration(config: RTCConfiguration): void {
    this.#requireOpen();
    if (config.bundlePolicy !== this.config.bundlePolicy)
      throw new DOMException("not changeable", "InvalidModificationError");
    this.config = config;
  }

  addTransceiver(track: { kind: string }, init: { direction: string; streams: unknown[] }): FakeTransceiver {
    const transceiver = new FakeTransceiver(track.kind, init.direction, track);
    transceiver.sender.streams = init.streams;
    this.transceivers.push(transceiver);
    return transceiver;
  }

  /** Takes the first free transceiver of its kind, as the standard requires. */
  addTrack(track: { kind: string }, ...streams: unknown[]): FakeTransceiver["sender"] {
    this.#requireOpen();
    const free = this.transceivers.find(({ receiver, sender }) => receiver.track.kind === track.kind && !sender.track);
    if (!free) throw new Error("this would need another negotiation");
    free.direction = "sendrecv";
    Object.assign(free.sender, { track, streams });
    return free.sender;
  }

  getTransceivers(): readonly FakeTransceiver[] {
    return this.transceivers;
  }

  async createOffer(options: { iceRestart?: boolean } = {}): Promise<Description> {
    this.#requireOpen();
    if (options.iceRestart) this.restarts += 1;
    this.gatheredWith = this.config.iceServers;
    this.#made += 1;
    return { type: "offer", sdp: `offer ${this.#made}` };
  }

  /** Without a description it creates the pending answer. */
  async setLocalDescription(description: Description = this.#answer()): Promise<void> {
    this.#requireOpen();
    const wanted = description.type === "offer" ? ["stable", "have-local-offer"] : ["have-remote-offer"];
    if (!wanted.includes(this.signalingState)) throw new DOMException("wrong state", "InvalidStateError");
    this.localDescription = description;
    this.signalingState = description.type === "offer" ? "have-local-offer" : "stable";
    this.iceGatheringState = "gathering";
  }

  async setRemoteDescription(description: Description): Promise<void> {
    this.#requireOpen();
    const wanted = description.type === "offer" ? "stable" : "have-local-offer";
    if (this.signalingState !== wanted) throw new DOMException("wrong state", "InvalidStateError");
    this.remoteDescription = description;
    this.signalingState = description.type === "offer" ? "have-remote-offer" : "stable";
    if (description.type !== "offer") return;
    this.offersTaken += 1;
    if (this.transceivers.length > 0) return;
    for (const kind of ["audio", "video"]) this.transceivers.push(new FakeTransceiver(kind, "recvonly"));
  }

  async addIceCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    this.#requireOpen();
    if (!this.remoteDescription) throw new DOMException("no description", "InvalidStateError");
    if (candidate.candidate === "bad") throw new DOMException("unreadable", "OperationError");
    this.added.push(candidate);
  }

  async getStats(): Promise<Map<string, object>> {
    const { availableOutgoingBitrate, fractionLost, roundTripTime, framesCaptured, ...out } = this.sending;
    const { bytes: bytesReceived, packets: packetsReceived, headerBytes: headerBytesReceived } = this.received;
    const { framesDecoded } = this.received;
    return new Map<string, object>([
      ["in", { type: "inbound-rtp", bytesReceived, packetsReceived, headerBytesReceived, framesDecoded }],
      ["out", { type: "outbound-rtp", timestamp: Date.now(), bytesReceived: 9_999, framesDecoded: 9_999, ...out }],
      ["camera", { type: "media-source", kind: "video", frames: framesCaptured }],
      ["there", { type: "remote-inbound-rtp", kind: "video", fractionLost, roundTripTime }],
      ["sound there", { type: "remote-inbound-rtp", kind: "audio", ...this.sound }],
      ["way", { type: "candidate-pair", availableOutgoingBitrate }],
      ["other way", { type: "candidate-pair", availableOutgoingBitrate: 1 }],
      ["transport", { type: "transport", selectedCandidatePairId: "way" }],
    ]);
  }

  close(): void {
    this.closings += 1;
    this.signalingState = "closed";
  }

  /** The browser finds a candidate; null is the end mark. */
  gather(line: string | null): void {
    const candidate = line === null ? null : { candidate: line, sdpMid: "0", sdpMLineIndex: 0, usernameFragment: "u" };
    this.dispatchEvent(Object.assign(new Event("icecandidate"), { candidate }));
  }

  gatherAll(): void {
    this.iceGatheringState = "complete";
    this.dispatchEvent(new Event("icegatheringstatechange"));
  }

  ice(state: string): void {
    this.iceConnectionState = state;
    this.dispatchEvent(new Event("iceconnectionstatechange"));
  }

  /** A remote track arrives in these streams. */
  arrive(...streams: MediaStream[]): void {
    this.dispatchEvent(Object.assign(new Event("track"), { streams }));
  }

  #answer(): Description {
    if (this.signalingState !== "have-remote-offer") throw new DOMException("nothing to answer", "InvalidStateError");
    this.gatheredWith = this.config.iceServers;
    this.#made += 1;
    return { type: "answer", sdp: `answer ${this.#made}` };
  }

  #requireOpen(): void {
    if (this.signalingState === "closed") throw new DOMException("closed", "InvalidStateError");
  }
}

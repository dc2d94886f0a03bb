/** A camera or microphone track: ends when it is stopped, or when the test unplugs it. */
export class FakeTrack extends EventTarget {
  readonly kind: "audio" | "video";
  enabled = true;
  muted = false;
  readyState: "live" | "ended" = "live";
  /** The constraints that it was opened with. */
  readonly wished: MediaTrackConstraints;

  constructor(kind: "audio" | "video", wished: MediaTrackConstraints = {}) {
    super();
    this.kind = kind;
    this.wished = wished;
  }

  getSettings(): MediaTrackSettings {
    const { facingMode } = this.wished;
    return typeof facingMode === "object" && "ideal" in facingMode ? { facingMode: String(facingMode.ideal) } : {};
  }

  /** Stopped by the page itself, for which browsers fire no event. */
  stop(): void {
    this.readyState = "ended";
  }

  /** The system takes the device away, as for a phone call, or returns it. */
  setMuted(muted: boolean): void {
    this.muted = muted;
    this.dispatchEvent(new Event(muted ? "mute" : "unmute"));
  }

  /** The device is gone, or the permission was revoked. */
  unplug(): void {
    this.readyState = "ended";
    this.dispatchEvent(new Event("ended"));
  }
}

export class FakeStream {
  readonly tracks: readonly FakeTrack[];

  constructor(tracks: readonly FakeTrack[] = [new FakeTrack("audio"), new FakeTrack("video")]) {
    this.tracks = tracks;
  }

  getTracks(): readonly FakeTrack[] {
    return this.tracks;
  }

  getAudioTracks(): readonly FakeTrack[] {
    return this.tracks.filter((track) => track.kind === "audio");
  }

  getVideoTracks(): readonly FakeTrack[] {
    return this.tracks.filter((track) => track.kind === "video");
  }

  /** This stream with the type that the code under test expects. */
  get asStream(): MediaStream {
    return this as unknown as MediaStream;
  }

  get isRunning(): boolean {
    return this.tracks.every((track) => track.readyState === "live");
  }
}

/** `navigator.mediaDevices` of a machine whose devices the test plugs in and out. */
export class FakeMediaDevices extends EventTarget {
  present: readonly MediaDeviceKind[] = ["videoinput", "audioinput"];
  /** If set, getUserMedia rejects with this error. */
  failure: DOMException | null = null;
  /** Ids of devices that another program uses; `any` stands for the default device. */
  held: readonly string[] = [];
  /** Whether no camera opens while another one runs, as on some phones. */
  isSingle = false;
  /** Whether tracks are muted when they open, as on a phone whose camera another app still uses. */
  opensMuted = false;
  readonly asked: MediaStreamConstraints[] = [];
  readonly opened: FakeStream[] = [];
  #held: Promise<void> = Promise.resolve();

  async enumerateDevices(): Promise<{ kind: MediaDeviceKind; deviceId: string; label: string }[]> {
    return this.present.map((kind, index) => ({ kind, deviceId: `${kind}-${index}`, label: "" }));
  }

  async getUserMedia(constraints: MediaStreamConstraints): Promise<FakeStream> {
    this.asked.push(constraints);
    const held = this.#held;
    this.#held = Promise.resolve();
    await held;
    if (this.failure) throw this.failure;
    const wished = [constraints.video, constraints.audio].filter(Boolean).map(wishedId);
    if (wished.some((id) => this.held.includes(id))) throw new DOMException("in use", "NotReadableError");
    const running = this.opened
      .flatMap((stream) => stream.getVideoTracks())
      .some(({ readyState }) => readyState === "live");
    if (constraints.video && this.isSingle && running) throw new DOMException("in use", "NotReadableError");
    const stream = new FakeStream(tracksOf(constraints));
    for (const track of stream.tracks) track.muted = this.opensMuted;
    this.opened.push(stream);
    return stream;
  }

  /**
   * The next getUserMedia resolves only when the returned function is called, as if the browser asked for permission.
   */
  holdNext(): () => void {
    let answer: () => void = () => undefined;
    this.#held = new Promise((resolve) => (answer = resolve));
    return () => answer();
  }

  change(present: readonly MediaDeviceKind[]): void {
    this.present = present;
    this.dispatchEvent(new Event("devicechange"));
  }
}

function tracksOf({ audio, video }: MediaStreamConstraints): FakeTrack[] {
  const wished = (of: boolean | MediaTrackConstraints) => (typeof of === "object" ? of : {});
  return [
    ...(audio ? [new FakeTrack("audio", wished(audio))] : []),
    ...(video ? [new FakeTrack("video", wished(video))] : []),
  ];
}

function wishedId(of: boolean | MediaTrackConstraints | undefined): string {
  const id = typeof of === "object" ? (of.deviceId as { ideal: string } | undefined)?.ideal : undefined;
  return id ?? "any";
}

import { afterEach, beforeEach, vi } from "vitest";
import type { Signal } from "@fava/wire/signals.ts";
import { Peer, type PeerOptions } from "#lib/media/peer-connection.ts";
import { FakeStream } from "#testing/fake-media.ts";
import { FakePeerConnection } from "#testing/fake-peer-connection.ts";

export interface MadePeer {
  peer: Peer;
  connection: FakePeerConnection;
}

/** Peers with fake connections and a stopped clock; records what they report to their room. */
export class PeerWorld {
  readonly stream = new FakeStream();
  signals: Signal[] = [];
  readonly flow: string[] = [];
  readonly remotes: MediaStream[] = [];
  /** The rung of the local video, each time it was reported. */
  readonly rungs: number[] = [];
  /** The room's preparation of a restart. */
  beforeRestart: () => Promise<void> = async () => undefined;
  readonly #peers: Peer[] = [];

  constructor() {
    vi.useFakeTimers();
    vi.stubGlobal("RTCPeerConnection", FakePeerConnection);
    vi.stubGlobal("navigator", {});
    vi.stubGlobal("RTCRtpReceiver", { getCapabilities: () => ({ codecs: [{ mimeType: "video/VP8" }] }) });
    FakePeerConnection.all = [];
    FakePeerConnection.refuses = () => false;
  }

  end(): void {
    for (const peer of this.#peers) peer.close();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  }

  newPeer(role: "offerer" | "answerer", options: Partial<PeerOptions> = {}): MadePeer {
    const peer = new Peer(role, { iceServers: [], policy: "all", stream: this.stream.asStream, ...options });
    this.#peers.push(peer);
    const connection = FakePeerConnection.all.at(-1);
    if (!connection) throw new Error("the peer opened no connection");
    return { peer, connection };
  }

  begin(peer: Peer): void {
    peer.begin({
      signal: (signal) => this.signals.push(signal),
      remoteStream: (remote) => this.remotes.push(remote),
      flow: (change) => this.flow.push(change),
      rung: (rung) => this.rungs.push(rung),
      beforeRestart: () => this.beforeRestart(),
    });
  }

  /** An offerer in its room whose offer of generation 0 was answered. */
  async connectedOfferer(): Promise<MadePeer> {
    const made = this.newPeer("offerer");
    const prepared = made.peer.prepareOffer();
    await this.settle();
    made.connection.gatherAll();
    await prepared;
    this.begin(made.peer);
    made.peer.take({ type: "answer", generation: 0, sdp: "their answer" });
    await this.settle();
    return made;
  }

  /** An answerer in its room that has answered generation 0. */
  async connectedAnswerer(): Promise<MadePeer> {
    const made = this.newPeer("answerer");
    this.begin(made.peer);
    made.peer.take(offer(0));
    await this.settle();
    this.signals = [];
    return made;
  }

  signalsOf<Type extends Signal["type"]>(type: Type): Extract<Signal, { type: Type }>[] {
    return this.signals.filter((signal): signal is Extract<Signal, { type: Type }> => signal.type === type);
  }

  /** Runs pending promises without passing time. */
  async settle(): Promise<void> {
    await vi.advanceTimersByTimeAsync(0);
  }
}

/** A separate world for every test of the file. */
export function eachPeerWorld(): () => PeerWorld {
  let world: PeerWorld | null = null;
  beforeEach(() => {
    world = new PeerWorld();
  });
  afterEach(() => world?.end());
  return () => {
    if (!world) throw new Error("only available within a test");
    return world;
  };
}

/** An offer of the remote side. */
export function offer(generation: number): Signal {
  return { type: "offer", generation, sdp: `their offer ${generation}` };
}

export function candidates(generation: number, ...lines: string[]): Signal {
  const of = (line: string) => ({ candidate: line, sdpMid: "0", sdpMLineIndex: 0, usernameFragment: "u" });
  return { type: "candidates", generation, candidates: lines.map(of) };
}

export function lines(added: readonly { candidate?: string }[]): (string | undefined)[] {
  return added.map(({ candidate }) => candidate);
}

import type { MatchedPush } from "@fava/wire/pushes.ts";
import type { Signal } from "@fava/wire/signals.ts";
import type { MediaState } from "@fava/wire/socket.ts";
import { Peer, type PeerListener } from "#lib/peer-connection.ts";
import type { OutgoingFrame } from "#lib/socket-client.ts";
import type { PreparedOffer } from "./offer-stock.ts";

export interface RoomLinkOptions {
  match: MatchedPush;
  stream: MediaStream;
  /** The connection whose offer travelled with the search; closed when this side turns out to answer. */
  prepared: PreparedOffer | null;
  send: (frame: OutgoingFrame) => void;
  listener: Omit<PeerListener, "signal">;
}

/** The media and the messages of one room; closing it ends both, and never the own camera. */
export class RoomLink {
  readonly #options: RoomLinkOptions;
  readonly #peer: Peer;

  constructor(options: RoomLinkOptions) {
    this.#options = options;
    const { match, stream, prepared } = options;
    const { role, iceServers, policy, peerOffer } = match.media;
    const ownPrepared = role === "offerer" ? prepared : null;
    if (prepared && !ownPrepared) prepared.peer.close();
    this.#peer = ownPrepared?.peer ?? new Peer(role, { iceServers, policy, stream });
    this.#peer.begin({ ...options.listener, signal: (signal) => this.#send({ type: "signal", signal }) });
    if (peerOffer !== null) this.#peer.take({ type: "offer", generation: 0, sdp: peerOffer });
    else if (role === "offerer" && !ownPrepared?.delivered) this.#peer.offer();
  }

  take(signal: Signal): void {
    this.#peer.take(signal);
  }

  restart(): void {
    this.#peer.restart();
  }

  tell(state: MediaState): void {
    this.#send({ type: "media", state });
  }

  say(clientId: string, text: string): void {
    this.#send({ type: "chat", clientId, text });
  }

  close(): void {
    this.#peer.close();
  }

  #send(
    frame:
      | { type: "signal"; signal: Signal }
      | { type: "media"; state: MediaState }
      | { type: "chat"; clientId: string; text: string },
  ): void {
    const { roomId, token } = this.#options.match;
    this.#options.send({ ...frame, roomId, roomToken: token });
  }
}

import { Peer } from "#lib/peer-connection.ts";
import { holds, type RoomSign, type RoomSigns } from "./room-signs.ts";

export interface PreparedOffer {
  peer: Peer;
  sdp: string;
  sign: RoomSign;
  stream: MediaStream;
  /** The server has confirmed a search that carried this offer, so it travels with the match. */
  delivered: boolean;
}

/**
 * One connection prepared in advance, whose offer travels inside the match push (docs/decisions/002). Good for one match
 * and one stream; who takes it owns it.
 */
export class OfferStock {
  readonly #signs: RoomSigns;
  #ready: PreparedOffer | null = null;
  #making: { stream: MediaStream; done: Promise<void> } | null = null;

  constructor(signs: RoomSigns) {
    this.#signs = signs;
  }

  /** Begins to prepare for `stream`, unless that is done or under way. Resolves when there is an offer, or none to be had. */
  prepare(stream: MediaStream): Promise<void> {
    if (this.peek(stream)) return Promise.resolve();
    if (this.#making?.stream === stream) return this.#making.done;
    this.drop();
    const done = this.#make(stream);
    this.#making = { stream, done };
    return done;
  }

  /** The prepared offer for `stream`, left in the stock; one whose credentials have ended is none. */
  peek(stream: MediaStream): PreparedOffer | null {
    return this.#ready?.stream === stream && holds(this.#ready.sign) ? this.#ready : null;
  }

  /** Takes the prepared offer out, however old: it may have travelled already. The caller closes its peer. */
  take(stream: MediaStream): PreparedOffer | null {
    const ready = this.#ready;
    if (ready?.stream !== stream) return null;
    this.#ready = null;
    return ready;
  }

  drop(): void {
    this.#ready?.peer.close();
    this.#ready = null;
    this.#making = null;
  }

  async #make(stream: MediaStream): Promise<void> {
    let peer: Peer | null = null;
    try {
      const sign = await this.#signs.current();
      peer = new Peer("offerer", { iceServers: sign.iceServers, policy: sign.policy, stream });
      const sdp = await peer.prepareOffer();
      if (this.#making?.stream !== stream) return peer.close();
      this.#ready = { peer, sdp, sign, stream, delivered: false };
    } catch (error) {
      peer?.close();
      // Without a prepared offer the match is made all the same, a moment slower.
      console.info("no offer prepared", error);
    } finally {
      if (this.#making?.stream === stream) this.#making = null;
    }
  }
}

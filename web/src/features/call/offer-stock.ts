import type { OutputOf } from "@fava/wire/endpoint.ts";
import { testRoomSign } from "@fava/wire/endpoints/match.ts";
import { call } from "#lib/api/call.ts";
import { serverNowMs } from "#lib/api/server-clock.ts";
import { Peer } from "#lib/peer-connection.ts";
import { writeStored } from "#lib/storage.ts";

type RoomSign = OutputOf<typeof testRoomSign>;

/** Credentials are fetched anew this long before they run out. */
const renewBeforeMs = 60_000;

export interface PreparedOffer {
  peer: Peer;
  sdp: string;
  stream: MediaStream;
  /** The server has confirmed a search that carried this offer, so it travels with the match. */
  delivered: boolean;
}

/**
 * One connection prepared in advance, whose offer travels inside the match push (docs/decisions/002). Good for one match
 * and one stream; who takes it owns it.
 */
export class OfferStock {
  #sign: RoomSign | null = null;
  #ready: PreparedOffer | null = null;
  #making: { stream: MediaStream; done: Promise<void> } | null = null;

  /** Begins to prepare for `stream`, unless that is done or under way. Resolves when there is an offer, or none to be had. */
  prepare(stream: MediaStream): Promise<void> {
    if (this.#ready?.stream === stream) return Promise.resolve();
    if (this.#making?.stream === stream) return this.#making.done;
    this.drop();
    const done = this.#make(stream);
    this.#making = { stream, done };
    return done;
  }

  /** The prepared offer for `stream`, left in the stock. */
  peek(stream: MediaStream): PreparedOffer | null {
    return this.#ready?.stream === stream ? this.#ready : null;
  }

  /** Takes the prepared offer out; the caller closes its peer. */
  take(stream: MediaStream): PreparedOffer | null {
    const ready = this.peek(stream);
    if (ready) this.#ready = null;
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
      const sign = await this.#currentSign();
      peer = new Peer("offerer", { iceServers: sign.iceServers, policy: sign.policy, stream });
      const sdp = await peer.prepareOffer();
      if (this.#making?.stream !== stream) return peer.close();
      this.#ready = { peer, sdp, stream, delivered: false };
    } catch (error) {
      peer?.close();
      // Without a prepared offer the match is made all the same, a moment slower.
      console.info("no offer prepared", error);
    } finally {
      if (this.#making?.stream === stream) this.#making = null;
    }
  }

  async #currentSign(): Promise<RoomSign> {
    if (this.#sign && this.#sign.expiresAt - renewBeforeMs > serverNowMs()) return this.#sign;
    this.#sign = await call(testRoomSign, {}, { quiet: true });
    writeStored("agoraToken", this.#sign.token);
    return this.#sign;
  }
}

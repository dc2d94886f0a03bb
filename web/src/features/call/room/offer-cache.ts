import type { OutputOf } from "@fava/wire/endpoint.ts";
import { testRoomSign } from "@fava/wire/endpoints/match.ts";
import type * as requests from "#lib/api/request.ts";
import { serverNowMs } from "#lib/api/server-clock.ts";
import { openConnection, Peer } from "#lib/media/peer-connection.ts";
import { writeStored } from "#lib/storage.ts";

export interface CachedOffer {
  peer: Peer;
  sdp: string;
  sign: RoomCredential;
  stream: MediaStream;
  /** The server has confirmed a search that carried this offer, so it travels with the match. */
  delivered: boolean;
}

/** A connection to answer with. */
export interface SpareConnection {
  peer: Peer;
  sign: RoomCredential;
  stream: MediaStream;
}

/** Whoever is found at once is found by then. */
const spareMsMax = 1_000;

/**
 * One connection prepared in advance, whose offer travels inside the match push (docs/decisions/002). Good for one match
 * and one stream; who takes it owns it.
 */
export class OfferCache {
  readonly #signs: CallCredentials;
  #ready: CachedOffer | null = null;
  #making: { stream: MediaStream; done: Promise<void> } | null = null;
  #spare: SpareConnection | null = null;
  /** What the next one is made of. */
  #opened: { connection: RTCPeerConnection; sign: RoomCredential } | null = null;
  #spareTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(signs: CallCredentials) {
    this.#signs = signs;
  }

  /** Begins to prepare for `stream`, unless that is done or under way. Resolves when there is an offer, or none to be had. */
  prepare(stream: MediaStream): Promise<void> {
    if (this.peek(stream)) return Promise.resolve();
    if (this.#making?.stream === stream) return this.#making.done;
    // Not the spare: a search is answered before its match comes, and the offer is made in between.
    this.#dropOffer();
    const done = this.#make(stream);
    this.#making = { stream, done };
    return done;
  }

  /** The prepared offer for `stream`, left in the stock; one whose credentials have ended is none. */
  peek(stream: MediaStream): CachedOffer | null {
    return this.#ready?.stream === stream && holds(this.#ready.sign) ? this.#ready : null;
  }

  /** Takes the prepared offer out, however old: it may have travelled already. The caller closes its peer. */
  take(stream: MediaStream): CachedOffer | null {
    const ready = this.#ready;
    if (ready?.stream !== stream) return null;
    this.#ready = null;
    return ready;
  }

  /** Opens what the next spare connection is made of, at a moment when the page has nothing else to do. */
  openSpare(): void {
    this.#dropSpare();
    const sign = this.#signs.present;
    if (!sign) return;
    this.#opened = { connection: openConnection({ ...sign, gathersAhead: true }), sign };
    this.#spareTimer = setTimeout(() => this.#dropSpare(), spareMsMax);
  }

  /**
   * Makes a connection for whoever is found at once and has sent an offer: it finds its own ways while the
   * search travels. Not where credentials would have to be fetched for it.
   */
  makeSpare(stream: MediaStream): void {
    const opened = this.#opened;
    this.#opened = null;
    this.#dropSpare();
    const sign = opened?.sign ?? this.#signs.present;
    if (!sign) return;
    const { iceServers, policy } = sign;
    const connection = opened?.connection ?? null;
    const peer = new Peer("answerer", { iceServers, policy, stream, gathersAhead: true, connection });
    this.#spare = { peer, sign, stream };
    this.#spareTimer = setTimeout(() => this.#dropSpare(), spareMsMax);
  }

  /** Takes it out where it was made for `stream`. The caller closes its peer. */
  takeSpare(stream: MediaStream): SpareConnection | null {
    const spare = this.#spare;
    if (spare?.stream !== stream) return null;
    clearTimeout(this.#spareTimer);
    this.#spare = null;
    return spare;
  }

  #dropSpare(): void {
    clearTimeout(this.#spareTimer);
    this.#spare?.peer.close();
    this.#opened?.connection.close();
    this.#spare = this.#opened = null;
  }

  drop(): void {
    this.#dropSpare();
    this.#dropOffer();
  }

  #dropOffer(): void {
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

export type RoomCredential = OutputOf<typeof testRoomSign>;

/** Credentials are fetched anew this long before they run out. */
const renewBeforeMs = 60_000;
/** A restart waits for them, so they are not waited for long. */
const signTimeoutMs = 5_000;

/** The public members of `RoomCredentials`, which a fake can implement. */
export type CallCredentials = Pick<RoomCredentials, keyof RoomCredentials>;

/** The relay credentials of this person, shared by all connections and fetched when they are about to end. */
export class RoomCredentials {
  readonly #request: typeof requests.request;
  #sign: RoomCredential | null = null;
  #fetching: Promise<RoomCredential> | null = null;

  constructor(request: typeof requests.request) {
    this.#request = request;
  }

  /** Those that are at hand; null where they have to be fetched. */
  get present(): RoomCredential | null {
    return this.#sign && this.#sign.expiresAt - renewBeforeMs > serverNowMs() ? this.#sign : null;
  }

  /** @throws RequestFailure when there are none and the server gives none. */
  current(): Promise<RoomCredential> {
    if (this.present) return Promise.resolve(this.present);
    this.#fetching ??= this.#fetch();
    return this.#fetching;
  }

  /** The next person of this page has credentials of their own. */
  forget(): void {
    this.#sign = null;
    this.#fetching = null;
  }

  #fetch(): Promise<RoomCredential> {
    const fetching = this.#request(testRoomSign, {}, { quiet: true, timeoutMs: signTimeoutMs })
      .then((sign) => {
        if (this.#fetching !== fetching) return sign;
        writeStored("agoraToken", sign.token);
        this.#sign = sign;
        return sign;
      })
      .finally(() => {
        if (this.#fetching === fetching) this.#fetching = null;
      });
    return fetching;
  }
}

/** Whether connections may still be made with it. */
export function holds(sign: RoomCredential): boolean {
  return sign.expiresAt > serverNowMs();
}

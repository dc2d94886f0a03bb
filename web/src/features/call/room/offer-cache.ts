import type { OutputOf } from "@fava/wire/endpoint.ts";
import { testRoomSign } from "@fava/wire/endpoints/match.ts";
import type * as requests from "#lib/api/request.ts";
import { serverNowMs } from "#lib/api/server-clock.ts";
import { gatherAhead, openConnection, Peer } from "#lib/media/peer-connection.ts";
import { writeStored } from "#lib/storage.ts";

export interface CachedOffer {
  peer: Peer;
  sdp: string;
  sign: RoomCredential;
  stream: MediaStream;
  /** The server has confirmed a search that carried this offer, so the match push delivers it. */
  delivered: boolean;
}

/** A connection that is ready to answer an offer. */
export interface SpareConnection {
  peer: Peer;
  sign: RoomCredential;
  stream: MediaStream;
}

/** A match that comes at once arrives within this time. */
const spareMsMax = 1_000;

/**
 * Holds one connection that was prepared in advance, whose offer the match push carries (docs/decisions/002). Valid for
 * one match and one stream; the caller of `take` owns it.
 */
export class OfferCache {
  readonly #signs: CallCredentials;
  #ready: CachedOffer | null = null;
  #making: { stream: MediaStream; done: Promise<void> } | null = null;
  #spare: SpareConnection | null = null;
  /** What the next spare connection is built from. */
  #opened: { connection: RTCPeerConnection; sign: RoomCredential; gathers: boolean } | null = null;
  #spareTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(signs: CallCredentials) {
    this.#signs = signs;
  }

  /** Prepares an offer for `stream`, unless one is ready or in progress. Resolves when it is ready or has failed. */
  prepare(stream: MediaStream): Promise<void> {
    if (this.peek(stream)) return Promise.resolve();
    if (this.#making?.stream === stream) return this.#making.done;
    // Keep the spare: the response to a search comes before its match, and the offer is made in between.
    this.#dropOffer();
    const done = this.#make(stream);
    this.#making = { stream, done };
    return done;
  }

  /** The prepared offer for `stream`, which stays in the cache; null once its credentials have expired. */
  peek(stream: MediaStream): CachedOffer | null {
    return this.#ready?.stream === stream && isCredentialValid(this.#ready.sign) ? this.#ready : null;
  }

  /**
   * Takes the prepared offer out, even with expired credentials, because it may have been sent already. The caller
   * closes its peer.
   */
  take(stream: MediaStream): CachedOffer | null {
    const ready = this.#ready;
    if (ready?.stream !== stream) return null;
    this.#ready = null;
    return ready;
  }

  /** The connections that were prepared for `before` send the tracks of `after`. */
  useStream(before: MediaStream, after: MediaStream): void {
    for (const made of [this.#ready, this.#spare]) {
      if (made?.stream !== before) continue;
      made.stream = after;
      made.peer.useStream(after);
    }
  }

  /** Opens what the next spare connection is built from, at a moment when the page is idle before a search. */
  openSpare(): void {
    this.#dropSpare();
    const sign = this.#signs.present;
    if (!sign) return;
    this.#opened = { connection: openConnection({ ...sign, gathersAhead: true }), sign, gathers: true };
    this.#spareTimer = setTimeout(() => this.#dropSpare(), spareMsMax);
  }

  /** Opens it during a call, which may last: it gathers ICE candidates, and occupies a relay, only for the search. */
  openSpareForNext(): void {
    const sign = this.#signs.present;
    if (!sign || this.#opened) return;
    this.#opened = { connection: openConnection(sign), sign, gathers: false };
  }

  /**
   * Makes a connection that can answer the offer of an immediate match: it gathers ICE candidates while the search
   * request travels. Makes none if credentials would have to be fetched first.
   */
  makeSpare(stream: MediaStream): void {
    const opened = this.#opened;
    this.#opened = null;
    this.#dropSpare();
    const sign = (opened?.gathers ? opened.sign : this.#signs.present) ?? null;
    if (!sign) return opened?.connection.close();
    const { iceServers, policy } = sign;
    const connection = opened?.connection ?? null;
    if (opened?.gathers === false) gatherAhead(opened.connection, sign);
    const peer = new Peer("answerer", { iceServers, policy, stream, gathersAhead: true, connection });
    this.#spare = { peer, sign, stream };
    this.#spareTimer = setTimeout(() => this.#dropSpare(), spareMsMax);
  }

  /** Takes the spare connection out if it was made for `stream`. The caller closes its peer. */
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
      // A match works without a prepared offer, but starts more slowly.
      console.info("preparing an offer failed", error);
    } finally {
      if (this.#making?.stream === stream) this.#making = null;
    }
  }
}

export type RoomCredential = OutputOf<typeof testRoomSign>;

/** Credentials are renewed this long before they expire. */
const renewBeforeMs = 60_000;
/** Short, because an ICE restart waits for this request. */
const signTimeoutMs = 5_000;

/** The public members of `RoomCredentials`, which a fake can implement. */
export type CallCredentials = Pick<RoomCredentials, keyof RoomCredentials>;

/** The TURN credentials of the user, shared by all connections and renewed before they expire. */
export class RoomCredentials {
  readonly #request: typeof requests.request;
  #sign: RoomCredential | null = null;
  #fetching: Promise<RoomCredential> | null = null;

  constructor(request: typeof requests.request) {
    this.#request = request;
  }

  /** The cached credentials; null if they have to be fetched. */
  get present(): RoomCredential | null {
    return this.#sign && this.#sign.expiresAt - renewBeforeMs > serverNowMs() ? this.#sign : null;
  }

  /** @throws RequestFailure when none are cached and the server returns none */
  current(): Promise<RoomCredential> {
    if (this.present) return Promise.resolve(this.present);
    this.#fetching ??= this.#fetch();
    return this.#fetching;
  }

  /** Called at sign-out: the next user of this page needs other credentials. */
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

/** Whether the credentials are still valid. */
export function isCredentialValid(sign: RoomCredential): boolean {
  return sign.expiresAt > serverNowMs();
}

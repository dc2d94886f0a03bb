import { qualityReportIntervalMs, qualityReportsMax } from "@fava/wire/limits.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import type { Reaction } from "@fava/wire/reactions.ts";
import type { Signal } from "@fava/wire/signals.ts";
import type { Choice, MediaState, QualityLevel } from "@fava/wire/socket.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { Peer, type PeerListener } from "#lib/media/peer-connection.ts";
import { levelOf, type RungNumber } from "#lib/media/quality-ladder.ts";
import type { OutgoingMessage } from "#lib/socket/socket-client.ts";
import type { CachedOffer, CallCredentials, RoomCredential, SpareConnection } from "./offer-cache.ts";

export interface RoomLinkOptions {
  match: MatchedPush;
  stream: MediaStream;
  /** The connection whose offer the search carried; closed if this side turns out to be the answerer. */
  prepared: CachedOffer | null;
  /** A spare connection to answer with; closed if this side is the offerer, or the match needs another ICE policy. */
  spare: SpareConnection | null;
  signs: CallCredentials;
  send: (frame: OutgoingMessage) => void;
  listener: Omit<PeerListener, "signal" | "beforeRestart">;
}

/** Interval of the check for expiring credentials: more than once in their last minute. */
const credentialsLookMs = 25_000;

/** The media and the messages of one room. Closing it ends both, but never the local camera. */
export class RoomLink {
  readonly #options: RoomLinkOptions;
  readonly #peer: Peer;
  /** The credentials that the connection uses; null for those of the match push. */
  #sign: RoomCredential | null;
  readonly #look: ReturnType<typeof setInterval>;
  readonly #quality = new QualitySender((rung) => this.#send({ type: "quality", rung, level: levelOf(rung) }));

  constructor(options: RoomLinkOptions) {
    this.#options = options;
    const { match, stream, prepared, spare } = options;
    const { role, iceServers, policy, peerOffer } = match.media;
    const ownPrepared = role === "offerer" ? prepared : null;
    const firstGeneration = match.returned?.generation ?? 0;
    const isFitting = role === "answerer" && firstGeneration === 0 && spare?.sign.policy === policy;
    const made = ownPrepared ?? (isFitting ? spare : null);
    this.#peer = made?.peer ?? new Peer(role, { iceServers, policy, stream, firstGeneration });
    this.#sign = made?.sign ?? null;
    this.#peer.begin({
      ...options.listener,
      signal: (signal) => this.#send({ type: "signal", signal }),
      beforeRestart: () => this.#renewCredentials(),
    });
    this.#look = setInterval(() => void this.#renewCredentials(), credentialsLookMs);
    if (peerOffer !== null) this.#peer.take({ type: "offer", generation: 0, sdp: peerOffer });
    else if (role === "offerer" && !ownPrepared?.delivered) this.#peer.offer();
    // Close them later, because the partner is waiting for the answer.
    if (prepared && !ownPrepared) prepared.peer.leave();
    if (spare && spare !== made) spare.peer.leave();
  }

  take(signal: Signal): void {
    this.#peer.take(signal);
  }

  /** Sends the tracks of this stream from now on. */
  useStream(stream: MediaStream): void {
    this.#peer.useStream(stream);
  }

  restart(): void {
    this.#peer.restart();
  }

  /** The rung of the local video; the partner receives it at intervals. */
  tellRung(rung: RungNumber): void {
    this.#quality.take(rung);
  }

  tell(state: MediaState): void {
    this.#send({ type: "media", state });
  }

  say(clientId: string, text: string): void {
    this.#send({ type: "chat", clientId, text });
  }

  react(reaction: Reaction): void {
    this.#send({ type: "reaction", reaction });
  }

  /** Asks both users a two-choice question; with `choice` answers it. */
  askBoth(question: number, choice?: Choice): void {
    this.#send({ type: "two-choice", question, ...(choice !== undefined && { choice }) });
  }

  close(): void {
    clearInterval(this.#look);
    this.#quality.stop();
    this.#peer.close();
    this.#tellRelayed();
  }

  /**
   * As `close`, when another match is expected: sends and receives nothing more, and does the rest later (rule
   * CALL-105).
   */
  leave(): void {
    clearInterval(this.#look);
    this.#quality.stop();
    this.#peer.leave();
    this.#tellRelayed();
  }

  /** In a task of its own, because the next search must not wait for it. */
  #tellRelayed(): void {
    const { match, send } = this.#options;
    const bytes = this.#peer.takeCarriedBytes();
    if (match.media.policy !== "relay" || bytes === 0) return;
    setTimeout(() => send({ type: "relayed", roomId: match.roomId, bytes }));
  }

  /** A call may outlast its first credentials; an ICE restart with expired ones finds no relay. */
  async #renewCredentials(): Promise<void> {
    try {
      const sign = await this.#options.signs.current();
      if (sign === this.#sign) return;
      this.#sign = sign;
      this.#peer.useServers(sign.iceServers);
    } catch (error) {
      // A direct path needs no credentials; the next check tries again.
      if (!(error instanceof RequestFailure)) throw error;
    }
  }

  #send(
    frame:
      | { type: "signal"; signal: Signal }
      | { type: "media"; state: MediaState }
      | { type: "chat"; clientId: string; text: string }
      | { type: "quality"; rung: RungNumber; level: QualityLevel }
      | { type: "reaction"; reaction: Reaction }
      | { type: "two-choice"; question: number; choice?: Choice },
  ): void {
    const { roomId, token } = this.#options.match;
    this.#options.send({ ...frame, roomId, roomToken: token });
  }
}

/**
 * Reports the quality of the sent video to server and partner: nothing in the first seconds of a call, in which most
 * calls end, and then changes.
 */
class QualitySender {
  readonly #tell: (rung: RungNumber) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rung: RungNumber | null = null;
  #told: RungNumber | null = null;
  #words = 0;

  constructor(tell: (rung: RungNumber) => void) {
    this.#tell = tell;
  }

  take(rung: RungNumber): void {
    const isFirst = this.#rung === null;
    this.#rung = rung;
    if (isFirst) this.#wait();
    else if (this.#timer === undefined) this.#say();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#words = qualityReportsMax;
  }

  #wait(): void {
    this.#timer = setTimeout(() => this.#say(), qualityReportIntervalMs);
  }

  #say(): void {
    this.#timer = undefined;
    const rung = this.#rung;
    if (rung === null || rung === this.#told || this.#words >= qualityReportsMax) return;
    this.#words += 1;
    this.#told = rung;
    this.#tell(rung);
    this.#wait();
  }
}

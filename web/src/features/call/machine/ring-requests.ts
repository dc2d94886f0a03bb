import { codes } from "@fava/wire/codes.ts";
import { ring, ringAnswer, ringCancel } from "@fava/wire/endpoints/rings.ts";
import { tellFailure } from "#features/people/relation-actions.ts";
import { type Friend, ringLeftMs } from "#features/rings/friend.ts";
import { ignoreRequestFailure, RequestFailure } from "#lib/api/request-failure.ts";
import type { SignedAhead } from "#lib/api/request.ts";
import { t } from "#lib/i18n.ts";
import { showToast } from "#ui/toast-store.ts";
import type { CallPorts, CallSocket } from "./call-ports.ts";
import type { CallEvent, CallNotice } from "./call-state.ts";
import { callStore } from "./call-store.ts";
import { noticeOf } from "./refusal-notice.ts";

interface RingRequestsOptions {
  readonly ports: CallPorts;
  readonly socket: CallSocket;
  readonly search: {
    /** The local stream if a request can leave in this turn, otherwise null. */
    readonly readyStream: MediaStream | null;
    /** Resolves once the earlier search or ring has ended. */
    whenStopped(): Promise<void>;
  };
  readonly dispatch: (event: CallEvent) => void;
}

/** Sends the requests that start, accept and cancel a ring, and dispatches their answers as events. */
export class RingRequests {
  readonly #options: RingRequestsOptions;
  /** The server's id of the latest ring, once the server has answered. */
  #asked: Promise<string | null> = Promise.resolve(null);
  /** The signed answer to the ring that the user will most likely accept. */
  #ahead: SignedAhead | null = null;

  constructor(options: RingRequestsOptions) {
    this.#options = options;
  }

  async ring({ friend, attempt }: { friend: Friend; attempt: number }): Promise<void> {
    this.#asked = this.#ring(friend, attempt);
    await this.#asked;
  }

  async #ring(friend: Friend, attempt: number): Promise<string | null> {
    const { ports, socket, dispatch } = this.#options;
    const stream = await this.#whenReady(attempt);
    const user = ports.currentUser();
    if (!stream || !user) return null;
    // With an offer, the friend's page can answer at once, as in a match.
    await ports.offers.prepare(stream);
    if (!isRinging(attempt)) return null;
    const prepared = ports.offers.peek(stream);
    const offer = prepared ? { offer: prepared.sdp } : {};
    try {
      const input = { user_id: user.user_id, other_id: friend.userId, ...offer };
      const answer = await ports.request(ring, input, { carry: socket.carry });
      if (answer.state === "unavailable") {
        dispatch({ type: "ring-refused", attempt, notice: { why: "not-taken", friend } });
        return null;
      }
      // When two rings cross, the server accepts the friend's ring and does not send this offer.
      if (prepared && answer.state === "ringing") prepared.delivered = true;
      dispatch({ type: "ring-begun", attempt, ringId: answer.id, leftMs: ringLeftMs(answer.until) });
      return answer.id;
    } catch (error) {
      this.#failed(attempt, error);
      return null;
    }
  }

  /** Signs the answer to a ring ahead of the press, as `MatchRequests` does for a search. */
  async signAhead(ringId: string): Promise<void> {
    const input = this.#takingOf(ringId);
    this.#ahead = input && (await this.#options.ports.signAhead(ringAnswer, input));
  }

  /** Accepts a friend's ring, in this turn if nothing has to be awaited; the match push opens the room. */
  async accept({ friend, ringId, attempt }: { friend: Friend; ringId: string; attempt: number }): Promise<void> {
    const { ports, socket, search, dispatch } = this.#options;
    const stream = search.readyStream ?? (await this.#whenReady(attempt));
    const input = this.#takingOf(ringId);
    if (!stream || !input) return;
    const ahead = this.#ahead;
    this.#ahead = null;
    try {
      const asked = ports.request(ringAnswer, input, { carry: socket.carry, ahead });
      // After the request has been sent; the caller has sent an offer with the ring.
      ports.offers.makeSpare(stream);
      const { state } = await asked;
      if (state !== "connected") dispatch({ type: "ring-refused", attempt, notice: goneOf(friend) });
    } catch (error) {
      const isGone = error instanceof RequestFailure && error.reason === "not_in_room";
      if (isGone) dispatch({ type: "ring-refused", attempt, notice: goneOf(friend) });
      else this.#failed(attempt, error);
    }
  }

  /** The input that accepts this ring; null if no user is signed in. */
  #takingOf(id: string) {
    const user = this.#options.ports.currentUser();
    return user && ({ user_id: user.user_id, id, accept: 1 } as const);
  }

  /** Cancels the latest ring, once the server has given it an id. Resolves to whether there was one. */
  async cancel(): Promise<boolean> {
    const id = await this.#asked;
    const { ports, socket } = this.#options;
    const user = ports.currentUser();
    if (id === null || !user) return false;
    const options = { keepalive: true, carry: socket.carry };
    await ports.smallRequest(ringCancel, { user_id: user.user_id, id }, options).catch(ignoreRequestFailure);
    return true;
  }

  /**
   * The local stream once it, the end of earlier requests and the chat session are ready; null if the ring is over by
   * then.
   */
  async #whenReady(attempt: number): Promise<MediaStream | null> {
    const { ports, socket, search, dispatch } = this.#options;
    const [media, isLive] = await Promise.all([ports.openMedia(), socket.whenLive(), search.whenStopped()]);
    if (!isRinging(attempt)) return null;
    if (media.status !== "live") {
      dispatch({ type: "device-lost" });
      return null;
    }
    if (isLive) return media.stream;
    showToast({ type: "error", text: t("error.server") });
    dispatch({ type: "ring-refused", attempt, notice: null });
    return null;
  }

  #failed(attempt: number, error: unknown): void {
    if (!(error instanceof RequestFailure)) throw error;
    const notice = toldAtOnce.has(error.reason) ? null : noticeOf(error);
    // Every request that gets no response tells the user.
    if (error.code === codes.slowDown) showToast({ type: "warning", text: t("ring.tooOften") });
    else if (notice === null) tellFailure(error);
    this.#options.dispatch({ type: "ring-refused", attempt, notice });
  }
}

/** After these no search may follow, so `tellFailure` shows them. */
const toldAtOnce: ReadonlySet<string> = new Set(["not_met", "age_check"]);

function isRinging(attempt: number): boolean {
  const { call: state } = callStore.getState();
  return state.status === "ringing" && state.attempt === attempt;
}

function goneOf({ nickname }: Friend): CallNotice {
  return { why: "gone", nickname };
}

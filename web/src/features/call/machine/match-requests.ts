import { codes } from "@fava/wire/codes.ts";
import type { InputOf } from "@fava/wire/endpoint.ts";
import { matchStart, matchStop, startVideo } from "@fava/wire/endpoints/match.ts";
import { reconnectGiveUpMs } from "@fava/wire/limits.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import { traceIdOf } from "@fava/wire/traceparent.ts";
import { lostCallRetryMs } from "#features/call/return/open-call.ts";
import { randomHex } from "#lib/api/hex.ts";
import { ignoreRequestFailure, RequestFailure } from "#lib/api/request-failure.ts";
import type { SignedAhead } from "#lib/api/request.ts";
import { t } from "#lib/i18n.ts";
import { showToast } from "#ui/toast-store.ts";
import type { CallPorts, CallSocket } from "./call-ports.ts";
import type { CallEvent, CallWish } from "./call-state.ts";
import { callStore } from "./call-store.ts";
import { noticeOf } from "./refusal-notice.ts";
import { areSearchChecksTold } from "./search-media.ts";

type MatchPorts = Pick<
  CallPorts,
  "request" | "smallRequest" | "signAhead" | "currentUser" | "localMedia" | "openMedia" | "offers"
>;

interface MatchRequestsOptions {
  readonly ports: MatchPorts;
  readonly socket: CallSocket;
  readonly dispatch: (event: CallEvent) => void;
  /** Called when the server has answered a new search: no partner was found at once. */
  readonly searches: () => void;
}

type StartInput = InputOf<typeof matchStart>;

interface SearchRequest {
  readonly wish: CallWish;
  readonly attempt: number;
  /** 1: repeats the request of a running search to add an offer, or that the user was told of the checks. */
  readonly refresh: 0 | 1;
}

/** Sends the requests that start and stop a search, one after the other, and dispatches their answers as events. */
export class MatchRequests {
  readonly #ports: MatchPorts;
  readonly #socket: CallSocket;
  readonly #dispatch: (event: CallEvent) => void;
  readonly #searches: () => void;
  /** A stop or a block that has no answer yet: a later start must not overtake it. */
  #stopping: Promise<unknown> | null = null;
  /** The signed request that the next press will most likely send. */
  #ahead: SignedAhead | null = null;
  /** How many searches wait for their first answer. */
  #asking = 0;
  /** Settles once the last search has sent all its requests. */
  #asked: Promise<void> = Promise.resolve();
  /** The user was told that the server does not answer; the retries are quiet (rule ERR-3). */
  #silenceTold = false;
  #newestRoomId = "";
  /** Trace of the last search. */
  #traceparent = newTraceparent();
  /** Trace of the next search; unchanged until that is sent, so that a request signed ahead stays valid. */
  #nextTraceparent = newTraceparent();

  constructor({ ports, socket, dispatch, searches }: MatchRequestsOptions) {
    this.#ports = ports;
    this.#socket = socket;
    this.#dispatch = dispatch;
    this.#searches = searches;
  }

  /** Requests a search with this wish and dispatches the results as events. */
  ask(request: Pick<SearchRequest, "wish" | "attempt">): Promise<void> {
    this.#asked = this.#ask(request);
    return this.#asked;
  }

  /** Adds to the running search that the user was told of the checks, once its earlier requests are answered. */
  async allowChecks(): Promise<void> {
    const { call: search } = callStore.getState();
    if (search.status !== "searching") return;
    const { wish, attempt } = search;
    await this.#asked;
    const { media } = this.#ports.localMedia.getState();
    // A search that started meanwhile has sent it already.
    if (media.status === "live" && this.#isSearching(attempt))
      await this.#sendStart({ wish, attempt, refresh: 1 }, media.stream);
  }

  async #ask(request: Pick<SearchRequest, "wish" | "attempt">): Promise<void> {
    this.#asking += 1;
    const waiting = await this.#askFirst(request).finally(() => (this.#asking -= 1));
    if (!waiting) return;
    // No partner was found at once: make the offer now, and send it when it is ready.
    await this.#ports.offers.prepare(waiting);
    if (this.#isSearching(request.attempt) && this.#ports.offers.peek(waiting))
      await this.#sendStart({ ...request, refresh: 1 }, waiting);
  }

  /** Prepares an offer for the local stream, unless a search waits for its first answer. */
  prepareFor(stream: MediaStream): void {
    if (this.#asking === 0) void this.#ports.offers.prepare(stream);
  }

  /** Resolves to the local stream if the search continues and has no offer yet, otherwise to null. */
  async #askFirst({ wish, attempt }: Pick<SearchRequest, "wish" | "attempt">): Promise<MediaStream | null> {
    const stream = this.readyStream ?? (await this.#untilReady(attempt));
    if (!stream) return null;
    const wasReady = this.#ports.offers.peek(stream) !== null;
    const goesOn = await this.#sendStart({ wish, attempt, refresh: 0 }, stream);
    if (!goesOn || !this.#isSearching(attempt)) return null;
    this.#searches();
    return wasReady ? null : stream;
  }

  /** The local stream if a request can leave in this turn; null if it has to wait. */
  get readyStream(): MediaStream | null {
    const { media } = this.#ports.localMedia.getState();
    return media.status === "live" && this.#stopping === null && this.#socket.isLive ? media.stream : null;
  }

  /** Waits for the local stream, an earlier stop and the chat session; null if the search is over by then. */
  async #untilReady(attempt: number): Promise<MediaStream | null> {
    const [media] = await Promise.all([this.#ports.openMedia(), this.#stopping]);
    if (!this.#isSearching(attempt)) return null;
    if (media.status !== "live") {
      this.#dispatch({ type: "device-lost" });
      return null;
    }
    if (await this.#socket.whenLive()) return media.stream;
    this.#serverAway(attempt);
    return null;
  }

  /**
   * Signs a search with this wish ahead of the press, because signing would delay it while the page draws.
   * A request that has changed by then is signed again.
   */
  async signAhead(wish: CallWish): Promise<void> {
    const { media } = this.#ports.localMedia.getState();
    const input = this.#inputOf({ wish, refresh: 0 }, media.status === "live" ? media.stream : null);
    this.#ahead = input && (await this.#ports.signAhead(matchStart, input));
  }

  /** Remembers the newest room, so that a duplicate or late start leaves no room unknown to this page (rule MATCH-90). */
  noteMatch({ roomId, traceparent, returned }: MatchedPush): void {
    this.#newestRoomId = roomId;
    if (traceparent !== undefined && returned === null) note("match", traceparent);
  }

  /** Takes the user out of search and room; the next search waits for the answer. */
  stop(): void {
    this.#hold(this.#sendStop());
  }

  /** Stops once the ring is cancelled, because it may have become a call; not if `ended` resolves to false: no ring. */
  stopAfter(ended: Promise<boolean>): void {
    this.#hold(ended.then((was) => (was ? this.#sendStop() : undefined)));
  }

  /** Resolves once a stop or a block that was asked for has reached the server. */
  async whenStopped(): Promise<void> {
    await this.#stopping;
  }

  /**
   * Returns to a room whose page or server is gone; a new match push follows. Retries while no
   * server has taken the room over from one that died.
   */
  async comeBack({ roomId, id }: MatchedPush): Promise<void> {
    const untilMs = performance.now() + reconnectGiveUpMs;
    const media = await this.#ports.openMedia();
    if (media.status !== "live") return this.#dispatch({ type: "device-lost" });
    for (;;) {
      const isLive = await this.#socket.whenLive();
      const user = this.#ports.currentUser();
      if (!isWaitedFor(roomId)) return;
      if (!isLive || !user) return this.#returnRefused(roomId, "closed");
      try {
        await this.#ports.request(
          startVideo,
          { user_id: user.user_id, id },
          { quiet: true, carry: this.#socket.carry },
        );
        return;
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error;
        const mayCome = error.code === codes.unavailable && performance.now() < untilMs;
        if (!mayCome) return this.#returnRefused(roomId, error.code === codes.forbidden ? "gone" : "closed");
      }
      await new Promise((resolve) => setTimeout(resolve, lostCallRetryMs));
    }
  }

  #returnRefused(roomId: string, notice: "gone" | "closed"): void {
    this.#dispatch({ type: "return-refused", roomId, notice, nowMs: Date.now() });
  }

  /** Makes the next search wait for `stored` as well. */
  holdUntil(stored: Promise<unknown>): void {
    this.#hold(Promise.all([this.#stopping, stored]));
  }

  #hold(work: Promise<unknown>): void {
    const stopping = work.finally(() => {
      if (this.#stopping === stopping) this.#stopping = null;
    });
    this.#stopping = stopping;
  }

  /** One `match/start`; false when the search is over by its answer. */
  async #sendStart({ wish, attempt, refresh }: SearchRequest, stream: MediaStream): Promise<boolean> {
    const input = this.#inputOf({ wish, refresh }, stream);
    if (!input || !this.#isSearching(attempt)) return false;
    const prepared = this.#ports.offers.peek(stream);
    const ahead = this.#ahead;
    // The nonce signed into it is valid for one request.
    this.#ahead = null;
    try {
      const options = { quiet: this.#silenceTold, carry: this.#socket.carry, ahead };
      const asked = this.#ports.request(matchStart, input, options);
      // After the request has been sent, so that it is not delayed.
      if (refresh === 0) {
        this.#beginTrace();
        this.#ports.offers.makeSpare(stream);
      }
      const answer = await asked;
      this.#silenceTold = false;
      if (answer.state === "no_profiles") this.#dispatch({ type: "search-refused", attempt, notice: "no-profiles" });
      else if (prepared && answer.state === "searching") prepared.delivered = true;
      return answer.state === "searching";
    } catch (error) {
      this.#startFailed(attempt, error);
      return false;
    }
  }

  /** The input of a search with this wish; null if no user is signed in. */
  #inputOf({ wish, refresh }: Pick<SearchRequest, "wish" | "refresh">, stream: MediaStream | null): StartInput | null {
    const user = this.#ports.currentUser();
    if (!user) return null;
    const prepared = stream && this.#ports.offers.peek(stream);
    const offer = prepared ? { offer: prepared.sdp } : {};
    const { meet, ...filters } = wish;
    const only = meet ? { with_user_id: meet.userId } : {};
    const told = areSearchChecksTold() ? ({ checks: 1 } as const) : {};
    const traceparent = refresh === 1 ? this.#traceparent : this.#nextTraceparent;
    const search = { ...filters, ...only, ...offer, ...told, refresh, traceparent };
    return { user_id: user.user_id, ...search, room_id: this.#newestRoomId };
  }

  #beginTrace(): void {
    this.#traceparent = this.#nextTraceparent;
    this.#nextTraceparent = newTraceparent();
    note("start", this.#traceparent);
  }

  #startFailed(attempt: number, error: unknown): void {
    if (!(error instanceof RequestFailure)) throw error;
    const notice = noticeOf(error);
    if (notice) return this.#dispatch({ type: "search-refused", attempt, notice });
    this.#silenceTold = true;
    this.#dispatch({ type: "search-failed", attempt });
  }

  /** No match is possible without a chat session: tells the user once, and lets the search retry. */
  #serverAway(attempt: number): void {
    if (!this.#isSearching(attempt)) return;
    if (!this.#silenceTold) showToast({ type: "error", text: t("error.server") });
    this.#silenceTold = true;
    this.#dispatch({ type: "search-failed", attempt });
  }

  #isSearching(attempt: number): boolean {
    const { call: state } = callStore.getState();
    return state.status === "searching" && state.attempt === attempt;
  }

  async #sendStop(): Promise<void> {
    const user = this.#ports.currentUser();
    const { carry } = this.#socket;
    if (!user) return;
    const options = { keepalive: true, carry };
    await this.#ports.smallRequest(matchStop, { user_id: user.user_id }, options).catch(ignoreRequestFailure);
  }
}

/** Whether the page shows this room or is returning to it. */
function isWaitedFor(roomId: string): boolean {
  const { call: state } = callStore.getState();
  return (state.status === "returning" || state.status === "in-call") && state.match.roomId === roomId;
}

/** Names a press of Start as W3C Trace Context does. */
function newTraceparent(): string {
  return `00-${randomHex(32)}-${randomHex(16)}-01`;
}

/** Marks the newest start or match in the performance timeline, and logs its trace id. */
function note(what: "start" | "match", traceparent: string): void {
  performance.clearMarks(what);
  performance.mark(what, { detail: traceparent });
  console.debug(`${what}: trace ${traceIdOf(traceparent)}`);
}

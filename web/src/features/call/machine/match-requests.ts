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
}

type StartInput = InputOf<typeof matchStart>;

interface SearchRequest {
  readonly wish: CallWish;
  readonly attempt: number;
  /** 1: the same search once more, with what was not ready before: an offer, or that its person was told of the checks. */
  readonly refresh: 0 | 1;
}

/** Asks the server to begin and to end a search, one after the other, and says what its answers mean for it. */
export class MatchRequests {
  readonly #ports: MatchPorts;
  readonly #socket: CallSocket;
  readonly #dispatch: (event: CallEvent) => void;
  /** A stop or a block that is on its way: a later start must not overtake it. */
  #stopping: Promise<unknown> | null = null;
  /** The search that the next press will most likely begin. */
  #ahead: SignedAhead | null = null;
  /** Requests whose first answer is not here yet. */
  #asking = 0;
  /** All that the last request for a search sends. */
  #asked: Promise<void> = Promise.resolve();
  /** The person was told that the server does not answer; the tries that follow are quiet (rule ERR-3). */
  #silenceTold = false;
  #newestRoomId = "";
  /** Names the search that was asked for last. */
  #traceparent = newTraceparent();
  /** Names the next one; it stays the same until that is sent, so that what was signed ahead holds (rule MATCH-120). */
  #nextTraceparent = newTraceparent();

  constructor({ ports, socket, dispatch }: MatchRequestsOptions) {
    this.#ports = ports;
    this.#socket = socket;
    this.#dispatch = dispatch;
  }

  /** Asks for a search with this wish; what comes of it is told as events. */
  ask(request: Pick<SearchRequest, "wish" | "attempt">): Promise<void> {
    this.#asked = this.#ask(request);
    return this.#asked;
  }

  /** Says of the search that goes on that its person was told of the checks. What it has sent before is answered first. */
  async allowChecks(): Promise<void> {
    const { call: search } = callStore.getState();
    if (search.status !== "searching") return;
    const { wish, attempt } = search;
    await this.#asked;
    const { media } = this.#ports.localMedia.getState();
    // A request that began meanwhile has said it.
    if (media.status === "live" && this.#isSearching(attempt))
      await this.#sendStart({ wish, attempt, refresh: 1 }, media.stream);
  }

  async #ask(request: Pick<SearchRequest, "wish" | "attempt">): Promise<void> {
    this.#asking += 1;
    const waiting = await this.#askFirst(request).finally(() => (this.#asking -= 1));
    if (!waiting) return;
    // Nobody was there: the offer is made now, and told to the server when it is ready.
    await this.#ports.offers.prepare(waiting);
    if (this.#isSearching(request.attempt) && this.#ports.offers.peek(waiting))
      await this.#sendStart({ ...request, refresh: 1 }, waiting);
  }

  /** Makes an offer ready for the own picture, but not while somebody waits for their search to begin. */
  prepareFor(stream: MediaStream): void {
    if (this.#asking === 0) void this.#ports.offers.prepare(stream);
  }

  /** Answers the own picture where the search goes on and has no offer yet. */
  async #askFirst({ wish, attempt }: Pick<SearchRequest, "wish" | "attempt">): Promise<MediaStream | null> {
    const stream = this.readyStream ?? (await this.#untilReady(attempt));
    if (!stream) return null;
    const wasReady = this.#ports.offers.peek(stream) !== null;
    const goesOn = await this.#sendStart({ wish, attempt, refresh: 0 }, stream);
    return goesOn && !wasReady && this.#isSearching(attempt) ? stream : null;
  }

  /** The own picture where nothing is waited for: what is asked now leaves in this turn (rule MATCH-91). */
  get readyStream(): MediaStream | null {
    const { media } = this.#ports.localMedia.getState();
    return media.status === "live" && this.#stopping === null && this.#socket.isLive ? media.stream : null;
  }

  /** The own picture once it, the stop before and the chat session are there; null where the search is over by then. */
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
   * Signs the search with this wish before it is asked for: the way of a signature through the browser's threads ends in the
   * middle of what a press has to draw (rule MATCH-91). What has changed by then is signed anew.
   */
  async signAhead(wish: CallWish): Promise<void> {
    const { media } = this.#ports.localMedia.getState();
    const input = this.#inputOf({ wish, refresh: 0 }, media.status === "live" ? media.stream : null);
    this.#ahead = input && (await this.#ports.signAhead(matchStart, input));
  }

  /** A start that is made twice, or late, leaves no room of which this page had not heard (rule MATCH-90). */
  heardOf({ roomId, traceparent, returned }: MatchedPush): void {
    this.#newestRoomId = roomId;
    if (traceparent !== undefined && returned === null) note("match", traceparent);
  }

  /** Takes this person out of search and room; the next request waits for it. */
  stop(): void {
    this.#hold(this.#sendStop());
  }

  /** The same once a ring is ended, which may have become a call by then; false: there was none. */
  stopAfter(ended: Promise<boolean>): void {
    this.#hold(ended.then((was) => (was ? this.#sendStop() : undefined)));
  }

  /** Resolves once a stop or a block that was asked for has reached the server. */
  async whenStopped(): Promise<void> {
    await this.#stopping;
  }

  /**
   * Goes back to a room whose page or server is gone; a push tells of it once more (rules CALL-84, CALL-132). While nobody
   * has it, because its server has only just died, it is asked for again.
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

  /** The next request also waits for `stored`, and for whatever the last one would have waited for. */
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
    // Its nonce is good for one request.
    this.#ahead = null;
    if (refresh === 0) this.#beginTrace();
    try {
      const options = { quiet: this.#silenceTold, carry: this.#socket.carry, ahead };
      const asked = this.#ports.request(matchStart, input, options);
      // Behind the request, while it travels.
      if (refresh === 0) this.#ports.offers.makeSpare(stream);
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

  /** What a search with this wish sends now; null when nobody is signed in. */
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

  /** No chat session, so nobody can be matched: told once, and tried again. */
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

/** Whether the call is shown, or waited for. */
function isWaitedFor(roomId: string): boolean {
  const { call: state } = callStore.getState();
  return (state.status === "returning" || state.status === "in-call") && state.match.roomId === roomId;
}

/** Names a press of Start as W3C Trace Context does (rule MATCH-120). */
function newTraceparent(): string {
  return `00-${randomHex(32)}-${randomHex(16)}-01`;
}

/** Marks the newest of its kind on the browser's time line, and names the trace to whoever looks at the console. */
function note(what: "start" | "match", traceparent: string): void {
  performance.clearMarks(what);
  performance.mark(what, { detail: traceparent });
  console.debug(`${what}: trace ${traceIdOf(traceparent)}`);
}

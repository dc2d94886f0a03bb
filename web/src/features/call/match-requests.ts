import * as v from "valibot";
import { codes } from "@fava/wire/codes.ts";
import { matchStart, matchStop, startVideo } from "@fava/wire/endpoints/match.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import { call, smallCall } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { t } from "#lib/i18n.ts";
import { openMedia } from "#lib/media/local-media.ts";
import { currentUser } from "#lib/session.ts";
import { showToast } from "#ui/toast-store.ts";
import type { CallEvent, CallNotice, CallWish } from "./call-state.ts";
import { callStore } from "./call-store.ts";
import type { ChatSocket } from "./chat-socket.ts";
import type { OfferStock } from "./offer-stock.ts";
import { quietly } from "./quietly.ts";

interface MatchRequestsOptions {
  readonly socket: ChatSocket;
  /** Where the offer comes from that travels with a search. */
  readonly offers: OfferStock;
  readonly dispatch: (event: CallEvent) => void;
}

interface SearchRequest {
  readonly wish: CallWish;
  readonly attempt: number;
  /** 1: the same search once more, with an offer that was not ready before. */
  readonly refresh: 0 | 1;
}

/** Asks the server to begin and to end a search, one after the other, and says what its answers mean for it. */
export class MatchRequests {
  readonly #socket: ChatSocket;
  readonly #offers: OfferStock;
  readonly #dispatch: (event: CallEvent) => void;
  /** A stop or a block that is on its way: a later start must not overtake it. */
  #stopping: Promise<unknown> = Promise.resolve();
  /** Requests whose first answer is not here yet. */
  #asking = 0;
  /** The person was told that the server does not answer; the tries that follow are quiet (rule ERR-3). */
  #silenceTold = false;

  constructor({ socket, offers, dispatch }: MatchRequestsOptions) {
    this.#socket = socket;
    this.#offers = offers;
    this.#dispatch = dispatch;
  }

  /** Asks for a search with this wish; what comes of it is told as events. */
  async ask(request: Pick<SearchRequest, "wish" | "attempt">): Promise<void> {
    this.#asking += 1;
    const waiting = await this.#askFirst(request).finally(() => (this.#asking -= 1));
    if (!waiting) return;
    // Nobody was there: the offer is made now, and told to the server when it is ready.
    await this.#offers.prepare(waiting);
    if (this.#isSearching(request.attempt) && this.#offers.peek(waiting))
      await this.#sendStart({ ...request, refresh: 1 }, waiting);
  }

  /** Makes an offer ready for the own picture, but not while somebody waits for their search to begin. */
  prepareFor(stream: MediaStream): void {
    if (this.#asking === 0) void this.#offers.prepare(stream);
  }

  /** Answers the own picture where the search goes on and has no offer yet. */
  async #askFirst({ wish, attempt }: Pick<SearchRequest, "wish" | "attempt">): Promise<MediaStream | null> {
    const [media] = await Promise.all([openMedia(), this.#stopping]);
    if (!this.#isSearching(attempt)) return null;
    if (media.status !== "live") {
      this.#dispatch({ type: "device-lost" });
      return null;
    }
    if (!(await this.#socket.whenLive())) {
      this.#serverAway(attempt);
      return null;
    }
    const wasReady = this.#offers.peek(media.stream) !== null;
    const goesOn = await this.#sendStart({ wish, attempt, refresh: 0 }, media.stream);
    return goesOn && !wasReady && this.#isSearching(attempt) ? media.stream : null;
  }

  /** Takes this person out of search and room; the next request waits for it. */
  stop(): void {
    this.#stopping = this.#sendStop();
  }

  /** Goes back to the room of a page that is gone; the server answers with a push that tells of it once more (rule CALL-84). */
  async comeBack({ roomId, id }: MatchedPush): Promise<void> {
    const media = await openMedia();
    if (media.status !== "live") return this.#dispatch({ type: "device-lost" });
    const isLive = await this.#socket.whenLive();
    const user = currentUser();
    if (callStore.getState().call.status !== "returning") return;
    if (!isLive || !user) return this.#dispatch({ type: "return-refused", roomId, notice: "closed" });
    try {
      await call(startVideo, { user_id: user.user_id, id });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      const notice = error.code === codes.forbidden ? "gone" : "closed";
      this.#dispatch({ type: "return-refused", roomId, notice });
    }
  }

  /** The next request also waits for `stored`, and for whatever the last one would have waited for. */
  holdUntil(stored: Promise<unknown>): void {
    this.#stopping = Promise.all([this.#stopping, stored]);
  }

  /** One `match/start`; false when the search is over by its answer. */
  async #sendStart({ wish, attempt, refresh }: SearchRequest, stream: MediaStream): Promise<boolean> {
    const user = currentUser();
    if (!user || !this.#isSearching(attempt)) return false;
    const prepared = this.#offers.peek(stream);
    const offer = prepared ? { offer: prepared.sdp } : {};
    const { meet, ...filters } = wish;
    const only = meet ? { with_user_id: meet.userId } : {};
    try {
      const answer = await call(
        matchStart,
        { user_id: user.user_id, ...filters, ...only, ...offer, refresh },
        { quiet: this.#silenceTold },
      );
      this.#silenceTold = false;
      if (answer.state === "no_profiles") this.#dispatch({ type: "search-refused", attempt, notice: "no-profiles" });
      else if (prepared && answer.state === "searching") prepared.delivered = true;
      return answer.state === "searching";
    } catch (error) {
      this.#startFailed(attempt, error);
      return false;
    }
  }

  #startFailed(attempt: number, error: unknown): void {
    if (!(error instanceof CallFailure)) throw error;
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
    const user = currentUser();
    if (user) await quietly(smallCall(matchStop, { user_id: user.user_id }, { keepalive: true }));
  }
}

/** A refusal that ends the search and is told; null for what may pass by itself. */
function noticeOf(failure: CallFailure): CallNotice | null {
  if (failure.code === codes.notEnoughBeans) return "not-enough-beans";
  if (failure.code === codes.forbidden && failure.reason === "profile_incomplete") return "profile-incomplete";
  if (failure.code === codes.forbidden && failure.reason === "not_met") return "meet-over";
  if (failure.code === codes.forbidden && failure.reason === "unchecked") return "checks-down";
  if (failure.code === codes.forbidden && failure.reason === "paused")
    return { why: "paused", untilMs: untilOf(failure) };
  return failure.code === codes.badInput ? "closed" : null;
}

function untilOf({ data }: CallFailure): number | null {
  const read = v.safeParse(v.object({ until: v.number() }), data);
  return read.success ? read.output.until : null;
}

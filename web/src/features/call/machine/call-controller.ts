import { codes } from "@fava/wire/codes.ts";
import type { InputOf } from "@fava/wire/endpoint.ts";
import { matchInfoUpdate, matchStart, matchStop, startVideo } from "@fava/wire/endpoints/match.ts";
import { connectionCheckTimeoutMs, reconnectGiveUpMs } from "@fava/wire/limits.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import type { MediaState } from "@fava/wire/socket.ts";
import { traceIdOf } from "@fava/wire/traceparent.ts";
import { addLine, failedState, markLine, partnerLine, sentState } from "#features/call/chat/chat-log.ts";
import { forgetCall, keepCall } from "#features/call/return/kept-call.ts";
import { lostCallRetryMs } from "#features/call/return/open-call.ts";
import { closeAfterEnd } from "#features/call/room/kept-camera.ts";
import { OfferCache, RoomCredentials } from "#features/call/room/offer-cache.ts";
import { RoomLink } from "#features/call/room/room-link.ts";
import { randomHex } from "#lib/api/hex.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request, signAhead, type SignedAhead, smallRequest } from "#lib/api/request.ts";
import { t } from "#lib/i18n.ts";
import { closeMedia, localMedia, openMedia } from "#lib/media/local-media.ts";
import { closeLeftConnections } from "#lib/media/peer-connection.ts";
import { levelOf, type RungNumber } from "#lib/media/quality-ladder.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { currentUser, refreshUser } from "#lib/session.ts";
import type { IncomingMessage } from "#lib/socket/socket-client.ts";
import { writeStored } from "#lib/storage.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { showToast } from "#ui/toast-store.ts";
import { stepCall } from "./call-machine.ts";
import { type CallEffect, type CallEvent, type CallTimer, type CallWish, isInRoom } from "./call-state.ts";
import { callStore, holdScreens, otherAtFirst, ownAtFirst } from "./call-store.ts";
import type { ChatSocket } from "./chat-socket.ts";
import { isAway } from "./hidden-phone.ts";
import { noticeOf } from "./refusal-notice.ts";
import { RingRequests } from "./ring-requests.ts";
import { areSearchChecksTold } from "./search-media.ts";

type RoomMessage = Extract<
  IncomingMessage,
  { type: "signal" | "chat" | "chat-stored" | "peer-media" | "peer-quality" | "error" }
>;

/** What the other takes for granted before it is told (`otherAtFirst`). */
const isAtFirst: ReadonlySet<MediaState> = new Set(["camera_on", "mic_on", "back", "picture_back"]);

/** An answer is made in a fraction of that; a screen stands still no longer, whatever becomes of it. */
const screensHeldMsMax = 200;
/** Whoever is there is found by then, and what a press changes is still seen at once. */
const pressHeldMsMax = 100;

/** A search that begins with the opening of the camera has its answer by then. */
const prepareAfterMs = 300;

/** Runs the effects of the call machine: timers, calls, the room's media; feeds it what comes of them. */
export class CallController {
  readonly #socket: ChatSocket;
  readonly #signs = new RoomCredentials();
  readonly #offers = new OfferCache(this.#signs);
  readonly #requests: MatchRequests;
  readonly #rings: RingRequests;
  #preparing: ReturnType<typeof setTimeout> | undefined;
  #expecting: ReturnType<typeof setTimeout> | undefined;
  #forgetNext: () => void = () => undefined;
  /** Draws what has changed while the screens were left as they are. */
  #draw: (() => void) | null = null;
  #drawTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #timers = new Map<CallTimer, ReturnType<typeof setTimeout>>();
  readonly #events: CallEvent[] = [];
  #room: { link: RoomLink; match: MatchedPush } | null = null;

  constructor(socket: ChatSocket) {
    this.#socket = socket;
    this.#requests = new MatchRequests({ socket, offers: this.#offers, dispatch: (event) => this.dispatch(event) });
    this.#rings = new RingRequests({
      socket,
      offers: this.#offers,
      search: this.#requests,
      dispatch: (event) => this.dispatch(event),
    });
  }

  /** Takes an event; one that an effect causes waits until the effects before it have run. */
  dispatch(event: CallEvent): void {
    this.#events.push(event);
    if (this.#events.length > 1) return;
    for (let next = this.#events[0]; next; next = this.#events[0]) {
      try {
        this.#step(next);
      } finally {
        // Even a step that failed makes room: otherwise no later event would ever be heard.
        this.#events.shift();
      }
    }
  }

  #step(event: CallEvent): void {
    if (event.type === "matched") this.#requests.heardOf(event.match);
    const before = callStore.getState().call;
    const { state, effects } = stepCall(before, event);
    const isSentNow = isPress(event) && effects.some(isAsking) && this.#requests.readyStream !== null;
    if (isSentNow) this.#holdScreens(pressHeldMsMax);
    // Before any screen hears of the match: the answer is on its way while they are drawn (rule CALL-101).
    for (const effect of effects)
      if (effect.type === "open-room") this.#openRoom(effect.match, isInRoom(state) && state.fromRing);
    if (state !== before) callStore.setState({ call: state });
    // What a person does, and what ends a match, is seen at once.
    if (state.status !== before.status && event.type !== "matched" && !isSentNow) this.#showScreens();
    if (state.status !== before.status) {
      console.debug(`call: ${before.status} -> ${state.status} (${event.type})`);
      if (state.status === "idle" || state.status === "searching") forgetCall();
    }
    for (const effect of effects) this.#run(effect);
  }

  /**
   * An offer is made ready for the own picture, so that the first match is fast, and dropped when the picture is gone. It
   * waits a moment: a press on Start opens the camera first, and whoever is met at once needs no offer of their own.
   */
  followStream(stream: MediaStream | null): void {
    clearTimeout(this.#preparing);
    if (!stream) return this.#offers.drop();
    this.#preparing = setTimeout(() => {
      if (!isInRoom(callStore.getState().call)) this.#requests.prepareFor(stream);
    }, prepareAfterMs);
  }

  /** A frame that belongs to a room; one of another room than the present one is dropped. */
  takeFrame(frame: RoomMessage): void {
    if (frame.type === "error") return this.#refused(frame);
    if (frame.roomId !== this.#room?.match.roomId) return;
    const { lines } = callStore.getState();
    switch (frame.type) {
      case "signal":
        return this.#room.link.take(frame.signal);
      case "chat":
        return callStore.setState({ lines: addLine(lines, partnerLine(frame)) });
      case "chat-stored":
        return callStore.setState({ lines: markLine(lines, frame.clientId, sentState(frame)) });
      case "peer-media":
        return this.#otherChanged(frame);
      case "peer-quality":
        return callStore.setState({ other: { ...callStore.getState().other, level: frame.level } });
    }
  }

  /** Sends a line, or sends it again under its old id. */
  say(text: string, id: string = crypto.randomUUID()): void {
    if (!this.#room) return;
    const { lines } = callStore.getState();
    const line = { from: "me", id, text, state: "sending" } as const;
    callStore.setState({ lines: markLine(addLine(lines, line), id, { state: "sending" }) });
    this.#room.link.say(id, text);
  }

  /** Leaves the room with somebody who was blocked; the search goes on once the block is stored. */
  leaveBlocked(roomId: string, stored: Promise<unknown>): void {
    this.#requests.holdUntil(stored);
    this.dispatch({ type: "blocked", roomId, nowMs: Date.now() });
  }

  /** The call of an earlier page is not gone on with. */
  decline(): void {
    this.#requests.stop();
  }

  /** The person was told that pictures are looked at while they search: the search that goes on says so (rule SAFE-244). */
  allowChecks(): void {
    void this.#requests.allowChecks();
  }

  /**
   * A search with this wish is about to be asked for. What it takes is made ready while the camera opens, and behind that
   * opening, for which nothing is to wait (rule MATCH-91).
   */
  expectStart(wish: CallWish): void {
    this.#expect(() => this.#requests.signAhead(wish));
  }

  /** A ring goes on that may be taken: what its connection needs is fetched (rule RING-57). */
  expectRing(): void {
    // Without them the call comes about all the same.
    void ignoreErrors(this.#signs.current());
  }

  /** The same as before a search: that ring is about to be taken (rule RING-56). */
  expectTake(ringId: string): void {
    this.#expect(() => this.#rings.signAhead(ringId));
  }

  #expect(sign: () => Promise<void>): void {
    clearTimeout(this.#expecting);
    this.#expecting = setTimeout(() => {
      void sign();
      if (localMedia.getState().media.status === "opening") this.#offers.openSpare();
    });
  }

  tellOther(state: MediaState): void {
    this.#room?.link.tell(state);
  }

  /** The chat session came back: lines that were on their way are sent again; the server stores each once. */
  resumed(): void {
    this.#sayAgain();
    const { call: request } = callStore.getState();
    if (request.status === "in-call" && request.media === "reconnecting") this.#room?.link.restart();
  }

  #sayAgain(): void {
    for (const line of callStore.getState().lines) {
      if (line.from === "me" && line.state === "sending") this.#room?.link.say(line.id, line.text);
    }
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    clearTimeout(this.#preparing);
    clearTimeout(this.#expecting);
    this.#forgetNext();
    this.#showScreens();
    this.#room?.link.close();
    closeLeftConnections();
    this.#offers.drop();
    this.#signs.forget();
  }

  #run(effect: CallEffect): void {
    switch (effect.type) {
      case "request-match":
        return void this.#requests.ask(effect);
      case "request-stop":
        return this.#requests.stop();
      case "request-return":
        return void this.#requests.comeBack(effect.match);
      case "request-ring":
        return void this.#rings.ring(effect);
      case "accept-ring":
        return void this.#rings.accept(effect);
      case "cancel-ring":
        return this.#cancelRing(effect.leaves);
      case "open-room":
        // Done by then (`#step`).
        return undefined;
      case "join-room":
        return this.#joinRoom(effect.match);
      case "close-room":
        return this.#closeRoom(effect.roomId);
      case "tell-media":
        if (effect.match.roomId !== this.#room?.match.roomId) return undefined;
        this.#room.link.tell(effect.state);
        // The next match's offer is made while this call goes on, and not before its first picture.
        if (effect.state === "playing") this.#prepareNext();
        return undefined;
      case "restart-media":
        return this.#room?.link.restart();
      case "check-connection":
        return void this.#checkConnection(effect.match);
      case "refresh-user":
        return void ignoreErrors(refreshUser());
      case "close-media":
        return closeMedia();
      case "close-media-after-end":
        return closeAfterEnd();
      case "show-low-beans":
        return void openOverlay("top-up");
      case "hide-low-beans":
        return closeOverlay("top-up");
      case "set-timer":
        return this.#setTimer(effect.timer, effect.delayMs);
      case "clear-timer":
        return this.#clearTimer(effect.timer);
    }
  }

  #cancelRing(leaves: boolean): void {
    const ended = this.#rings.cancel();
    if (leaves) this.#requests.stopAfter(ended);
  }

  #openRoom(match: MatchedPush, fromRing: boolean): void {
    const { media } = localMedia.getState();
    if (media.status !== "live" || !currentUser()) return this.dispatch({ type: "device-lost" });
    const about = { roomId: match.roomId };
    const isSame = this.#room?.match.roomId === match.roomId;
    this.#room?.link.leave();
    const isAwaited = ["searching", "ringing"].includes(callStore.getState().call.status);
    if (match.media.peerOffer !== null && isAwaited) this.#holdScreens(screensHeldMsMax);
    else this.#showScreens();
    const spare = this.#offers.takeSpare(media.stream);
    const link = new RoomLink({
      match,
      stream: media.stream,
      prepared: match.returned ? null : this.#offers.take(media.stream),
      spare,
      signs: this.#signs,
      send: (frame) => {
        this.#socket.send(frame);
        if (frame.type === "signal" && frame.signal.type === "answer") this.#showScreens();
      },
      listener: {
        remoteStream: (remote) => callStore.setState({ remote }),
        flow: (change) => this.dispatch({ type: change, ...about, nowMs: Date.now() }),
        rung: (rung) => this.#ownRung(link, rung),
      },
    });
    this.#room = { link, match };
    const { lines } = callStore.getState();
    callStore.setState({ remote: null, other: otherAtFirst, ...ownAtFirst, lines: isSame ? lines : [] });
    for (const state of switchStates()) if (match.returned || !isAtFirst.has(state)) link.tell(state);
    // The process that took them may have died before it said so.
    if (isSame) this.#sayAgain();
    writeStored("roomId", match.roomId);
    keepCall(match, fromRing);
  }

  /**
   * Until the answer to the other's offer is out, nothing is drawn: each step of the answer comes back by way of the page,
   * and would wait behind the screens. The search is what is shown between a match and its picture anyway (rule CALL-101).
   * Nor is the search that was just asked for, as long as somebody may be found at once (rule CALL-107).
   */
  #holdScreens(msMax: number): void {
    clearTimeout(this.#drawTimer);
    this.#draw ??= holdScreens();
    this.#drawTimer = setTimeout(() => this.#showScreens(), msMax);
  }

  #showScreens(): void {
    clearTimeout(this.#drawTimer);
    const draw = this.#draw;
    this.#draw = null;
    draw?.();
  }

  /** For a picture that is slow to come; `playing` alone joins, too (rule CALL-111). The answer says whether the beans last. */
  #joinRoom({ id, roomId }: MatchedPush): void {
    const user = currentUser();
    if (!user || this.#room?.match.roomId !== roomId) return;
    void ignoreErrors(
      smallRequest(startVideo, { user_id: user.user_id, id }, { carry: this.#socket.carry }).then((answer) => {
        if (answer.is_enough === 0) this.dispatch({ type: "low-beans", roomId });
      }),
    );
  }

  /** The next match's offer takes as long as a picture does: it is made once the browser has nothing else to do. */
  #prepareNext(): void {
    this.#forgetNext();
    this.#forgetNext = whenIdle(() => void this.#readyNext());
  }

  /** All that Next sends, where it is not there yet or has grown old. */
  async #readyNext(): Promise<void> {
    closeLeftConnections();
    const { media } = localMedia.getState();
    if (media.status !== "live") return;
    await this.#offers.prepare(media.stream);
    const { call: room } = callStore.getState();
    if (isInRoom(room)) await this.#requests.signAhead(room.wish);
  }

  #closeRoom(roomId: string): void {
    if (this.#room?.match.roomId !== roomId) return;
    this.#forgetNext();
    // The next match is on its way: closing a connection keeps the page waiting for other threads.
    if (callStore.getState().call.status === "searching") this.#room.link.leave();
    else this.#room.link.close();
    this.#room = null;
    callStore.setState({ remote: null, other: otherAtFirst, ...ownAtFirst, lines: [] });
  }

  async #checkConnection(match: MatchedPush): Promise<void> {
    const user = currentUser();
    if (!user) return;
    const { call: room } = callStore.getState();
    keepCall(match, isInRoom(room) && room.fromRing);
    // What was signed ahead grows old with the call.
    if (room.status === "in-call") this.#prepareNext();
    const input = { user_id: user.user_id, id: match.id };
    const { carry } = this.#socket;
    const options = { timeoutMs: connectionCheckTimeoutMs, carry };
    const mine = await smallRequest(matchInfoUpdate, input, options).catch(() => false);
    this.dispatch({ type: "connection-checked", roomId: match.roomId, mine, nowMs: Date.now() });
  }

  /** A picture that is paused, or back, is told at once: the checks and the clock of the other go by it. */
  #ownRung(link: RoomLink, rung: RungNumber): void {
    const { ownPausedAtMs } = callStore.getState();
    const isPaused = rung === 0;
    if (isPaused !== (ownPausedAtMs !== null)) {
      callStore.setState({ ownPausedAtMs: isPaused ? Date.now() : null });
      link.tell(isPaused ? "picture_paused" : "picture_back");
    }
    callStore.setState({ ownLevel: levelOf(rung) });
    link.tellRung(rung);
  }

  #otherChanged({ roomId, state }: Extract<RoomMessage, { type: "peer-media" }>): void {
    if (state === "lost") return this.dispatch({ type: "peer", roomId, peer: "lost" });
    if (state === "returned") {
      // What was said while their socket was away has not reached them.
      for (const own of switchStates()) this.tellOther(own);
      return this.dispatch({ type: "peer", roomId, peer: "here" });
    }
    const { other } = callStore.getState();
    const changes: Partial<Record<MediaState, Partial<typeof other>>> = {
      camera_off: { cameraOn: false },
      camera_on: { cameraOn: true },
      mic_off: { microphoneOn: false },
      mic_on: { microphoneOn: true },
      away: { away: true },
      back: { away: false },
      picture_paused: { pausedAtMs: other.pausedAtMs ?? Date.now() },
      picture_back: { pausedAtMs: null },
    };
    callStore.setState({ other: { ...other, ...changes[state] } });
  }

  #refused(frame: Extract<RoomMessage, { type: "error" }>): void {
    if (frame.clientId === undefined) return console.warn("frame refused", frame.reason);
    callStore.setState({ lines: markLine(callStore.getState().lines, frame.clientId, failedState(frame)) });
  }

  #setTimer(timer: CallTimer, delayMs: number): void {
    this.#clearTimer(timer);
    const handle = setTimeout(() => {
      this.#timers.delete(timer);
      this.dispatch({ type: "timer", timer, nowMs: Date.now() });
    }, delayMs);
    this.#timers.set(timer, handle);
  }

  #clearTimer(timer: CallTimer): void {
    clearTimeout(this.#timers.get(timer));
    this.#timers.delete(timer);
  }
}

/** What the other is to know of this side: camera, microphone, page, and whether the network carries the picture. */
function switchStates(): readonly MediaState[] {
  const { media } = localMedia.getState();
  const { cameraOn, microphoneOn } = media.status === "live" ? media : { cameraOn: false, microphoneOn: false };
  return [
    cameraOn ? "camera_on" : "camera_off",
    microphoneOn ? "mic_on" : "mic_off",
    isAway() ? "away" : "back",
    callStore.getState().ownPausedAtMs === null ? "picture_back" : "picture_paused",
  ];
}

/** Something else than the person may begin a search, too. */
function isPress({ type }: CallEvent): boolean {
  return type === "start" || type === "wish-changed" || type === "next" || type === "ring-taken";
}

/** What is answered by a match, perhaps at once. */
function isAsking({ type }: CallEffect): boolean {
  return type === "request-match" || type === "accept-ring";
}

interface MatchRequestsOptions {
  readonly socket: ChatSocket;
  /** Where the offer comes from that travels with a search. */
  readonly offers: OfferCache;
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
  readonly #socket: ChatSocket;
  readonly #offers: OfferCache;
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

  constructor({ socket, offers, dispatch }: MatchRequestsOptions) {
    this.#socket = socket;
    this.#offers = offers;
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
    const { media } = localMedia.getState();
    // A request that began meanwhile has said it.
    if (media.status === "live" && this.#isSearching(attempt))
      await this.#sendStart({ wish, attempt, refresh: 1 }, media.stream);
  }

  async #ask(request: Pick<SearchRequest, "wish" | "attempt">): Promise<void> {
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
    const stream = this.readyStream ?? (await this.#untilReady(attempt));
    if (!stream) return null;
    const wasReady = this.#offers.peek(stream) !== null;
    const goesOn = await this.#sendStart({ wish, attempt, refresh: 0 }, stream);
    return goesOn && !wasReady && this.#isSearching(attempt) ? stream : null;
  }

  /** The own picture where nothing is waited for: what is asked now leaves in this turn (rule MATCH-91). */
  get readyStream(): MediaStream | null {
    const { media } = localMedia.getState();
    return media.status === "live" && this.#stopping === null && this.#socket.isLive ? media.stream : null;
  }

  /** The own picture once it, the stop before and the chat session are there; null where the search is over by then. */
  async #untilReady(attempt: number): Promise<MediaStream | null> {
    const [media] = await Promise.all([openMedia(), this.#stopping]);
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
    const { media } = localMedia.getState();
    const input = this.#inputOf({ wish, refresh: 0 }, media.status === "live" ? media.stream : null);
    this.#ahead = input && (await signAhead(matchStart, input));
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
    const media = await openMedia();
    if (media.status !== "live") return this.#dispatch({ type: "device-lost" });
    for (;;) {
      const isLive = await this.#socket.whenLive();
      const user = currentUser();
      if (!isWaitedFor(roomId)) return;
      if (!isLive || !user) return this.#returnRefused(roomId, "closed");
      try {
        await request(startVideo, { user_id: user.user_id, id }, { quiet: true, carry: this.#socket.carry });
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
    const prepared = this.#offers.peek(stream);
    const ahead = this.#ahead;
    // Its nonce is good for one request.
    this.#ahead = null;
    if (refresh === 0) this.#beginTrace();
    try {
      const options = { quiet: this.#silenceTold, carry: this.#socket.carry, ahead };
      const asked = request(matchStart, input, options);
      // Behind the request, while it travels.
      if (refresh === 0) this.#offers.makeSpare(stream);
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
    const user = currentUser();
    if (!user) return null;
    const prepared = stream && this.#offers.peek(stream);
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
    const user = currentUser();
    const { carry } = this.#socket;
    if (user) await ignoreErrors(smallRequest(matchStop, { user_id: user.user_id }, { keepalive: true, carry }));
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

/** Ends when `work` has; the request events tell the person of a failure, and here it changes nothing. */
async function ignoreErrors(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
  }
}

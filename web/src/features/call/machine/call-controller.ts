import { matchInfoUpdate, startVideo } from "@fava/wire/endpoints/match.ts";
import { connectionCheckTimeoutMs, pressHeldMsMax, slowPictureMs } from "@fava/wire/limits.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import type { Reaction } from "@fava/wire/reactions.ts";
import type { Choice, MediaState } from "@fava/wire/socket.ts";
import { addLine, failedState, markLine, partnerLine, sentState } from "#features/call/chat/chat-log.ts";
import { resetReactions, showReaction } from "#features/call/play/reactions.ts";
import { resetTwoChoice, takeTwoChoice } from "#features/call/play/two-choice.ts";
import { removeStoredCall, storeCall } from "#features/call/return/stored-call.ts";
import { closeAfterEnd } from "#features/call/room/kept-camera.ts";
import { endKindWordOffer, offerKindWord } from "#features/people/kind-words.ts";
import { ignoreRequestFailure } from "#lib/api/request-failure.ts";
import { type LocalMedia, type Sent, sentOf } from "#lib/media/local-media.ts";
import { closeLeftConnections } from "#lib/media/peer-connection.ts";
import { levelOf, type RungNumber } from "#lib/media/quality-ladder.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import type { IncomingMessage } from "#lib/socket/socket-client.ts";
import { writeStored } from "#lib/storage.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { stepCall } from "./call-machine.ts";
import type { CallLink, CallPorts, CallSocket } from "./call-ports.ts";
import {
  type CallEffect,
  type CallEvent,
  type CallState,
  type CallTimer,
  type CallWish,
  isInRoom,
} from "./call-state.ts";
import { callStore, type CallView, freezeScreens, levelsAtFirst, levelStore, otherAtFirst } from "./call-store.ts";
import { isAway } from "./hidden-phone.ts";
import { kindWordMatch } from "./kind-word-match.ts";
import { MatchRequests } from "./match-requests.ts";
import { RingRequests } from "./ring-requests.ts";

type RoomMessage = Extract<
  IncomingMessage,
  { type: "signal" | "chat" | "chat-stored" | "peer-media" | "peer-quality" | "reaction" | "two-choice" | "error" }
>;

/** The states that a partner assumes before any message arrives (`otherAtFirst`). */
const isAtFirst: ReadonlySet<MediaState> = new Set(["camera_on", "mic_on", "back", "picture_back"]);

/** Delay before the offer is prepared; a search that starts with the opening of the camera has its answer by then. */
const prepareAfterMs = 300;

/**
 * Runs the effects of the call machine (timers, requests, the media of the room) and dispatches their results to it.
 */
export class CallController {
  readonly #ports: CallPorts;
  readonly #socket: CallSocket;
  readonly #requests: MatchRequests;
  readonly #rings: RingRequests;
  #preparing: ReturnType<typeof setTimeout> | undefined;
  #expecting: ReturnType<typeof setTimeout> | undefined;
  #forgetNext: () => void = () => undefined;
  /** Draws the changes that were made while the screens were held. */
  #draw: (() => void) | null = null;
  #drawTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #timers = new Map<CallTimer, ReturnType<typeof setTimeout>>();
  readonly #events: CallEvent[] = [];
  #room: { link: CallLink; match: MatchedPush } | null = null;

  constructor(ports: CallPorts, socket: CallSocket) {
    this.#ports = ports;
    this.#socket = socket;
    const dispatch = (event: CallEvent) => this.dispatch(event);
    this.#requests = new MatchRequests({ ports, socket, dispatch, searches: () => this.#showScreens() });
    this.#rings = new RingRequests({ ports, socket, search: this.#requests, dispatch });
  }

  /** Dispatches an event. An event that an effect causes waits until the earlier effects have run. */
  dispatch(event: CallEvent): void {
    this.#events.push(event);
    if (this.#events.length > 1) return;
    for (let next = this.#events[0]; next; next = this.#events[0]) {
      try {
        this.#step(next);
      } finally {
        // Remove the event even if its step threw, because otherwise no later event would be processed.
        this.#events.shift();
      }
    }
  }

  #step(event: CallEvent): void {
    if (event.type === "matched") this.#requests.noteMatch(event.match);
    const before = callStore.getState().call;
    const { state, effects } = stepCall(before, event);
    const isSentNow = isPress(event) && effects.some(isAsking) && this.#requests.readyStream !== null;
    if (isSentNow) this.#freezeScreens(pressHeldMsMax);
    // Open the room before any screen draws the match: the answer signal is sent while they are drawn.
    for (const effect of effects)
      if (effect.type === "open-room") this.#openRoom(effect.match, isInRoom(state) && state.fromRing);
    if (state !== before) callStore.setState({ call: state });
    this.#offerKindWord(before, event, state);
    // Show at once what the user did and what ended a match.
    if (state.status !== before.status && event.type !== "matched" && !isSentNow) this.#showScreens();
    for (const effect of effects) this.#run(effect);
    if (state.status === before.status) return;
    console.debug(`call: ${before.status} -> ${state.status} (${event.type})`);
    if (state.status === "idle" || state.status === "searching") removeStoredCall();
  }

  /** Offers to leave the partner of the ended call a kind word, until the next call begins. */
  #offerKindWord(before: CallState, event: CallEvent, after: CallState): void {
    if (after.status === "in-call" && before.status !== "in-call") return endKindWordOffer();
    const match = kindWordMatch({ before, event, after }, Date.now());
    if (!match) return;
    const { user_id: userId, nickname } = match.remote;
    offerKindWord({ userId, nickname, callId: match.id });
  }

  /**
   * Prepares an offer for the local stream, so that the first match connects fast, and drops it when the stream ends.
   * It waits `prepareAfterMs`, because a press on Start opens the camera first, and an immediate match needs no own
   * offer.
   */
  followStream(stream: MediaStream | null): void {
    clearTimeout(this.#preparing);
    if (!stream) return this.#ports.offers.drop();
    this.#preparing = setTimeout(() => {
      if (!isInRoom(callStore.getState().call)) this.#requests.prepareFor(stream);
    }, prepareAfterMs);
  }

  /** Sends the new tracks of the local media, and tells the partner what changed. */
  followMedia(media: LocalMedia, before: LocalMedia): void {
    if (media.status !== "live" || before.status !== "live") return;
    if (media.stream !== before.stream) {
      this.#ports.offers.useStream(before.stream, media.stream);
      this.#room?.link.useStream(media.stream);
    }
    const [camera, microphone] = [sentOf(media, "camera"), sentOf(media, "microphone")];
    if (camera !== sentOf(before, "camera")) this.#tellAll(cameraStates[camera]);
    if (microphone !== sentOf(before, "microphone")) this.#tellAll(microphoneStates[microphone]);
  }

  /** Handles a message of the room. Drops a message of any room but the current one. */
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
        return levelStore.setState({ other: frame.level });
      case "reaction":
        return showReaction("other", { name: this.#room.match.remote.nickname, reaction: frame.reaction });
      case "two-choice":
        return takeTwoChoice(frame, Date.now());
    }
  }

  react(reaction: Reaction): void {
    this.#room?.link.react(reaction);
  }

  askBoth(question: number, choice?: Choice): void {
    this.#room?.link.askBoth(question, choice);
  }

  /** Sends a chat line, or sends it again under its old id. */
  say(text: string, id: string = crypto.randomUUID()): void {
    if (!this.#room) return;
    const { lines } = callStore.getState();
    const line = { from: "me", id, text, state: "sending" } as const;
    callStore.setState({ lines: markLine(addLine(lines, line), id, { state: "sending" }) });
    this.#room.link.say(id, text);
  }

  /** Leaves the room of a partner whom the user blocked; the search continues once the server has stored the block. */
  leaveBlocked(roomId: string, stored: Promise<unknown>): void {
    this.#requests.holdUntil(stored);
    this.dispatch({ type: "blocked", roomId, nowMs: Date.now() });
  }

  /** The user declined to return to the call of an earlier page. */
  decline(): void {
    this.#requests.stop();
  }

  /** The user was told that frames are inspected during a search: the running search reports it (rule SAFE-244). */
  allowChecks(): void {
    void this.#requests.allowChecks();
  }

  /**
   * Prepares a search with this wish that is about to start. The work runs while the camera opens, and does not delay
   * that opening.
   */
  expectStart(wish: CallWish): void {
    this.#expect(() => this.#requests.signAhead(wish));
  }

  /** Fetches the credentials for the connection while a friend's ring can be answered. */
  expectRing(): void {
    // A call connects without them, too.
    void this.#ports.credentials.current().catch(ignoreRequestFailure);
  }

  /** Signs the answer to this ring ahead of the press, as for a search. */
  expectTake(ringId: string): void {
    this.#expect(() => this.#rings.signAhead(ringId));
  }

  #expect(sign: () => Promise<void>): void {
    clearTimeout(this.#expecting);
    this.#expecting = setTimeout(() => {
      void sign();
      if (this.#ports.localMedia.getState().media.status === "opening") this.#ports.offers.openSpare();
    });
  }

  #tellAll(states: readonly MediaState[]): void {
    for (const state of states) this.tellOther(state);
  }

  tellOther(state: MediaState): void {
    this.#room?.link.tell(state);
  }

  /** The chat session resumed: sends unacknowledged chat lines again. The server stores each line once. */
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
    this.#ports.offers.drop();
    this.#ports.credentials.forget();
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
        // `#step` has opened it already.
        return undefined;
      case "join-room":
        return this.#joinRoom(effect.match);
      case "close-room":
        return this.#closeRoom(effect.roomId);
      case "tell-media":
        if (effect.match.roomId !== this.#room?.match.roomId) return undefined;
        this.#room.link.tell(effect.state);
        // The next match's offer is made during this call, but not before its first frame.
        if (effect.state === "playing") this.#prepareNext();
        return undefined;
      case "restart-media":
        return this.#room?.link.restart();
      case "check-connection":
        return void this.#checkConnection(effect.match);
      case "refresh-user":
        return void this.#ports.refreshUser().catch(ignoreRequestFailure);
      case "close-media":
        return this.#ports.closeMedia();
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
    const { media } = this.#ports.localMedia.getState();
    if (media.status !== "live" || !this.#ports.currentUser()) return this.dispatch({ type: "device-lost" });
    const about = { roomId: match.roomId };
    const isSame = this.#room?.match.roomId === match.roomId;
    this.#room?.link.leave();
    const isAwaited = ["searching", "ringing"].includes(callStore.getState().call.status);
    const { role, peerOffer } = match.media;
    if (isAwaited && (role === "offerer" || peerOffer !== null)) this.#freezeScreens(slowPictureMs);
    else this.#showScreens();
    const spare = this.#ports.offers.takeSpare(media.stream);
    const link = this.#ports.openLink({
      match,
      stream: media.stream,
      prepared: match.returned ? null : this.#ports.offers.take(media.stream),
      spare,
      signs: this.#ports.credentials,
      send: (frame) => this.#socket.send(frame),
      listener: {
        remoteStream: (remote) => callStore.setState({ remote }),
        flow: (change) => this.dispatch({ type: change, ...about, nowMs: Date.now() }),
        rung: (rung) => this.#ownRung(link, rung),
      },
    });
    this.#room = { link, match };
    const { lines } = callStore.getState();
    showRoomAtFirst(isSame ? lines : []);
    if (!isSame) resetPlay();
    for (const state of switchStates(this.#ports.localMedia.getState().media))
      if (match.returned || !isAtFirst.has(state)) link.tell(state);
    // The server that received the messages may have crashed before it acknowledged them.
    if (isSame) this.#sayAgain();
    writeStored("roomId", match.roomId);
    storeCall(match, fromRing);
  }

  /**
   * Draws no screen between a match and its first frame, for at most `msMax`: each step of the connection returns
   * through the page's thread and would wait behind the drawing. `CallScreen` and `RemotePicture` follow the call by
   * themselves as far as a user must see it. A search that was just requested is not drawn either, as long as a match
   * may arrive at once.
   */
  #freezeScreens(msMax: number): void {
    clearTimeout(this.#drawTimer);
    this.#draw ??= freezeScreens();
    this.#drawTimer = setTimeout(() => this.#showScreens(), msMax);
  }

  #showScreens(): void {
    clearTimeout(this.#drawTimer);
    const draw = this.#draw;
    this.#draw = null;
    draw?.();
  }

  /**
   * Joins while the first frame is late; otherwise the message `playing` joins. The response says whether the beans
   * suffice.
   */
  #joinRoom({ id, roomId }: MatchedPush): void {
    const user = this.#ports.currentUser();
    if (!user || this.#room?.match.roomId !== roomId) return;
    void this.#ports
      .smallRequest(startVideo, { user_id: user.user_id, id }, { carry: this.#socket.carry })
      .then((answer) => {
        if (answer.is_enough === 0) this.dispatch({ type: "low-beans", roomId });
      })
      .catch(ignoreRequestFailure);
  }

  /** Makes the next match's offer when the browser is idle, because that takes as long as drawing a frame. */
  #prepareNext(): void {
    this.#forgetNext();
    this.#forgetNext = whenIdle(() => void this.#readyNext());
  }

  /** Prepares all that Next sends, if it is missing or expired. */
  async #readyNext(): Promise<void> {
    closeLeftConnections();
    const { media } = this.#ports.localMedia.getState();
    if (media.status !== "live") return;
    await this.#ports.offers.prepare(media.stream);
    const { call: room } = callStore.getState();
    if (!isInRoom(room)) return;
    this.#ports.offers.openSpareForNext();
    await this.#requests.signAhead(room.wish);
  }

  #closeRoom(roomId: string): void {
    if (this.#room?.match.roomId !== roomId) return;
    this.#forgetNext();
    // The next match comes soon, and closing a connection blocks the page while it waits for other threads.
    if (callStore.getState().call.status === "searching") this.#room.link.leave();
    else this.#room.link.close();
    this.#room = null;
    showRoomAtFirst([]);
    resetPlay();
  }

  async #checkConnection(match: MatchedPush): Promise<void> {
    const user = this.#ports.currentUser();
    if (!user) return;
    const { call: room } = callStore.getState();
    storeCall(match, isInRoom(room) && room.fromRing);
    // A request that was signed ahead expires during a long call.
    if (room.status === "in-call") this.#prepareNext();
    const input = { user_id: user.user_id, id: match.id };
    const { carry } = this.#socket;
    const options = { timeoutMs: connectionCheckTimeoutMs, carry };
    const mine = await this.#ports.smallRequest(matchInfoUpdate, input, options).catch(() => false);
    this.dispatch({ type: "connection-checked", roomId: match.roomId, mine, nowMs: Date.now() });
  }

  /**
   * Reports a pause of the local video at once, because the frame checks and the partner's pause clock depend on it.
   */
  #ownRung(link: CallLink, rung: RungNumber): void {
    const { ownPausedAtMs } = callStore.getState();
    const isPaused = rung === 0;
    if (isPaused !== (ownPausedAtMs !== null)) {
      callStore.setState({ ownPausedAtMs: isPaused ? Date.now() : null });
      link.tell(isPaused ? "picture_paused" : "picture_back");
    }
    levelStore.setState({ own: levelOf(rung) });
    link.tellRung(rung);
  }

  #otherChanged({ roomId, state }: Extract<RoomMessage, { type: "peer-media" }>): void {
    if (state === "lost") return this.dispatch({ type: "peer", roomId, peer: "lost" });
    if (state === "returned") {
      // The partner has missed the messages that were sent while their socket was lost.
      for (const own of switchStates(this.#ports.localMedia.getState().media)) this.tellOther(own);
      return this.dispatch({ type: "peer", roomId, peer: "here" });
    }
    const { other } = callStore.getState();
    const changes: Partial<Record<MediaState, Partial<typeof other>>> = {
      camera_off: { camera: "off" },
      camera_on: { camera: "on" },
      camera_switching: { camera: "switching" },
      mic_off: { microphone: "off" },
      mic_on: { microphone: "on" },
      mic_switching: { microphone: "switching" },
      away: { away: true },
      back: { away: false },
      picture_paused: { pausedAtMs: other.pausedAtMs ?? Date.now() },
      picture_back: { pausedAtMs: null },
    };
    callStore.setState({ other: { ...other, ...changes[state] } });
  }

  #refused(frame: Extract<RoomMessage, { type: "error" }>): void {
    if (frame.clientId === undefined) return console.warn("server rejected a frame", frame.reason);
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

function showRoomAtFirst(lines: CallView["lines"]): void {
  callStore.setState({ remote: null, other: otherAtFirst, ownPausedAtMs: null, lines });
  levelStore.setState(levelsAtFirst, true);
}

function resetPlay(): void {
  resetReactions();
  resetTwoChoice();
}

/** A partner of an earlier version does not know `camera_switching`: they see that the camera is off. */
const cameraStates: Readonly<Record<Sent, readonly MediaState[]>> = {
  on: ["camera_on"],
  off: ["camera_off"],
  switching: ["camera_off", "camera_switching"],
};

const microphoneStates: Readonly<Record<Sent, readonly MediaState[]>> = {
  on: ["mic_on"],
  off: ["mic_off"],
  switching: ["mic_off", "mic_switching"],
};

/** The states that the partner needs: camera, microphone, page, and whether the network carries the local video. */
function switchStates(media: LocalMedia): readonly MediaState[] {
  return [
    ...cameraStates[sentOf(media, "camera")],
    ...microphoneStates[sentOf(media, "microphone")],
    isAway() ? "away" : "back",
    callStore.getState().ownPausedAtMs === null ? "picture_back" : "picture_paused",
  ];
}

/** Not every search starts with a press of the user. */
function isPress({ type }: CallEvent): boolean {
  return type === "start" || type === "wish-changed" || type === "next" || type === "ring-taken";
}

/** A match may answer this request at once. */
function isAsking({ type }: CallEffect): boolean {
  return type === "request-match" || type === "accept-ring";
}

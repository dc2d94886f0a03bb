import { active } from "@fava/wire/endpoints/profile.ts";
import { askOutcomes, type MatchedPush, type Push, pushCodes, type ReportOutcome } from "@fava/wire/pushes.ts";
import type { Reaction } from "@fava/wire/reactions.ts";
import { knownReportReason, type ReportReason } from "@fava/wire/reasons.ts";
import type { Choice, SearchMediaState } from "@fava/wire/socket.ts";
import {
  startEmergencyExit,
  finishPanic,
  isPanicShown,
  leavePanic,
  reasonAtFirst,
  watchPanic,
} from "#features/call/panic/panic.ts";
import { showReaction, takeReaction } from "#features/call/play/reactions.ts";
import { noteChoice, questionToAsk } from "#features/call/play/two-choice.ts";
import { storeCall, storedCall } from "#features/call/return/stored-call.ts";
import { onCallTaken } from "#features/call/return/open-call.ts";
import { offerReturn, withdrawOfferOfRoom } from "#features/call/return/return-offer.ts";
import { FrameInspection } from "#features/call/room/frame-inspection.ts";
import { followKeptCamera } from "#features/call/room/kept-camera.ts";
import { followDevice } from "#features/call/room/media-session.ts";
import { currentMatchFilters } from "#features/match/match-filters.ts";
import { offerNoKindWordTo } from "#features/people/kind-words.ts";
import { onPersonHidden } from "#features/people/relations.ts";
import { onSocial, publishSessionNew, publishSocial } from "#features/people/social-messages.ts";
import type { Friend, IncomingRing } from "#features/rings/friend.ts";
import { ignoreRequestFailure } from "#lib/api/request-failure.ts";
import { t } from "#lib/i18n.ts";
import { closeAllOverlays } from "#lib/overlays.ts";
import type { IncomingMessage, SocketEnd } from "#lib/socket/socket-client.ts";
import { showToast } from "#ui/toast-store.ts";
import { CallController } from "./call-controller.ts";
import type { CallPorts, CallSocket } from "./call-ports.ts";
import { type CallEvent, type CallWish, isInRoom } from "./call-state.ts";
import { callStore, renderedStore } from "./call-store.ts";
import { isAway, isHiddenPhone } from "./hidden-phone.ts";
import { areSearchChecksTold, followSearchMedia, noteSearchChecksTold } from "./search-media.ts";
import { callEventOf } from "./socket-events.ts";

type ReportNotice = Extract<Push, { code: typeof pushCodes.reportNotice }>;

const reportNoticeMs = 12_000;
const togetherMs = 50;

/** The call of one page: connects its machine, chat socket, rooms and frame checks with the user's actions. */
export class CallRuntime {
  readonly #ports: CallPorts;
  readonly #socket: CallSocket;
  readonly #controller: CallController;
  readonly #checks: FrameInspection;
  #refreshing: Promise<void> | null = null;
  /** A page asks only once whether there is a call to return to. */
  #isReturnAsked = false;

  constructor(ports: CallPorts) {
    this.#ports = ports;
    this.#socket = ports.openSocket({
      ticket: ownTicket,
      frame: (message) => this.#take(message),
      live: (resumed) => this.#socketLive(resumed),
      end: (end) => this.#socketEnded(end),
    });
    this.#controller = new CallController(ports, this.#socket);
    this.#checks = new FrameInspection(ports, (why) => this.#tellSearchMedia(why));
  }

  /** Starts a search, from home or from a call. Start takes the call from any other tab. */
  readonly startCall = async (wish: CallWish): Promise<void> => {
    await this.#takeCall();
    this.#dispatch({ type: "start", wish, nowMs: Date.now() });
    if (isPanicShown()) void leavePanic();
  };

  /** Prepares the search while Start waits for the camera or a dialog. */
  readonly expectStart = (wish: CallWish): void => {
    this.#controller.expectStart(wish);
  };

  /** Prepares the connection while a friend's ring can be answered. */
  readonly expectRing = (): void => {
    this.#controller.expectRing();
  };

  /** Prepares the answer to a ring while Accept waits for the camera or a dialog. */
  readonly expectTake = ({ id }: IncomingRing): void => {
    this.#controller.expectTake(id);
  };

  /** Rings a friend. */
  readonly ringFriend = async (friend: Friend): Promise<void> => {
    await this.#readyToRing();
    this.#dispatch({ type: "ring", friend, wish: currentMatchFilters() });
  };

  /** Accepts a friend's ring, which ends the user's present search or call. */
  readonly takeRing = async ({ friend, id }: IncomingRing): Promise<void> => {
    await this.#readyToRing();
    this.#dispatch({ type: "ring-taken", friend, ringId: id, wish: currentMatchFilters() });
  };

  /** Applies filters that were saved during a search to that search. */
  readonly changeWish = (wish: CallWish): void => {
    this.#dispatch({ type: "wish-changed", wish, nowMs: Date.now() });
  };

  readonly nextCall = (): void => {
    this.#dispatch({ type: "next", nowMs: Date.now() });
  };

  readonly stopCall = (): void => {
    this.#dispatch({ type: "stop" });
  };

  /** Hides video and audio, leaves the call, and asks the user what happened (rule SAFE-220). */
  readonly emergencyExit = (): void => {
    this.#exitWith(null, reasonAtFirst);
  };

  /** The same because of a chat message of the partner; the report names the message and this reason. */
  readonly exitOverLine = (lineId: string, reason: ReportReason): void => {
    this.#exitWith(lineId, reason);
  };

  /** The remote video was shown for the first time. */
  readonly remoteFrameShown = (roomId: string): void => {
    this.#dispatch({ type: "first-frame", roomId, nowMs: Date.now() });
  };

  readonly sendChatMessage = (text: string, id?: string): void => {
    this.#controller.say(text, id);
  };

  /** Shows a reaction to both users, as far as the server's limit allows. */
  readonly react = (reaction: Reaction): void => {
    if (!isInRoom(callStore.getState().call) || !takeReaction(Date.now())) return;
    this.#controller.react(reaction);
    showReaction("own", { name: t("call.you"), reaction });
  };

  /** Asks both users the next two-choice question. */
  readonly askBoth = (): void => {
    const { call: room } = callStore.getState();
    if (!isInRoom(room)) return;
    const question = questionToAsk(room.match.roomId, Date.now());
    if (question !== null) this.#controller.askBoth(question);
  };

  /** Answers the two-choice question that is shown; the first choice counts. */
  readonly chooseAnswer = (choice: Choice): void => {
    const question = noteChoice(choice);
    if (question !== null) this.#controller.askBoth(question, choice);
  };

  /** The user has read that frames are inspected during a search: the server may now request them (rule SAFE-244). */
  readonly searchChecksTold = (): void => {
    if (areSearchChecksTold()) return;
    noteSearchChecksTold();
    this.#controller.allowChecks();
  };

  /** Switches disable the track, which stays published; the partner is notified of the change. */
  readonly setCamera = (on: boolean): void => {
    this.#ports.switchCamera(on);
  };

  readonly setMicrophone = (on: boolean): void => {
    this.#ports.switchMicrophone(on);
  };

  readonly toggleCamera = (): void => {
    const { media } = this.#ports.localMedia.getState();
    if (media.status === "live") this.setCamera(!media.cameraOn);
  };

  readonly toggleMicrophone = (): void => {
    const { media } = this.#ports.localMedia.getState();
    if (media.status === "live") this.setMicrophone(!media.microphoneOn);
  };

  /** Follows the session, the devices and the page until `signal` is aborted. Called once. */
  follow(signal: AbortSignal): void {
    const { session, localMedia, currentUser, tabLock } = this.#ports;
    this.#ports.watchDevices(signal);
    const stops = [
      session.subscribe(() => this.#followSession()),
      this.#ports.onTabLockLost(() => {
        this.#socket.leavePage();
        this.#dispatch({ type: "lock-lost" });
        this.#followSession();
      }),
      onPersonHidden((userId, hidden) => {
        offerNoKindWordTo(userId);
        this.#dispatch({ type: "meet-over", userId });
        const { call: room } = callStore.getState();
        if (!isInRoom(room) || room.match.remote.user_id !== userId) return;
        // When the server hides the partner, a push ends the call, like any other end.
        if (hidden.by === "me") this.#controller.leaveBlocked(room.match.roomId, hidden.stored);
      }),
      onSocial({
        frame: (message) => this.#dispatchEventOf(message),
        sendTyping: (externalId) => this.#sendIfOpen({ type: "typing", externalId }),
      }),
      onCallTaken((match) => void this.#returnTo(match)),
      this.#checks.follow(),
      followSearchMedia(this.#ports, (state) => this.#tellSearchMedia(state)),
      this.#ports.keepTracksWhile(() => callStore.getState().call.status !== "idle"),
      this.#ports.onLocalTrackEnded(() => this.#dispatch({ type: "device-lost" })),
      localMedia.subscribe(({ media }, { media: before }) => {
        if (media === before) return;
        this.#controller.followMedia(media, before);
        const stream = media.status === "live" && currentUser() ? media.stream : null;
        this.#controller.followStream(stream);
        // The preview took the lock from another tab, so the chat session belongs to this tab.
        if (stream) void this.#openIfHeld();
        // In a later task, because after a press on Start the search itself tells the server.
        setTimeout(() => this.#tellPreview());
      }),
    ];
    watchPanic(signal);
    followKeptCamera(signal);
    const { toggleMicrophone, toggleCamera, stopCall, nextCall } = this;
    followDevice({ toggleMicrophone, toggleCamera, hangUp: stopCall, next: nextCall }, signal);
    this.#followPage(signal);
    signal.addEventListener("abort", () => {
      for (const stop of stops) stop();
      this.#controller.dispose();
      this.#socket.close();
      tabLock.release();
    });
    this.#followSession();
  }

  #followPage(signal: AbortSignal): void {
    document.addEventListener("visibilitychange", () => this.#pageVisibilityChanged(), { signal });
    document.addEventListener("enterpictureinpicture", () => this.#tellPresence(), { signal });
    document.addEventListener("leavepictureinpicture", () => this.#tellPresence(), { signal });
    window.addEventListener("pagehide", ({ persisted }) => this.#leavePage(persisted), { signal });
    window.addEventListener(
      "pageshow",
      () => {
        this.#followSession();
        this.#comeBack();
      },
      { signal },
    );
    // Some phones return to a page without a change of its visibility.
    window.addEventListener("focus", () => this.#comeBack(), { signal });
  }

  #dispatch(event: CallEvent): void {
    this.#controller.dispatch(event);
  }

  #dispatchEventOf(message: IncomingMessage): void {
    const event = callEventOf(message, Date.now());
    if (event) this.#dispatch(event);
  }

  /** Continues a call that another page was in. */
  async #returnTo(match: MatchedPush): Promise<void> {
    await this.#ports.takeTabLock();
    this.#socket.open();
    const fromRing = storedCall()?.fromRing ?? false;
    this.#dispatch({ type: "return", match, wish: currentMatchFilters(), fromRing });
  }

  async #takeCall(): Promise<void> {
    // Store a pending block first, so that the search does not find the blocked user.
    if (isPanicShown()) await finishPanic();
    await this.#ports.takeTabLock();
    this.#socket.open();
  }

  async #readyToRing(): Promise<void> {
    await this.#takeCall();
    if (isPanicShown()) void leavePanic();
  }

  #exitWith(lineId: string | null, reason: ReportReason): void {
    const { call } = callStore.getState();
    const { call: drawn } = renderedStore.getState();
    // After Next the last partner is drawn until the first frame of the next one; the user means whom they have seen.
    const seen = isInRoom(drawn) ? drawn : call;
    if (!isInRoom(seen)) return;
    const { id: callId, remote } = seen.match;
    if (isInRoom(call)) this.#dispatch({ type: "panic" });
    else {
      this.#dispatch({ type: "stop" });
      this.#ports.closeMedia();
    }
    closeAllOverlays();
    startEmergencyExit({ userId: remote.user_id, nickname: remote.nickname, callId, lineId }, reason);
  }

  /** Tells the server at once that the page is gone: the browser closes the socket later, or never. */
  #leavePage(isKept: boolean): void {
    const { call: room } = callStore.getState();
    // A page that the browser keeps in its history was left for another page, so no reload returns to its call.
    if (isKept || room.status === "ringing") this.#dispatch({ type: "stop" });
    else if (isInRoom(room)) storeCall(room.match, room.fromRing);
    this.#socket.leavePage();
  }

  /** Asks once, as soon as the chat session is live or another tab has it. */
  async #askReturn(): Promise<void> {
    if (this.#isReturnAsked) return;
    this.#isReturnAsked = true;
    const answer = await offerReturn();
    if (answer?.returns) await this.#returnTo(answer.match);
    else if (answer) this.#controller.decline();
  }

  #followSession(): void {
    const { status } = this.#ports.session.getState();
    if (status === "signed-in") return void this.#openIfHeld();
    if (status === "signing-in" || status === "restoring") return;
    this.#dispatch({ type: "session-ended" });
    this.#socket.close();
  }

  /**
   * Opens the chat socket in the tab that has the lock, and on phones only while the page is visible. The other tabs
   * queue for the lock, so that the next one opens the socket when that tab is closed.
   */
  async #openIfHeld(): Promise<void> {
    if (this.#socket.isOpen || isHiddenPhone()) return;
    const { tabLock } = this.#ports;
    if (!(await tabLock.tryTake())) {
      void this.#askReturn();
      return tabLock.waitInLine(() => void this.#openIfHeld());
    }
    if (this.#ports.currentUser() && !isHiddenPhone()) this.#socket.open();
  }

  #sendIfOpen(message: Parameters<CallSocket["send"]>[0]): void {
    if (this.#socket.isOpen) this.#socket.send(message);
  }

  /** While the preview is up, the server may move this page to the server at which users search. */
  #tellPreview(): void {
    const { media } = this.#ports.localMedia.getState();
    const isUp = media.status === "live" && callStore.getState().call.status === "idle";
    if (isUp && this.#socket.isLive) this.#socket.send({ type: "preview" });
  }

  #tellSearchMedia(state: SearchMediaState): void {
    this.#sendIfOpen({ type: "search-media", state });
  }

  /** Tells the partner that the user left or returned to the page; video and audio continue. */
  #tellPresence(): void {
    this.#controller.tellOther(isAway() ? "away" : "back");
  }

  /** A phone may have frozen the socket, or taken camera and microphone away, while the page was hidden. */
  #comeBack(): void {
    if (document.hidden) return;
    this.#socket.wake();
    this.#ports.checkTracks();
  }

  /** On phones an idle page closes the chat socket when it is hidden (rule CALL-13). */
  #pageVisibilityChanged(): void {
    if (callStore.getState().call.status !== "idle") {
      this.#tellPresence();
    } else if (isHiddenPhone()) {
      this.#socket.close();
      // A tab whose camera is on keeps the lock.
      if (this.#ports.localMedia.getState().media.status !== "live") this.#ports.tabLock.release();
    } else {
      this.#followSession();
    }
    if (document.hidden) this.#report(2);
    else this.#comeBack();
  }

  #take(message: IncomingMessage): void {
    switch (message.type) {
      case "push":
        return this.#takePush(message);
      case "social":
      case "presence":
      case "typing":
        return publishSocial(message);
      case "inspect":
        return this.#checks.ask(message);
      case "shield":
      case "told":
        return this.#dispatchEventOf(message);
      case "signal":
      case "chat":
      case "chat-stored":
      case "peer-media":
      case "peer-quality":
      case "reaction":
      case "two-choice":
      case "error":
        return this.#controller.takeFrame(message);
    }
  }

  /** Dispatches the push to the call machine, and handles what does not concern the machine. */
  #takePush(message: Extract<IncomingMessage, { type: "push" }>): void {
    const { push } = message;
    if (push.code === pushCodes.otherLeft) withdrawOfferOfRoom(push.roomId);
    this.#dispatchEventOf(message);
    switch (push.code) {
      case pushCodes.systemNotice:
        return void this.#refresh();
      case pushCodes.reportNotice:
        return tellOfReport(push);
      case pushCodes.banned: {
        const { code: _code, ...notice } = push;
        // The end of the session then leaves the call and stops the camera.
        return this.#ports.banSession(notice, callStore.getState().call.status === "idle" ? "push" : "push-in-call");
      }
      case pushCodes.dataReport:
        return void this.#refresh().then(() => this.#report(1));
      case pushCodes.matched:
      case pushCodes.otherLeft:
      case pushCodes.callMessage:
        return undefined;
    }
  }

  #socketLive(resumed: boolean): void {
    this.#tellPreview();
    if (resumed) return this.#controller.resumed();
    this.#dispatch({ type: "chat-session-new", nowMs: Date.now() });
    void this.#askReturn();
    // Pushes that were sent before this session began are lost.
    publishSessionNew();
    void this.#refresh();
  }

  #socketEnded(end: SocketEnd): void {
    if (end === "kicked") this.#ports.endSession("kicked");
    else if (end === "signed-out") this.#ports.endSession("signed_out");
    else if (end === "banned") void this.#refresh();
    else this.#dispatch({ type: "lock-lost" });
  }

  /** Loads the user once for several pushes that arrive together, such as 100_003 and 100_007. */
  #refresh(): Promise<void> {
    this.#refreshing ??= new Promise((resolve) => setTimeout(resolve, togetherMs)).then(() => {
      this.#refreshing = null;
      return this.#ports.refreshUser().then(() => undefined, ignoreRequestFailure);
    });
    return this.#refreshing;
  }

  /** Sends a data report, which only feeds statistics: a failure is ignored. */
  #report(type: 1 | 2): void {
    const user = this.#ports.currentUser();
    if (!user) return;
    const told = { user_id: user.user_id, type } as const;
    void this.#ports.smallRequest(active, told, { keepalive: true }).catch(ignoreRequestFailure);
  }
}

/** The ticket of the call that this page is in. */
function ownTicket(): string | null {
  const { call: room } = callStore.getState();
  return (isInRoom(room) && room.match.ticket) || null;
}

function textOfReport({ outcome, reason_id }: ReportNotice): string {
  const reason = t(`reason.report.${knownReportReason(reason_id)}`);
  const asked = askOutcomes.find((one) => one === outcome);
  return asked ? t(`asked.answer.${asked}`) : t(`report.outcome.${outcome as ReportOutcome}`, { reason });
}

/** Push 100_004: shows the outcome of a report or a question, or a warning, long enough to be read. */
function tellOfReport(notice: ReportNotice): void {
  const { outcome } = notice;
  const text = outcome === "picture_removed" ? notice.text : textOfReport(notice);
  showToast({ type: outcome === "warned" ? "warning" : "info", text, durationMs: reportNoticeMs });
}

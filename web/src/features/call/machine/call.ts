import { active } from "@fava/wire/endpoints/profile.ts";
import { askOutcomes, type MatchedPush, type Push, pushCodes, type ReportOutcome } from "@fava/wire/pushes.ts";
import { knownReportReason, type ReportReason } from "@fava/wire/reasons.ts";
import type { SearchMediaState } from "@fava/wire/socket.ts";
import {
  exitFrom,
  finishPanic,
  isPanicShown,
  leavePanic,
  reasonAtFirst,
  watchPanic,
} from "#features/call/panic/panic.ts";
import { keepCall, keptCall } from "#features/call/return/kept-call.ts";
import { onCallTaken } from "#features/call/return/open-call.ts";
import { offerReturn, roomOver } from "#features/call/return/return-offer.ts";
import { FrameInspection } from "#features/call/room/frame-inspection.ts";
import { followKeptCamera } from "#features/call/room/kept-camera.ts";
import { type MediaKeys, offerKeys, showSwitches } from "#features/call/room/media-session.ts";
import { currentMatchFilters } from "#features/match/match-filters.ts";
import { onPersonHidden } from "#features/people/relations.ts";
import { onSocial, onSocialMessage, publishSessionNew, publishSocial } from "#features/people/social-messages.ts";
import type { Friend, IncomingRing } from "#features/rings/friend.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { smallRequest } from "#lib/api/request.ts";
import { t } from "#lib/i18n.ts";
import { localMedia, onLocalTrackEnded, switchCamera, switchMicrophone, watchDevices } from "#lib/media/local-media.ts";
import { closeAllOverlays } from "#lib/overlays.ts";
import { banSession, currentUser, endSession, refreshUser, session } from "#lib/session.ts";
import type { IncomingMessage, SocketEnd } from "#lib/socket/socket-client.ts";
import { keepAwake } from "#lib/wake-lock.ts";
import { showToast } from "#ui/toast-store.ts";
import { CallController } from "./call-controller.ts";
import { type CallWish, isInRoom } from "./call-state.ts";
import { callStore } from "./call-store.ts";
import { ChatSocket } from "./chat-socket.ts";
import { isAway, isHiddenPhone } from "./hidden-phone.ts";
import { areSearchChecksTold, noteSearchChecksTold, followSearchMedia } from "./search-media.ts";
import { onHoldLost, tabLock, takeHold } from "./tab-lock.ts";

type ReportNotice = Extract<Push, { code: typeof pushCodes.reportNotice }>;
type CallMessage = Extract<Push, { code: typeof pushCodes.callMessage }>;

const reportNoticeMs = 12_000;
const togetherMs = 50;
let refreshing: Promise<void> | null = null;
/** A page asks once whether there is a call to go back to. */
let isReturnAsked = false;

const socket = new ChatSocket({ ticket: ownTicket, frame: takeFrame, live: socketLive, end: socketEnded });
const controller = new CallController(socket);
const checks = new FrameInspection({ tellUnseen: tellSearchMedia });

/** Begins to search, from home or from a call. The tab that presses Start takes the call over (rule CALL-12). */
export async function startCall(wish: CallWish): Promise<void> {
  // A block that is being decided is stored first, so that the search does not bring the same person.
  if (isPanicShown()) await finishPanic();
  await takeHold();
  socket.open();
  controller.dispatch({ type: "start", wish, nowMs: Date.now() });
  if (isPanicShown()) void leavePanic();
}

/** Start was pressed, and something is waited for before the search (rule MATCH-91). */
export function expectStart(wish: CallWish): void {
  controller.expectStart(wish);
}

/** Goes on with a call that another page was in. */
async function returnTo(match: MatchedPush): Promise<void> {
  await takeHold();
  socket.open();
  const fromRing = keptCall()?.fromRing ?? false;
  controller.dispatch({ type: "return", match, wish: currentMatchFilters(), fromRing });
}

/** A friend rings who may be answered (rule RING-57). */
export function expectRing(): void {
  controller.expectRing();
}

/** Accept was pressed, and something is waited for before the ring is taken (rule RING-56). */
export function expectTake({ id }: IncomingRing): void {
  controller.expectTake(id);
}

/** Rings a friend (rule RING-40). */
export async function ringFriend(friend: Friend): Promise<void> {
  await readyToRing();
  controller.dispatch({ type: "ring", friend, wish: currentMatchFilters() });
}

/** Takes a friend's ring: what else this person was in ends by it (rule RING-43). */
export async function takeRing({ friend, id }: IncomingRing): Promise<void> {
  await readyToRing();
  controller.dispatch({ type: "ring-taken", friend, ringId: id, wish: currentMatchFilters() });
}

async function readyToRing(): Promise<void> {
  if (isPanicShown()) await finishPanic();
  await takeHold();
  socket.open();
  if (isPanicShown()) void leavePanic();
}

/** Other filters were saved during a search, which takes them as long as it goes on. */
export function changeWish(wish: CallWish): void {
  controller.dispatch({ type: "wish-changed", wish, nowMs: Date.now() });
}

export function nextCall(): void {
  controller.dispatch({ type: "next", nowMs: Date.now() });
}

export function stopCall(): void {
  controller.dispatch({ type: "stop" });
}

/** One key for all: picture and sound are gone, then the call is left, and the page asks what happened (rule SAFE-220). */
export function emergencyExit(): void {
  exitWith({ lineId: null, reason: reasonAtFirst });
}

/** The same because of a line of the partner: the report names it and says this reason. */
export function exitOverLine(lineId: string, reason: ReportReason): void {
  exitWith({ lineId, reason });
}

function exitWith({ lineId, reason }: { lineId: string | null; reason: ReportReason }): void {
  const { call: room } = callStore.getState();
  if (!isInRoom(room)) return;
  const { id: callId, remote } = room.match;
  controller.dispatch({ type: "panic" });
  closeAllOverlays();
  exitFrom({ userId: remote.user_id, nickname: remote.nickname, callId, lineId }, reason);
}

/** The remote picture was shown for the first time. */
export function remoteFrameShown(roomId: string): void {
  controller.dispatch({ type: "first-frame", roomId, nowMs: Date.now() });
}

export function sendChatMessage(text: string, id?: string): void {
  controller.say(text, id);
}

/** The person has read that pictures are looked at while they search: from now on they may be asked for (rule SAFE-244). */
export function searchChecksTold(): void {
  if (areSearchChecksTold()) return;
  noteSearchChecksTold();
  controller.allowChecks();
}

/** Switches disable the track and tell the other person; nothing is unpublished. */
export function setCamera(on: boolean): void {
  switchCamera(on);
  controller.tellOther(on ? "camera_on" : "camera_off");
}

export function setMicrophone(on: boolean): void {
  switchMicrophone(on);
  controller.tellOther(on ? "mic_on" : "mic_off");
}

export function toggleCamera(): void {
  const { media } = localMedia.getState();
  if (media.status === "live") setCamera(!media.cameraOn);
}

export function toggleMicrophone(): void {
  const { media } = localMedia.getState();
  if (media.status === "live") setMicrophone(!media.microphoneOn);
}

/** Follows the session, the devices and the page until `signal` is aborted. Called once. */
export function startCallRuntime(signal: AbortSignal): void {
  watchDevices(signal);
  const stops = [
    session.subscribe(followSession),
    onHoldLost(() => {
      socket.leavePage();
      controller.dispatch({ type: "hold-lost" });
      followSession();
    }),
    onPersonHidden((userId, hidden) => {
      controller.dispatch({ type: "meet-over", userId });
      const { call: room } = callStore.getState();
      if (!isInRoom(room) || room.match.remote.user_id !== userId) return;
      // All else that hides a person ends the call by a push, like any other end (rule PEOPLE-103).
      if (hidden.by === "me") controller.leaveBlocked(room.match.roomId, hidden.stored);
    }),
    onSocialMessage((frame) => {
      if (frame.type !== "social") return;
      const { event } = frame;
      if (event.kind === "meet" && event.state === "over")
        controller.dispatch({ type: "meet-over", userId: event.userId });
      // An answer of this person ends it by what follows.
      if (event.kind === "ring_over" && event.why !== "elsewhere")
        controller.dispatch({ type: "ring-over", ringId: event.id });
    }),
    onSocial({
      tellTyping: (externalId) => {
        if (socket.isOpen) socket.send({ type: "typing", externalId });
      },
    }),
    onCallTaken((match) => void returnTo(match)),
    checks.follow(),
    followSearchMedia(tellSearchMedia),
    onLocalTrackEnded(() => controller.dispatch({ type: "device-lost" })),
    localMedia.subscribe(({ media }) => {
      const stream = media.status === "live" && currentUser() ? media.stream : null;
      controller.followStream(stream);
      // The preview has taken the hold from another tab, and with it the chat login.
      if (stream) void openIfHeld();
      tellPreview();
    }),
  ];
  watchPanic(signal);
  followKeptCamera(signal);
  followDevice({ toggleMicrophone, toggleCamera, hangUp: stopCall, next: nextCall }, signal);
  document.addEventListener("visibilitychange", pageVisibilityChanged, { signal });
  document.addEventListener("enterpictureinpicture", tellPresence, { signal });
  document.addEventListener("leavepictureinpicture", tellPresence, { signal });
  window.addEventListener("pagehide", ({ persisted }) => leavePage(persisted), { signal });
  window.addEventListener("pageshow", () => followSession(), { signal });
  signal.addEventListener("abort", () => {
    for (const stop of stops) stop();
    controller.dispose();
    socket.close();
    tabLock.release();
  });
  followSession();
}

/** A word of ours tells the server at once that the page is gone; the browser's own comes later, or never. */
function leavePage(isKept: boolean): void {
  const { call: room } = callStore.getState();
  // A page that the browser keeps was left for another one: nobody loads it anew.
  if (isKept || room.status === "ringing") controller.dispatch({ type: "stop" });
  else if (isInRoom(room)) keepCall(room.match, room.fromRing);
  socket.leavePage();
}

/** Once, as soon as the server knows of this page. */
async function askReturn(): Promise<void> {
  if (isReturnAsked) return;
  isReturnAsked = true;
  const answer = await offerReturn();
  if (answer?.returns) await returnTo(answer.match);
  else if (answer) controller.decline();
}

function followSession(): void {
  const { status } = session.getState();
  if (status === "signed-in") return void openIfHeld();
  if (status === "signing-in" || status === "restoring") return;
  controller.dispatch({ type: "session-ended" });
  socket.close();
}

/**
 * The chat socket belongs to the tab that has the hold, and on phones to a page that is looked at. The others wait in
 * line for it, so that one of them goes on where that tab is closed (rule MSG-82).
 */
async function openIfHeld(): Promise<void> {
  if (socket.isOpen || isHiddenPhone()) return;
  if (!(await tabLock.tryTake())) {
    void askReturn();
    return tabLock.waitInLine(() => void openIfHeld());
  }
  if (currentUser() && !isHiddenPhone()) socket.open();
}

/** While the preview is up the server may have this page go to where people search (rule PEER-101). */
function tellPreview(): void {
  const isUp = localMedia.getState().media.status === "live" && callStore.getState().call.status === "idle";
  if (isUp && socket.isLive) socket.send({ type: "preview" });
}

/** Of the call that this page is in. */
function ownTicket(): string | null {
  const { call: room } = callStore.getState();
  return (isInRoom(room) && room.match.ticket) || null;
}

function tellSearchMedia(state: SearchMediaState): void {
  if (socket.isOpen) socket.send({ type: "search-media", state });
}

/** Whoever cannot see the other person has stepped away: picture and sound go on, and the other is told (rule DEVICE-11). */
function tellPresence(): void {
  controller.tellOther(isAway() ? "away" : "back");
}

/** On phones the chat login is dropped when the page is hidden and nothing goes on (rule CALL-13). */
function pageVisibilityChanged(): void {
  if (callStore.getState().call.status !== "idle") {
    tellPresence();
  } else if (isHiddenPhone()) {
    socket.close();
    // A camera that is on stays this tab's own.
    if (localMedia.getState().media.status !== "live") tabLock.release();
  } else {
    followSession();
  }
  const user = currentUser();
  if (document.hidden && user) report(user.user_id, 2);
}

function takeFrame(frame: IncomingMessage): void {
  switch (frame.type) {
    case "push":
      return takePush(frame.push);
    case "social":
    case "presence":
    case "typing":
      return publishSocial(frame);
    case "inspect":
      return checks.ask(frame);
    case "shield": {
      const { type, roomId, ...shield } = frame;
      return controller.dispatch({ type, roomId, shield, nowMs: Date.now() });
    }
    case "told":
      return controller.dispatch({ type: "told", count: frame.count });
    case "signal":
    case "chat":
    case "chat-stored":
    case "peer-media":
    case "peer-quality":
    case "error":
      return controller.takeFrame(frame);
  }
}

const leftWhy = { left: "left", restart: "left", not_joined: "not-joined", cut: "cut" } as const;

/** What each push means. */
function takePush(push: Push): void {
  switch (push.code) {
    case pushCodes.matched:
      return controller.dispatch({ type: "matched", match: push, nowMs: Date.now() });
    case pushCodes.otherLeft: {
      const why = leftWhy[push.reason];
      roomOver(push.roomId);
      if (push.unchecked) return controller.dispatch({ type: "unchecked", roomId: push.roomId, end: push.unchecked });
      return controller.dispatch({ type: "other-left", roomId: push.roomId, why, nowMs: Date.now() });
    }
    case pushCodes.systemNotice:
      return void refresh();
    case pushCodes.reportNotice:
      return tellOfReport(push);
    case pushCodes.banned: {
      const { code: _code, ...notice } = push;
      // The session's end then leaves the call and stops the own video.
      return banSession(notice, { endedCall: callStore.getState().call.status !== "idle" });
    }
    case pushCodes.callMessage:
      return takeCallMessage(push);
    case pushCodes.dataReport:
      return void refresh().then(() => {
        const user = currentUser();
        if (user) report(user.user_id, 1);
      });
  }
}

/** Push 100_004: what became of a report or a question, or a warning, which stands long enough to be read in peace. */
function tellOfReport({ outcome, reason_id }: ReportNotice): void {
  const reason = t(`reason.report.${knownReportReason(reason_id)}`);
  const asked = askOutcomes.find((one) => one === outcome);
  const text = asked ? t(`asked.answer.${asked}`) : t(`report.outcome.${outcome as ReportOutcome}`, { reason });
  showToast({ type: outcome === "warned" ? "warning" : "info", text, durationMs: reportNoticeMs });
}

/** Push 100_006: type 1 is the meter's word, type 2 the end of the call, or of a search that cannot be paid any more. */
function takeCallMessage({ type, roomId, meter, is_enough, why, unchecked, until = null }: CallMessage): void {
  if (type === 2) {
    if (why === "paused") controller.dispatch({ type: "search-closed", notice: { why, untilMs: until } });
    else if (roomId === "") controller.dispatch({ type: "search-closed" });
    else if (unchecked) controller.dispatch({ type: "unchecked", roomId, end: unchecked });
    else if (meter) controller.dispatch({ type: "ran-out", roomId, meter });
    else controller.dispatch({ type: "closed-by-server", roomId, notice: "closed" });
  } else if (meter) {
    controller.dispatch({ type: "meter", roomId, meter, isEnough: is_enough === 1, nowMs: Date.now() });
  } else if (is_enough === 0) controller.dispatch({ type: "low-beans", roomId });
}

function socketLive(resumed: boolean): void {
  tellPreview();
  if (resumed) return controller.resumed();
  controller.dispatch({ type: "chat-session-new", nowMs: Date.now() });
  void askReturn();
  // Whatever was pushed before this session began reached nobody.
  publishSessionNew();
  void refresh();
}

function socketEnded(end: SocketEnd): void {
  if (end === "kicked") endSession("kicked");
  else if (end === "signed-out") endSession("signed_out");
  else if (end === "banned") void refresh();
  else controller.dispatch({ type: "hold-lost" });
}

/** Pushes that come together, such as 100_003 and 100_007, are one look at what the server knows. */
function refresh(): Promise<void> {
  refreshing ??= new Promise((resolve) => setTimeout(resolve, togetherMs)).then(async () => {
    refreshing = null;
    try {
      await refreshUser();
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
    }
  });
  return refreshing;
}

/** Data reports are for the server's figures: one that does not arrive is not missed. */
function report(userId: number, type: 1 | 2): void {
  smallRequest(active, { user_id: userId, type }, { keepalive: true }).catch((error: unknown) => {
    if (!(error instanceof RequestFailure)) throw error;
  });
}

/** What the device does for a call: its screen stays on while somebody is there, its media keys are the call's. */
export function followDevice(keys: MediaKeys, signal: AbortSignal): void {
  let awake: AbortController | null = null;
  let shown = callStore.getState().call.status;
  const follow = () => {
    const { call } = callStore.getState();
    if (isInRoom(call) && !awake) {
      awake = new AbortController();
      keepAwake(awake.signal);
    } else if (!isInRoom(call)) {
      awake?.abort();
      awake = null;
    }
    if (call.status === shown) return;
    shown = call.status;
    offerKeys(shown, keys);
    showSwitches(localMedia.getState().media);
  };
  const stops = [
    callStore.subscribe(follow),
    localMedia.subscribe(({ media }) => callStore.getState().call.status !== "idle" && showSwitches(media)),
  ];
  signal.addEventListener("abort", () => {
    for (const stop of stops) stop();
    awake?.abort();
    offerKeys("idle", keys);
  });
}

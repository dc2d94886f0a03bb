import type { MatchFilters } from "@fava/wire/beans.ts";
import {
  connectionCheckMs,
  lowBeansNoticeMs,
  matchTimeoutMs,
  nextGuardMs,
  reconnectGiveUpMs,
  ringMs,
  slowPictureMs,
  widenOfferMs,
} from "@fava/wire/limits.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import { stopMeter } from "#features/call/meter/meter-clock.ts";
import {
  type CallEffect,
  type CallEvent,
  type CallNotice,
  type CallState,
  type CallStep,
  type CallTimer,
  clearTimer,
  type EventOf,
  type InRoom,
  isInRoom,
  type PreviousCall,
  type Ringing,
  same,
  type Searching,
  setTimer,
} from "./call-state.ts";

export const idle: CallState = { status: "idle", notice: null, attempt: 0 };

/** No video of a person is shown before it was inspected (rule SAFE-200). */
const picturesAtFirst = { shield: { other: "checking", own: "checking" }, ends: null } as const;

/** Delay before a search request that did not reach the server is retried. */
const retrySearchMs = 2_000;

type Returning = Extract<CallState, { status: "returning" }>;

/**
 * The call machine: what an event means in a state. Pure; the controller runs the effects. An event of another room
 * than the current one, or one without a meaning in this state, changes nothing.
 */
export function stepCall(state: CallState, event: CallEvent): CallStep {
  switch (event.type) {
    case "start":
      return start(state, event);
    case "wish-changed":
      return wishChanged(state, event);
    case "stop":
      return stop(state);
    case "next":
      return next(state, event);
    case "panic":
      // The local video stops before anything is sent (rule SAFE-220).
      return isInRoom(state) ? end(state, null, [{ type: "close-media" }, { type: "request-stop" }]) : same(state);
    case "ring":
      return isInRoom(state) || state.status === "returning" ? same(state) : ring(state, event);
    case "ring-begun":
      return isCurrentRing(state, event) ? ringBegun(state, event) : same(state);
    case "ring-taken":
      return ringTaken(state, event);
    case "ring-refused":
      return isCurrentRing(state, event) ? ringRefused(state, event.notice) : same(state);
    case "ring-over":
      return ringEnded(state, event);
    case "return":
      return state.status === "idle" ? comeBack(state, event) : same(state);
    case "return-refused":
      return returnRefused(state, event);
    case "search-refused":
      // The server may still be searching after a match that failed to connect; stop it, because this page shows no
      // search.
      return isCurrentSearch(state, event) ? end(state, event.notice, [{ type: "request-stop" }]) : same(state);
    case "search-failed":
      return isCurrentSearch(state, event) ? notBegun(state) : same(state);
    case "meet-over":
      return state.status === "searching" && state.wish.meet?.userId === event.userId
        ? end(state, "meet-over", [{ type: "request-stop" }])
        : same(state);
    case "matched":
      return matched(state, event);
    case "chat-session-new":
      return sessionNew(state, event.nowMs);
    case "device-lost":
      return state.status === "idle" ? same(state) : end(state, "device-lost", telling(state));
    case "lock-lost":
      return holdLost(state);
    case "session-ended":
      return end(state, null, [{ type: "close-media" }]);
    case "timer":
      return fire(state, event);
    case "search-closed":
      // The event may belong to a search that this one is replacing right now.
      return state.status === "searching"
        ? end(state, event.notice ?? "not-enough-beans", [{ type: "request-stop" }])
        : same(state);
    case "told":
      return same(state.status === "searching" ? { ...state, told: state.told + event.count } : state);
    case "other-left":
      return isReturning(state, event) ? gone(state, "gone") : ofRoom(state, event);
    case "unchecked":
      return "match" in state && state.match.roomId === event.roomId ? unchecked(state, event) : same(state);
    case "first-frame":
    case "blocked":
    case "stalled":
    case "peer":
    case "flowing":
    case "connection-checked":
    case "low-beans":
    case "meter":
    case "ran-out":
    case "closed-by-server":
    case "shield":
      return ofRoom(state, event);
  }
}

function stop(state: CallState): CallStep {
  if (state.status === "idle") return same(state);
  return end(state, null, [...telling(state), { type: "close-media-after-end" }]);
}

type RoomEvent = Exclude<Extract<CallEvent, { roomId: string }>, { type: "return-refused" | "unchecked" }>;

function ofRoom(state: CallState, event: RoomEvent): CallStep {
  return isInRoom(state) && state.match.roomId === event.roomId ? inRoom(state, event) : same(state);
}

function inRoom(state: InRoom, event: RoomEvent): CallStep {
  switch (event.type) {
    case "first-frame":
      return firstFrame(state, event);
    case "other-left":
      return otherLeft(state, event);
    case "blocked":
      // A blocked partner is not shown as the previous one.
      return state.fromRing ? end(state, null, telling(state)) : leave(state, event.nowMs);
    case "stalled":
      return stalled(state, event);
    case "peer":
      return same(state.status === "in-call" ? { ...state, peer: event.peer } : state);
    case "flowing":
      return flowing(state);
    case "connection-checked":
      return checked(state, event);
    case "low-beans":
      return runningLow(state);
    case "meter":
      return metered(state, event);
    case "ran-out":
      return ranOut(state, event);
    case "closed-by-server":
      return end(state, event.notice);
    case "shield":
      return shielded(state, event);
  }
}

function start(state: CallState, event: Pick<EventOf<"start">, "wish" | "nowMs">): CallStep {
  // From a call, a start with other filters acts as Next with them; the server handles both the same way.
  const attempt = state.attempt + 1;
  const left: CallEffect[] = isInRoom(state) ? [{ type: "close-room", roomId: state.match.roomId }] : [];
  const ended: CallEffect[] = state.status === "ringing" ? telling(state) : [];
  const begun = { wish: event.wish, attempt, sinceMs: event.nowMs, previous: null };
  return search(begun, [...leaving(state), ...ended], left);
}

/**
 * A match that was found meanwhile stays, and an ended search stays ended: the next search uses this wish.
 */
function wishChanged(state: CallState, event: EventOf<"wish-changed">): CallStep {
  if (state.status === "searching") return start(state, event);
  return same(state.status === "idle" ? state : { ...state, wish: event.wish });
}

function next(state: CallState, event: EventOf<"next">): CallStep {
  if (!isInRoom(state) || event.nowMs - state.matchedAtMs < nextGuardMs) return same(state);
  return leave(state, event.nowMs);
}

function leave(state: InRoom, nowMs: number): CallStep {
  const begun = { wish: state.wish, attempt: state.attempt + 1, sinceMs: nowMs, previous: null };
  return search(begun, leaving(state), [{ type: "close-room", roomId: state.match.roomId }]);
}

function matched(state: CallState, event: EventOf<"matched">): CallStep {
  const { match, nowMs } = event;
  // A match after the user stopped: the stop request is on its way, and the server tells the partner.
  if (state.status === "idle" || isOfSearchBefore(state, match)) return same(state);
  const isSame = "match" in state && state.match.roomId === match.roomId;
  if (isInRoom(state) && isSame)
    return generationOf(match) > generationOf(state.match) ? renewed(state, event) : same(state);
  // A replayed match of a call that this user left while the chat socket was lost.
  if (!isSame && generationOf(match) > 0) return same(state);
  // A user is in one room only: the server has ended the room that is still shown.
  const left: CallEffect[] = isInRoom(state) ? [{ type: "close-room", roomId: state.match.roomId }] : [];
  const { attempt } = state;
  const wish = anybody(state.wish);
  const connection = { count: 1, times: 1, timestampMs: nowMs };
  const begun: InRoom = {
    status: "connecting",
    wish,
    attempt,
    waited: state.status === "searching" || state.status === "ringing" ? state : null,
    match,
    matchedAtMs: nowMs,
    connection,
    fromRing: state.status === "ringing" || ("fromRing" in state && isSame && state.fromRing),
    meter: null,
    low: "no",
    ...picturesAtFirst,
  };
  const step = match.is_enough === 0 ? runningLow(begun) : same(begun);
  // Send no request between the match and its first frame.
  const soon = begun.waited ? [setTimer("slow", slowPictureMs)] : joining(match);
  return {
    state: step.state,
    effects: [
      ...leaving(state),
      ...left,
      { type: "open-room", match },
      ...soon,
      setTimer("match-timeout", matchTimeoutMs),
      setTimer("check", connectionCheckMs),
      ...step.effects,
    ],
  };
}

/**
 * A user who returns has joined before the match push; the first frame joins by the message that it plays.
 */
function joining(match: MatchedPush): CallEffect[] {
  const join: CallEffect[] = match.returned ? [] : [{ type: "join-room", match }];
  return [...join, { type: "refresh-user" }];
}

/** The first frame is late: shows whom the page connects to, and joins the room. */
function pictureSlow(state: CallState): CallStep {
  if (state.status !== "connecting" || !state.waited) return same(state);
  return { state: { ...state, waited: null }, effects: joining(state.match) };
}

/** The server returns the beans of a call that the frame checks ended. */
function otherLeft(state: InRoom, { why, nowMs }: EventOf<"other-left">): CallStep {
  const step = searchAgain(state, why, nowMs);
  return why === "cut" ? { ...step, effects: [...step.effects, { type: "refresh-user" }] } : step;
}

/** The server may have returned beans. */
function unchecked(state: InRoom | Returning, event: EventOf<"unchecked">): CallStep {
  const { nickname } = state.match.remote;
  return end(state, { why: "unchecked", nickname, end: event.end }, [{ type: "refresh-user" }]);
}

function shielded(state: InRoom, event: EventOf<"shield">): CallStep {
  const { ends, ...shield } = event.shield;
  return same({ ...state, shield, ends: ends ? { whose: ends.whose, atMs: event.nowMs + ends.in_ms } : null });
}

/** The cost of the last minute is posted by now, and no push reports it. */
function ranOut(state: InRoom, { meter }: EventOf<"ran-out">): CallStep {
  const { nickname } = state.match.remote;
  return end(state, { why: "ran-out", meter, nickname }, [{ type: "refresh-user" }]);
}

/** True raises count and times and refreshes the timestamp; anything else raises times alone (rule MATCH-5). */
function checked(state: InRoom, event: EventOf<"connection-checked">): CallStep {
  const { count, times, timestampMs } = state.connection;
  const connection = event.mine
    ? { count: count + 1, times: times + 1, timestampMs: event.nowMs }
    : { count, times: times + 1, timestampMs };
  return same({ ...state, connection });
}

function fire(state: CallState, { timer, nowMs }: EventOf<"timer">): CallStep {
  switch (timer) {
    case "match-timeout":
      return state.status === "connecting" ? searchAgain(state, "not-joined", nowMs) : same(state);
    case "slow":
      return pictureSlow(state);
    case "give-up":
      if (state.status === "returning") return gone(state, "gone");
      return state.status === "in-call" && state.media === "reconnecting"
        ? searchAgain(state, "lost", nowMs)
        : same(state);
    case "widen":
      // Wider filters cannot help a search for one specific person.
      return state.status === "searching" && !state.wish.meet ? same({ ...state, widen: true }) : same(state);
    case "ring":
      return state.status === "ringing" ? ringOver(state, telling(state)) : same(state);
    case "retry":
      return searchAnew(state);
    case "check":
      if (!isInRoom(state)) return same(state);
      return {
        state,
        effects: [{ type: "check-connection", match: state.match }, setTimer("check", connectionCheckMs)],
      };
    case "restart":
      return isInRoom(state) ? restartDue(state) : same(state);
    case "low-beans":
      return isInRoom(state) ? noticeDue(state) : same(state);
  }
}

/**
 * Searches again by itself: the partner left, never came, or could not be reached (rule MATCH-3). Not after a call with
 * a friend, which was not part of a search.
 */
function searchAgain(state: InRoom, why: PreviousCall["why"], nowMs: number): CallStep {
  if (state.fromRing) {
    const { nickname } = state.match.remote;
    // The server still has a room that this page gave up by itself.
    const told = why === "left" || why === "cut" ? [] : telling(state);
    return end(state, { why: "friend-left", nickname }, [...told, { type: "close-media-after-end" }]);
  }
  const seconds = state.status === "in-call" ? Math.max(0, Math.floor((nowMs - state.startedAtMs) / 1_000)) : null;
  const previous: PreviousCall = { match: state.match, seconds, why };
  const begun = { wish: state.wish, attempt: state.attempt + 1, sinceMs: nowMs, previous };
  return search(begun, leaving(state), [{ type: "close-room", roomId: state.match.roomId }]);
}

/** The search did not start, so it shows nothing about who is online: offers no wider filters. */
function notBegun(state: Searching): CallStep {
  return { state: { ...state, widen: false }, effects: [clearTimer("widen"), setTimer("retry", retrySearchMs)] };
}

/** Repeats the search that is shown, because the server did not receive it or has lost it. */
function searchAnew(state: CallState): CallStep {
  if (state.status !== "searching") return same(state);
  const attempt = state.attempt + 1;
  return {
    state: { ...state, attempt, widen: false },
    effects: [{ type: "request-match", wish: state.wish, attempt }, setTimer("widen", widenOfferMs)],
  };
}

/** `before` and `after`: what ends, before and after the request for the new search leaves. */
function search(
  begun: Omit<Searching, "status" | "widen" | "told">,
  before: readonly CallEffect[],
  after: readonly CallEffect[],
): CallStep {
  return {
    state: { status: "searching", widen: false, told: 0, ...begun },
    effects: [
      ...before,
      { type: "request-match", wish: begun.wish, attempt: begun.attempt },
      ...after,
      setTimer("widen", widenOfferMs),
    ],
  };
}

function end(state: CallState, notice: CallNotice | null, effects: readonly CallEffect[] = []): CallStep {
  const room: CallEffect[] = isInRoom(state) ? [{ type: "close-room", roomId: state.match.roomId }] : [];
  return {
    state: { status: "idle", notice, attempt: state.attempt },
    effects: [...leaving(state), ...room, ...effects],
  };
}

const timersOf: Readonly<Record<CallState["status"], readonly CallTimer[]>> = {
  idle: [],
  searching: ["widen", "retry"],
  ringing: ["ring"],
  returning: ["give-up"],
  connecting: ["match-timeout", "slow", "check", "low-beans"],
  "in-call": ["check", "restart", "give-up", "low-beans"],
};

/** Cancels what the state that is being left owns. */
function leaving(state: CallState): CallEffect[] {
  return [...timersOf[state.status].map(clearTimer), ...hiddenNotice(state)];
}

/** The wish after a call with one specific person: a search for anybody. */
function anybody({ sex, country }: MatchFilters): MatchFilters {
  return { sex, country };
}

/** The request that tells the server of an end that it does not know of. */
function telling(state: CallState): CallEffect[] {
  return isRingOfOwn(state) ? [{ type: "cancel-ring", leaves: true }] : [{ type: "request-stop" }];
}

function holdLost(state: CallState): CallStep {
  // A tab that only showed a preview interrupted nothing, but its camera now belongs to the other tab.
  const notice = state.status === "idle" ? state.notice : "other-tab";
  // This tab must not stop what the other tab starts.
  const told: CallEffect[] = isRingOfOwn(state) ? [{ type: "cancel-ring", leaves: false }] : [];
  return end(state, notice, [...told, { type: "close-media" }]);
}

function isRingOfOwn(state: CallState): boolean {
  return state.status === "ringing" && state.way === "out";
}

/** Ends the user's own search. */
function ring(state: CallState, { friend, wish }: EventOf<"ring">): CallStep {
  const attempt = state.attempt + 1;
  const told: CallEffect[] = state.status === "idle" ? [] : telling(state);
  return {
    state: { status: "ringing", wish, attempt, friend, way: "out", ringId: null },
    effects: [...leaving(state), ...told, { type: "request-ring", friend, attempt }, setTimer("ring", ringMs)],
  };
}

function ringBegun(state: Ringing, { ringId, leftMs }: EventOf<"ring-begun">): CallStep {
  return { state: { ...state, ringId }, effects: [setTimer("ring", leftMs)] };
}

/** If the ring can still be accepted, the server ends the user's search or call. */
function ringTaken(state: CallState, { friend, ringId, wish }: EventOf<"ring-taken">): CallStep {
  const attempt = state.attempt + 1;
  const left: CallEffect[] = isInRoom(state) ? [{ type: "close-room", roomId: state.match.roomId }] : [];
  const cancelled: CallEffect[] = state.status === "ringing" ? telling(state) : [];
  return {
    state: { status: "ringing", wish, attempt, friend, way: "in", ringId },
    effects: [
      ...leaving(state),
      ...left,
      ...cancelled,
      { type: "accept-ring", friend, ringId, attempt },
      setTimer("ring", matchTimeoutMs),
    ],
  };
}

function ringEnded(state: CallState, { ringId }: EventOf<"ring-over">): CallStep {
  return state.status === "ringing" && state.ringId === ringId ? ringOver(state, notTaken(state)) : same(state);
}

function ringRefused(state: Ringing, notice: CallNotice | null): CallStep {
  return end(state, notice, [...notTaken(state), { type: "close-media-after-end" }]);
}

/**
 * Accepting a ring ends the earlier search or call on the server. A ring that was over by then did not, so this ends
 * it.
 */
function notTaken(state: Ringing): CallEffect[] {
  return state.way === "in" ? telling(state) : [];
}

/** Nobody answered, and the reason stays private; or the caller is gone. */
function ringOver(state: Ringing, told: readonly CallEffect[]): CallStep {
  const { friend, way } = state;
  const notice: CallNotice = way === "out" ? { why: "not-taken", friend } : { why: "gone", nickname: friend.nickname };
  return end(state, notice, [...told, { type: "close-media-after-end" }]);
}

/** A match of the search that was stopped just before the user rang a friend: the server tells that partner. */
function isOfSearchBefore(state: CallState, { remote }: MatchedPush): boolean {
  return state.status === "ringing" && state.friend.userId !== remote.user_id;
}

function isCurrentRing(state: CallState, event: { attempt: number }): state is Ringing {
  return state.status === "ringing" && state.attempt === event.attempt;
}

/** Asks to return; the timer is the server's own limit. The room opens with the match push. */
function comeBack({ attempt }: CallState, { match, wish, fromRing }: EventOf<"return">): CallStep {
  return {
    state: { status: "returning", wish, attempt, match, fromRing },
    effects: [{ type: "request-return", match }, setTimer("give-up", reconnectGiveUpMs)],
  };
}

function returnRefused(state: CallState, event: EventOf<"return-refused">): CallStep {
  if (isReturning(state, event)) return gone(state, event.notice);
  const isInCall = state.status === "in-call" && state.match.roomId === event.roomId;
  return isInCall ? searchAgain(state, "lost", event.nowMs) : same(state);
}

/**
 * A server has crashed. A call continues on another server: the page asks for it while the peer connection stays up.
 * Pictures count as unchecked until the new server reports on them (rule CALL-134).
 */
function sessionNew(state: CallState, nowMs: number): CallStep {
  if (state.status !== "in-call") return isInRoom(state) ? searchAgain(state, "lost", nowMs) : searchAnew(state);
  const meter = state.meter && stopMeter(state.meter, nowMs);
  return {
    state: { ...state, meter, ...picturesAtFirst },
    effects: [{ type: "request-return", match: state.match }],
  };
}

function gone(state: Returning, notice: "gone" | "closed"): CallStep {
  return end(state, notice === "gone" ? { why: "gone", nickname: state.match.remote.nickname } : notice);
}

function isReturning(state: CallState, { roomId }: { roomId: string }): state is Returning {
  return state.status === "returning" && state.match.roomId === roomId;
}

function generationOf({ returned }: MatchedPush): number {
  return returned?.generation ?? 0;
}

function isCurrentSearch(state: CallState, event: { attempt: number }): state is Searching {
  return state.status === "searching" && state.attempt === event.attempt;
}

/* What the call machine does about the beans of a call: its meter, and the notice that they run low. Pure. */

/**
 * Shows the notice `lowBeansNoticeMs` after the first low-beans event; a second event does not delay it.
 */
function runningLow(state: InRoom): CallStep {
  if (state.low !== "no") return same(state);
  return { state: { ...state, low: "soon" }, effects: [setTimer("low-beans", lowBeansNoticeMs)] };
}

/** The server's meter replaces the earlier one. */
function metered(state: InRoom, { meter, isEnough, nowMs }: EventOf<"meter">): CallStep {
  const told: InRoom = { ...state, meter: { meter, atMs: nowMs } };
  if (!isEnough) return runningLow(told);
  // Topped up: the notice and the countdown go at once.
  const effects: CallEffect[] = state.low === "no" ? [] : [clearTimer("low-beans"), ...hiddenNotice(state)];
  return { state: { ...told, low: "no" }, effects };
}

/** More beans do not help against the user's spending cap: only the countdown is shown then. */
function noticeDue(state: InRoom): CallStep {
  if (state.low !== "soon") return same(state);
  const isCapped = state.meter?.meter.limit === "cap";
  return { state: { ...state, low: "told" }, effects: isCapped ? [] : [{ type: "show-low-beans" }] };
}

/** The notice belongs to its call: hides it when the call is left. */
function hiddenNotice(state: CallState): CallEffect[] {
  return isInRoom(state) && state.low === "told" ? [{ type: "hide-low-beans" }] : [];
}

/* What the call machine does as the other's picture begins, stands still and flows again. Pure. */

/** Interval of ICE restarts while no media arrives: the first restart may fail with the same outage. */
const restartAgainMs = 3_000;

/** The first frame starts the call. */
function firstFrame(state: InRoom, event: EventOf<"first-frame">): CallStep {
  const { returned } = state.match;
  // The first frame of a new connection in a continued call.
  if (state.status !== "connecting") return returned ? flowing(state) : same(state);
  const startedAtMs = returned ? state.matchedAtMs - returned.live_ms : event.nowMs;
  const { waited, ...room } = state;
  const late: CallEffect[] = waited ? [clearTimer("slow"), { type: "refresh-user" }] : [];
  return {
    state: { ...room, status: "in-call", startedAtMs, media: "playing", peer: "here" },
    effects: [clearTimer("match-timeout"), { type: "tell-media", match: state.match, state: "playing" }, ...late],
  };
}

/** No media arrives: tells the server, shows reconnecting, and stops the meter before the server does. */
function stalled(state: InRoom, { nowMs }: EventOf<"stalled">): CallStep {
  if (state.status !== "in-call" || state.media === "reconnecting") return same(state);
  return {
    state: { ...state, media: "reconnecting", meter: state.meter && stopMeter(state.meter, nowMs) },
    effects: [
      { type: "tell-media", match: state.match, state: "stalled" },
      { type: "restart-media" },
      setTimer("restart", restartAgainMs),
      setTimer("give-up", reconnectGiveUpMs),
    ],
  };
}

/** The same room with a new generation, because a page returned: a new connection, and unchecked video. */
function renewed(before: InRoom, { match, nowMs }: EventOf<"matched">): CallStep {
  const open = { type: "open-room", match } as const;
  if (before.status === "connecting") return { state: { ...before, match }, effects: [open] };
  const state: InRoom = {
    ...before,
    match,
    media: "reconnecting",
    peer: "here",
    meter: before.meter && stopMeter(before.meter, nowMs),
    shield: { own: before.shield.own, other: "checking" },
    ends: null,
  };
  return {
    state,
    effects: [
      open,
      { type: "tell-media", match, state: "stalled" },
      setTimer("restart", restartAgainMs),
      setTimer("give-up", reconnectGiveUpMs),
    ],
  };
}

function restartDue(state: InRoom): CallStep {
  if (state.status !== "in-call" || state.media !== "reconnecting") return same(state);
  return { state, effects: [{ type: "restart-media" }, setTimer("restart", restartAgainMs)] };
}

function flowing(state: InRoom): CallStep {
  if (state.status !== "in-call" || state.media === "playing") return same(state);
  return {
    state: { ...state, media: "playing" },
    effects: [
      clearTimer("restart"),
      clearTimer("give-up"),
      { type: "tell-media", match: state.match, state: "playing" },
    ],
  };
}

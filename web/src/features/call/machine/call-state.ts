import type { MatchFilters } from "@fava/wire/beans.ts";
import type { Meter } from "@fava/wire/meter.ts";
import type { MatchedPush, UncheckedCause } from "@fava/wire/pushes.ts";
import type { Shield } from "@fava/wire/socket.ts";
import type { TimedMeter } from "#features/call/meter/meter-clock.ts";
import type { MeetPerson } from "#features/people/rematch.ts";
import type { Friend } from "#features/rings/friend.ts";

/** Whom a search is for: anybody who matches the filters, or the one person of `meet`. */
export interface CallWish extends MatchFilters {
  readonly meet?: MeetPerson;
}

/**
 * `currentConnection` of the specification: how often the page checked the room, and how often it was still the user's.
 */
interface CurrentConnection {
  count: number;
  times: number;
  timestampMs: number;
}

/** The previous partner, shown during the next search. */
export interface PreviousCall {
  match: MatchedPush;
  /** How long the call lasted; null if no video was shown. */
  seconds: number | null;
  /** `cut`: the frame checks ended the call because of the partner. */
  why: "left" | "not-joined" | "lost" | "cut";
}

/** Why a search or a call ended without the user ending it. */
export type CallNotice =
  | "no-profiles"
  | "not-enough-beans"
  | "profile-incomplete"
  /** The user needs an age check first. */
  | "age-check"
  | "device-lost"
  | "other-tab"
  | "closed"
  /** The server refuses the country of the filter, because it is excluded or no longer offered. */
  | "country-refused"
  /** The person of `meet` can no longer be met. */
  | "meet-over"
  | RanOut
  | Unchecked
  | Paused
  | Gone
  | NotTaken
  | FriendLeft;

/** Beans or the spending cap ended the call: its last meter, and the partner. */
interface RanOut {
  why: "ran-out";
  meter: Meter;
  nickname: string;
}

/** Why a call ended for want of frames, and the beans that this user got back. */
export interface UncheckedEnd {
  whose: "own" | "other";
  cause: UncheckedCause;
  returned: number;
}

interface Unchecked {
  why: "unchecked";
  nickname: string;
  end: UncheckedEnd;
}

/** Moderation paused matching until a person has reviewed the reports; `untilMs` since the epoch, null: no limit. */
interface Paused {
  why: "paused";
  untilMs: number | null;
}

/** The call to which the user wanted to return is over. */
interface Gone {
  why: "gone";
  nickname: string;
}

/** The friend did not answer, for whatever reason. */
interface NotTaken {
  why: "not-taken";
  friend: Friend;
}

/** The call with a friend is over; no search follows. */
interface FriendLeft {
  why: "friend-left";
  nickname: string;
}

/** The beans of a paid call. */
interface CallBeans {
  /** Null until the server has reported it, and in a free call. */
  meter: TimedMeter | null;
  /** Whether the next minute is not covered: `soon` until the notice is due, `told` from then on. */
  low: "no" | "soon" | "told";
}

/** What the frame checks let each side see; remote video counts as unchecked until the server reports on it. */
interface CallPictures {
  shield: Omit<Shield, "ends">;
  /** Whose missing frames end the call, and when, in milliseconds since the epoch; null: the call does not end. */
  ends: { whose: "own" | "other"; atMs: number } | null;
}

/**
 * The call machine. Each state carries exactly its own data:
 *
 * idle (0): no search or call. `notice` is why the last search ended by itself, until the next start. `attempt` keeps
 *   counting.
 * searching (1): the server looks for a partner. `attempt` numbers the requests of this page, so that a late response
 *   to an older request changes nothing. `widen`: no partner for 10 s. `previous`: the last partner. `told`: how many
 *   users who asked for notifications were told of this search.
 * ringing (0): the user rings a friend, or has accepted a friend's ring. `attempt` numbers rings as it does searches.
 *   Ends by the match push, by the event that the ring is over, or by its timeout.
 * returning (2): the page that was in the call is gone, and this page asks the server to continue it. Ends by a new
 *   match push, or by the event that the call is over.
 * connecting (2): a partner was found; the peer connection is being set up. Ends by the first frame, the match timeout
 *   of 10 s, or either user leaving. `waited` is the search or ring that stays on the screen meanwhile; null once the
 *   first frame is late, and where neither was shown: the screen then names the partner.
 * in-call (3): both see each other. `media` is `reconnecting` while no media arrives; after 12 s the call is given up.
 *   `peer` is `lost` while the partner's socket or page is away and may return.
 */
export type CallState =
  | { status: "idle"; notice: CallNotice | null; attempt: number }
  | Searching
  | Ringing
  | { status: "returning"; wish: CallWish; attempt: number; match: MatchedPush; fromRing: boolean }
  | ({
      status: "connecting";
      wish: CallWish;
      attempt: number;
      waited: Searching | Ringing | null;
      match: MatchedPush;
      matchedAtMs: number;
      connection: CurrentConnection;
      /** The call came from a ring, of either side. */
      fromRing: boolean;
    } & CallBeans &
      CallPictures)
  | ({
      status: "in-call";
      wish: CallWish;
      attempt: number;
      match: MatchedPush;
      matchedAtMs: number;
      startedAtMs: number;
      connection: CurrentConnection;
      media: "playing" | "reconnecting";
      peer: "here" | "lost";
      fromRing: boolean;
    } & CallBeans &
      CallPictures);

export interface Searching {
  status: "searching";
  wish: CallWish;
  attempt: number;
  sinceMs: number;
  widen: boolean;
  told: number;
  previous: PreviousCall | null;
}

export interface Ringing {
  status: "ringing";
  wish: CallWish;
  attempt: number;
  friend: Friend;
  /** `out`: the user rings. `in`: the user has accepted, and the server creates the call. */
  way: "out" | "in";
  /** The server's id of the ring; null until the response. */
  ringId: string | null;
}

export type InRoom = Extract<CallState, { status: "connecting" | "in-call" }>;

/** The number of the state in the specification (rule MATCH-1). */
export function matchNumber(state: CallState): 0 | 1 | 2 | 3 {
  const numbers = { idle: 0, ringing: 0, searching: 1, returning: 2, connecting: 2, "in-call": 3 } as const;
  return numbers[state.status];
}

/** The search or ring that the screen shows, also until the first frame of the match. */
export function waitShown(state: CallState): Searching | Ringing | null {
  if (state.status === "searching" || state.status === "ringing") return state;
  return state.status === "connecting" ? state.waited : null;
}

export function searchShown(state: CallState): Searching | null {
  const wait = waitShown(state);
  return wait?.status === "searching" ? wait : null;
}

export function isInRoom(state: CallState): state is InRoom {
  return state.status === "connecting" || state.status === "in-call";
}

/** Whether the page searches for this person, or is in a room with them. */
export function isMeeting(state: CallState, userId: number): boolean {
  if (isInRoom(state)) return state.match.remote.user_id === userId;
  return state.status === "searching" && state.wish.meet?.userId === userId;
}

export type CallEvent =
  | { type: "start"; wish: CallWish; nowMs: number }
  /** Filters were saved during a search, which may be over by now. */
  | { type: "wish-changed"; wish: CallWish; nowMs: number }
  | { type: "stop" }
  /** Return to the call of an earlier page. */
  | { type: "return"; match: MatchedPush; wish: CallWish; fromRing: boolean }
  | { type: "return-refused"; roomId: string; notice: "gone" | "closed"; nowMs: number }
  | { type: "next"; nowMs: number }
  | { type: "ring"; friend: Friend; wish: CallWish }
  /** The server rings the friend; `leftMs` is the remaining time of the ring. */
  | { type: "ring-begun"; attempt: number; ringId: string; leftMs: number }
  /** The user accepted a friend's ring. */
  | { type: "ring-taken"; friend: Friend; ringId: string; wish: CallWish }
  /** The server does not ring, or has no such ring; `notice` null: the request failed, and the user was told. */
  | { type: "ring-refused"; attempt: number; notice: CallNotice | null }
  /** The server reports that a ring is over. */
  | { type: "ring-over"; ringId: string }
  /** The response to a search request of this page. */
  | { type: "search-refused"; attempt: number; notice: CallNotice }
  | { type: "search-failed"; attempt: number }
  /** The person of `meet` is no longer online, or can no longer be met. */
  | { type: "meet-over"; userId: number }
  | { type: "matched"; match: MatchedPush; nowMs: number }
  | { type: "first-frame"; roomId: string; nowMs: number }
  | { type: "other-left"; roomId: string; why: "left" | "not-joined" | "cut"; nowMs: number }
  /** What the screen may show of the two videos from now on. */
  | { type: "shield"; roomId: string; shield: Shield; nowMs: number }
  /** The emergency exit: leaves at once, whatever is open. */
  | { type: "panic" }
  /** The user has blocked the partner. */
  | { type: "blocked"; roomId: string; nowMs: number }
  | { type: "stalled"; roomId: string; nowMs: number }
  | { type: "peer"; roomId: string; peer: "here" | "lost" }
  | { type: "flowing"; roomId: string }
  | { type: "connection-checked"; roomId: string; mine: boolean; nowMs: number }
  | { type: "low-beans"; roomId: string }
  /** Push 100_006 type 1: the server's meter replaces the page's own estimate. */
  | { type: "meter"; roomId: string; meter: Meter; isEnough: boolean; nowMs: number }
  /** Push 100_006 type 2 of a paid call: beans or spending cap are used up. */
  | { type: "ran-out"; roomId: string; meter: Meter }
  /** `count` more users, who asked for notifications, were told of this search. */
  | { type: "told"; count: number }
  /**
   * Push 100_006 type 2 without a room: the search ends, because the user can no longer pay for its filters, or for
   * `notice`.
   */
  | { type: "search-closed"; notice?: Paused | "age-check" }
  /** Push 100_006 type 2: calls are no longer possible. */
  | { type: "closed-by-server"; roomId: string; notice: "closed" }
  /** The server ended the call for want of frames of either side. */
  | { type: "unchecked"; roomId: string; end: UncheckedEnd }
  | { type: "device-lost" }
  | { type: "lock-lost" }
  /** Signed out, kicked out or banned: the page may send nothing. */
  | { type: "session-ended" }
  /** The chat session could not be resumed: its undelivered messages are lost. */
  | { type: "chat-session-new"; nowMs: number }
  | { type: "timer"; timer: CallTimer; nowMs: number };

export type EventOf<Type extends CallEvent["type"]> = Extract<CallEvent, { type: Type }>;

/** Each timer fires once; setting it again restarts it. */
export type CallTimer =
  | "match-timeout"
  | "slow"
  | "widen"
  | "check"
  | "give-up"
  | "restart"
  | "retry"
  | "low-beans"
  | "ring";

export type CallEffect =
  | { type: "request-match"; wish: CallWish; attempt: number }
  | { type: "request-stop" }
  | { type: "request-return"; match: MatchedPush }
  | { type: "request-ring"; friend: Friend; attempt: number }
  | { type: "accept-ring"; friend: Friend; ringId: string; attempt: number }
  /** Cancels the latest ring; `leaves`: also leaves the call that it may have become. */
  | { type: "cancel-ring"; leaves: boolean }
  | { type: "open-room"; match: MatchedPush }
  /** Tells the server that the user is in the room, and loads what the server has changed of the user meanwhile. */
  | { type: "join-room"; match: MatchedPush }
  | { type: "close-room"; roomId: string }
  | { type: "tell-media"; match: MatchedPush; state: "playing" | "stalled" }
  | { type: "restart-media" }
  | { type: "check-connection"; match: MatchedPush }
  | { type: "refresh-user" }
  | { type: "close-media" }
  /** After the user's own End: closes the media, or keeps it for the time that the user set. */
  | { type: "close-media-after-end" }
  | { type: "show-low-beans" }
  | { type: "hide-low-beans" }
  | { type: "set-timer"; timer: CallTimer; delayMs: number }
  | { type: "clear-timer"; timer: CallTimer };

export interface CallStep {
  state: CallState;
  effects: readonly CallEffect[];
}

/** A step without effects. */
export function same(state: CallState): CallStep {
  return { state, effects: [] };
}

export function setTimer(timer: CallTimer, delayMs: number): CallEffect {
  return { type: "set-timer", timer, delayMs };
}

export function clearTimer(timer: CallTimer): CallEffect {
  return { type: "clear-timer", timer };
}

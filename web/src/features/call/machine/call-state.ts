import type { MatchFilters } from "@fava/wire/beans.ts";
import type { Meter } from "@fava/wire/meter.ts";
import type { MatchedPush, UncheckedCause } from "@fava/wire/pushes.ts";
import type { Shield } from "@fava/wire/socket.ts";
import type { MeterWord } from "#features/call/meter/meter-clock.ts";
import type { MeetPerson } from "#features/people/rematch.ts";
import type { Friend } from "#features/rings/friend.ts";

/** Whom a search is for: anybody whom the filters let through, or the one person of `meet`. */
export interface CallWish extends MatchFilters {
  readonly meet?: MeetPerson;
}

/** `currentConnection` of the specification: how often the room was asked for, and how often it was still mine. */
interface CurrentConnection {
  count: number;
  times: number;
  timestampMs: number;
}

/** The person who was here before: shown while the search goes on. */
export interface PreviousCall {
  match: MatchedPush;
  /** How long the two were together; null when they never saw each other. */
  seconds: number | null;
  /** `cut`: our checks ended it, because of the other person. */
  why: "left" | "not-joined" | "lost" | "cut";
}

/** Why a search or a call ended without the person wanting it to. */
export type CallNotice =
  | "no-profiles"
  | "not-enough-beans"
  | "profile-incomplete"
  | "device-lost"
  | "other-tab"
  | "closed"
  /** The country of the filter cannot be searched in: it is left out, or not offered any more. */
  | "country-refused"
  /** The person of `meet` cannot be met again any more. */
  | "meet-over"
  | RanOut
  | Unchecked
  | Paused
  | Gone
  | NotTaken
  | FriendLeft;

/** Beans or spending cap ended the call: the last word of the meter, and with whom it was. */
interface RanOut {
  why: "ran-out";
  meter: Meter;
  nickname: string;
}

/** Why a call ended for want of frames, and the beans that came back to this person. */
export interface UncheckedEnd {
  whose: "own" | "other";
  cause: UncheckedCause;
  returned: number;
}

/** The server ended the call for want of frames. */
interface Unchecked {
  why: "unchecked";
  nickname: string;
  end: UncheckedEnd;
}

/** Nobody is met before a person has looked at what was reported; milliseconds since the epoch, null: no latest end. */
interface Paused {
  why: "paused";
  untilMs: number | null;
}

/** There is no call any more to which this person could have come back. */
interface Gone {
  why: "gone";
  nickname: string;
}

/** The friend who was rung did not come, for whatever reason. */
interface NotTaken {
  why: "not-taken";
  friend: Friend;
}

/** The call with a friend is over; nobody asked for a search after it. */
interface FriendLeft {
  why: "friend-left";
  nickname: string;
}

/** What a paid call knows of its beans. */
interface CallBeans {
  /** Null until the server has said something, and in a call that costs nothing. */
  meter: MeterWord | null;
  /** The next minute is not covered: `soon` until the notice falls due, `told` from then on. */
  low: "no" | "soon" | "told";
}

/** What our checks let either side see; the remote picture counts as unchecked until the server says otherwise. */
interface CallPictures {
  shield: Omit<Shield, "ends">;
  /** Whose missing frames end the call, and when, in milliseconds since the epoch; null: the call does not end. */
  ends: { whose: "own" | "other"; atMs: number } | null;
}

/**
 * What happens around a call, told in states that carry exactly their own data:
 *
 * idle (0): nothing. `notice` says why the last search ended by itself, until the next start. `attempt` goes on counting.
 * searching (1): the server looks for somebody. `attempt` numbers the requests of this page, so that a late answer of an
 *   older one changes nothing. `widen`: nobody came for 10 s. `previous`: who was here a moment ago. `told`: how many who
 *   asked for it were told that somebody waits.
 * ringing (0): a friend is rung, or this person has taken a friend's ring. `attempt` numbers it as it does searches. Ends by
 *   the push that tells of the room, by the word that it is over, or when the time of a ring is.
 * returning (2): the page of an earlier call is gone, and this one asks the server to go on with it. Ends by the push that
 *   tells of the room once more, or by the word that it is over.
 * connecting (2): somebody was found; the connection is being made. Ends by the first frame, the 10 s matching time-out,
 *   or either person leaving. `waited` is what stays on the screen meanwhile, a search or a ring; null once the picture is
 *   slow to come, and where neither was shown: then it is said whom this person is being connected to.
 * in-call (3): both see each other. `media` is `reconnecting` while nothing arrives; 12 s of it give the call up. The
 *   `peer` is `lost` while the other's socket or page is away, and may come back.
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
      /** With a friend who was rung, or has rung. */
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
  /** `out`: this person rings. `in`: this person has accepted, and the server makes the call. */
  way: "out" | "in";
  /** The server's name of the ring; null until it has answered. */
  ringId: string | null;
}

export type InRoom = Extract<CallState, { status: "connecting" | "in-call" }>;

/** The number of the state in the specification (rule MATCH-1). */
export function matchNumber(state: CallState): 0 | 1 | 2 | 3 {
  const numbers = { idle: 0, ringing: 0, searching: 1, returning: 2, connecting: 2, "in-call": 3 } as const;
  return numbers[state.status];
}

/** The search or ring that the screen shows: also while the picture of whoever was found is about to come. */
export function waitShown(state: CallState): Searching | Ringing | null {
  if (state.status === "searching" || state.status === "ringing") return state;
  return state.status === "connecting" ? state.waited : null;
}

/** The same where it is a search. */
export function searchShown(state: CallState): Searching | null {
  const wait = waitShown(state);
  return wait?.status === "searching" ? wait : null;
}

export function isInRoom(state: CallState): state is InRoom {
  return state.status === "connecting" || state.status === "in-call";
}

/** Whether the page waits for this one person, or is with them. */
export function isMeeting(state: CallState, userId: number): boolean {
  if (isInRoom(state)) return state.match.remote.user_id === userId;
  return state.status === "searching" && state.wish.meet?.userId === userId;
}

export type CallEvent =
  | { type: "start"; wish: CallWish; nowMs: number }
  /** Other filters were saved during a search, which may be over by now. */
  | { type: "wish-changed"; wish: CallWish; nowMs: number }
  | { type: "stop" }
  /** Back to the call of a page that is gone. */
  | { type: "return"; match: MatchedPush; wish: CallWish; fromRing: boolean }
  | { type: "return-refused"; roomId: string; notice: "gone" | "closed"; nowMs: number }
  | { type: "next"; nowMs: number }
  /** A friend is to be rung. */
  | { type: "ring"; friend: Friend; wish: CallWish }
  /** The server rings the friend under this name, for so much longer. */
  | { type: "ring-begun"; attempt: number; ringId: string; leftMs: number }
  /** A friend's ring is taken. */
  | { type: "ring-taken"; friend: Friend; ringId: string; wish: CallWish }
  /** The server rings nobody, or has no such ring (any more); null: it did not answer, which the person was told. */
  | { type: "ring-refused"; attempt: number; notice: CallNotice | null }
  /** The server's word that a ring is over. */
  | { type: "ring-over"; ringId: string }
  /** The server's answer to a request of this page. */
  | { type: "search-refused"; attempt: number; notice: CallNotice }
  | { type: "search-failed"; attempt: number }
  /** The person of `meet` is not there any more, or cannot be met again. */
  | { type: "meet-over"; userId: number }
  | { type: "matched"; match: MatchedPush; nowMs: number }
  | { type: "first-frame"; roomId: string; nowMs: number }
  | { type: "other-left"; roomId: string; why: "left" | "not-joined" | "cut"; nowMs: number }
  /** What is to be shown of the two pictures from now on. */
  | { type: "shield"; roomId: string; shield: Shield; nowMs: number }
  /** One key for all: out at once, whatever is open. */
  | { type: "panic" }
  /** This person has blocked the other. */
  | { type: "blocked"; roomId: string; nowMs: number }
  | { type: "stalled"; roomId: string; nowMs: number }
  | { type: "peer"; roomId: string; peer: "here" | "lost" }
  | { type: "flowing"; roomId: string }
  | { type: "connection-checked"; roomId: string; mine: boolean; nowMs: number }
  | { type: "low-beans"; roomId: string }
  /** Push 100_006 type 1: the server's word on the meter replaces what was counted here. */
  | { type: "meter"; roomId: string; meter: Meter; isEnough: boolean; nowMs: number }
  /** Push 100_006 type 2 of a paid call: beans or spending cap are used up. */
  | { type: "ran-out"; roomId: string; meter: Meter }
  /** So many more people, who asked for it, were told that this one waits. */
  | { type: "told"; count: number }
  /** Push 100_006 type 2 without a room: the filters of this search cannot be paid any more. */
  /** For want of beans, unless it says otherwise. */
  | { type: "search-closed"; notice?: Paused }
  /** Push 100_006 type 2: chatting is no longer possible. */
  | { type: "closed-by-server"; roomId: string; notice: "closed" }
  /** The server has ended the call for want of frames of either side. */
  | { type: "unchecked"; roomId: string; end: UncheckedEnd }
  | { type: "device-lost" }
  | { type: "hold-lost" }
  /** Signed out, kicked out or banned: nothing may be sent any more. */
  | { type: "session-ended" }
  /** A chat session that could not be resumed: what it had not delivered is gone. */
  | { type: "chat-session-new"; nowMs: number }
  | { type: "timer"; timer: CallTimer; nowMs: number };

export type EventOf<Type extends CallEvent["type"]> = Extract<CallEvent, { type: Type }>;

/** Each runs once; setting one again begins it anew. */
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
  /** Of the ring that was asked for last; `leaves`: and the call that it may have become. */
  | { type: "cancel-ring"; leaves: boolean }
  | { type: "open-room"; match: MatchedPush }
  /** Tells the server that this person is there, and asks what it has changed of them meanwhile. */
  | { type: "join-room"; match: MatchedPush }
  | { type: "close-room"; roomId: string }
  | { type: "tell-media"; match: MatchedPush; state: "playing" | "stalled" }
  | { type: "restart-media" }
  | { type: "check-connection"; match: MatchedPush }
  | { type: "refresh-user" }
  | { type: "close-media" }
  /** After the person's own End: closed, or kept for a moment by whoever wants that. */
  | { type: "close-media-after-end" }
  | { type: "show-low-beans" }
  | { type: "hide-low-beans" }
  | { type: "set-timer"; timer: CallTimer; delayMs: number }
  | { type: "clear-timer"; timer: CallTimer };

export interface CallStep {
  state: CallState;
  effects: readonly CallEffect[];
}

/** The step of an event that means nothing in a state, or only changes what it knows. */
export function same(state: CallState): CallStep {
  return { state, effects: [] };
}

export function setTimer(timer: CallTimer, delayMs: number): CallEffect {
  return { type: "set-timer", timer, delayMs };
}

export function clearTimer(timer: CallTimer): CallEffect {
  return { type: "clear-timer", timer };
}

import type { Code, SessionEndReason } from "@fava/wire/codes.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import type { Presence } from "@fava/wire/people.ts";
import type { Push } from "@fava/wire/pushes.ts";
import type { SearchMediaState } from "@fava/wire/socket.ts";
import type { ChatMessage, KeptMessage, PassingMessage } from "./bus.ts";
import type { UnwrittenCall } from "./directory.ts";
import type { SignedInContext } from "./handlers.ts";
import type { RoomMessage } from "./hub-listener.ts";
import type { EvidenceQuery } from "./moderation.ts";
import type { FoundPair, PoolSearch, SearchRef, WaitOf, WaitEstimate } from "./match-pool.ts";
import type { Epoch, ProcessId } from "./room-claims.ts";

/** Timeout of a request to another server. Counts only time in which this process runs. */
export const peerAnswerMs = 1_000;
/** Maximum size of one message between servers. */
export const peerMessageBytesMax = 262_144;

/**
 * Identifies what one server at a time owns and answers for: a user, with the chat session, search and call; a server
 * itself; and the matcher of the site.
 */
export type PeerKey = `person:${bigint}` | `process:${ProcessId}` | "matcher";

export function personKey(userId: bigint): PeerKey {
  return `person:${userId}`;
}

/** The user of a key from `personKey`. */
export function userOfKey(key: PeerKey): bigint {
  return BigInt(key.slice("person:".length));
}

export function processKey(process: ProcessId): PeerKey {
  return `process:${process}`;
}

/** Caches of facts about users; servers send each other their invalidations. `country`: country and languages. */
export type SharedCacheName = "session" | "standing" | "country";

/** A delivery in transit to another server. */
export interface Numbered<Message> {
  /** Increases with every delivery of the sending server, across all recipients. */
  readonly number: number;
  readonly message: Message;
}

/** A message for a user's chat session. */
export type UserDelivery =
  | { readonly type: "push"; readonly push: Push }
  | ChatMessage
  | { readonly type: "social"; readonly event: SocialEvent }
  | { readonly type: "pass"; readonly message: PassingMessage };

/** The server's knowledge of a user's camera frames, for the user's next server. */
export interface CarriedInspection {
  /** Age in milliseconds of the request for the last clean frame; null: none, or the camera changed after it. */
  readonly cleanAgeMs: number | null;
  /** Number of consecutive calls that opened clear and ended before a frame of the user passed. */
  readonly untriedCalls: number;
}

/** The ring behind a search for one specific user; `sinceMs`: start of the ring, milliseconds since the epoch. */
export interface RingSearch {
  readonly id: string;
  readonly sinceMs: number;
}

/** What a user does besides a call, on the way to another server. */
export interface HandedActivity {
  /** In the form of the search pool and the rematches; null: the user does not search. */
  readonly search: unknown;
  readonly rematch: unknown;
  /** The user's place in the queue, kept for the next search; null: none. */
  readonly sinceMs: number | null;
  /** The user's last message about their camera during the search; null: none. */
  readonly media: SearchMediaState | null;
  /** The last verdict on the user's frames; null: it stays with the user's call. */
  readonly look: CarriedInspection | null;
}

/** A chat session on its way to another server. */
export interface HandedSession {
  readonly sequence: number;
  /** Messages that the page has not acknowledged, oldest first. */
  readonly outbox: readonly KeptMessage[];
  /** The newest delivery from each server that the page has received. */
  readonly taken: readonly (readonly [ProcessId, number])[];
}

/** The answer of a user's home to a server that wants to become it. */
export type HomeAnswer =
  /** The user has a call at `home`: the page has to go to that server. */
  | { readonly type: "stays"; readonly home: ProcessId }
  /** The old home has released the user; `session` null: the page begins a new session. */
  | { readonly type: "released"; readonly session: HandedSession | null; readonly doings: HandedActivity | null };

/** A signed request about a user's search, call, ring or camera frames. */
export interface HomeCall {
  readonly name:
    | "matchStart"
    | "matchStop"
    | "matchInfo"
    | "matchInfoUpdate"
    | "startVideo"
    | "ring"
    | "ringAnswer"
    | "videoInspect";
  readonly context: SignedInContext;
  readonly input: unknown;
}

export type HomeCallAnswer =
  | { readonly kind: "done"; readonly output: unknown }
  | { readonly kind: "refused"; readonly code: Code; readonly message: string; readonly data: unknown };

/** A user whom the matcher does not pair with the searcher again for a while. */
export interface RecentPartner {
  readonly userId: bigint;
  /** By the searches' clock, milliseconds. Positive: when the two met. Negative: until when they are kept apart. */
  readonly moment: number;
}

/** A search in the form of the site's matcher. */
export interface SiteSearch extends PoolSearch {
  /** The searcher's server. */
  readonly process: ProcessId;
  /** That server is about to stop and creates no rooms. Omitted otherwise. */
  readonly isLeaving?: boolean;
  /** Users whom the searcher must not meet, blocked ones first. A long list keeps only the newest. */
  readonly blockedIds: readonly bigint[];
  /** The searcher's recent partners, which a new matcher does not know yet. */
  readonly partners: readonly RecentPartner[];
}

/** A message from a server to the matcher. */
export type PoolChange =
  | {
      readonly type: "enter";
      readonly search: SiteSearch;
      /** Duration of the wait, milliseconds. Omitted if it does not count, and by servers of the previous version. */
      readonly waitedMs?: number;
    }
  /** A search for one user only. A matcher of the previous version ignores it: it would match it with any user. */
  | { readonly type: "enterRematch"; readonly search: SiteSearch }
  | { readonly type: "withdraw"; readonly search: SearchRef }
  | { readonly type: "separate"; readonly one: bigint; readonly other: bigint }
  /** All searches of the server, in several parts. The matcher removes searches that are in none of them. */
  | { readonly type: "roll"; readonly roll: number; readonly searches: readonly SearchRef[]; readonly isLast: boolean };

/** A user with a friend at another server. */
export interface FriendElsewhere {
  readonly externalId: string;
  /** The user's home. */
  readonly process: ProcessId;
}

/** Requests to the owner of a key: `in` is the input, `out` the answer. Both consist of JSON and `bigint`. */
export interface PeerRequests {
  /** To a user's home: moderation ends the user's call; null: no call. */
  cutCall: { in: null; out: { readonly callId: string; readonly otherId: bigint } | null };
  /** To a user's home: performs a signed request that another server has verified. `file`: its file part, in base64. */
  homeCall: { in: HomeCall & { readonly file?: string }; out: HomeCallAnswer };
  /** To a user's home: delivers each message once. `out`: for each one, whether it reached the chat session. */
  deliver: {
    in: { readonly from: ProcessId; readonly deliveries: readonly Numbered<UserDelivery>[] };
    out: readonly boolean[];
  };
  /** To the matcher: applies a server's changes in order. `unknown`: users on a roll unknown to the matcher. */
  changePool: {
    in: { readonly from: ProcessId; readonly changes: readonly PoolChange[] };
    out: { readonly epoch: bigint; readonly unknown: readonly bigint[] };
  };
  /** To the matcher: the expected duration of a search. One of the previous version causes `NoOwnerError`. */
  waitEstimate: { in: WaitOf; out: WaitEstimate };
  /** To the server of the longer search: accepts the pair. False: it is stale, or that search has ended. */
  takePair: { in: FoundPair; out: boolean };
  /**
   * To a server with a found search: has the user's page move to the server `to`, where `otherId` waits. False: the
   * search is over, or the page cannot move.
   */
  comeTo: { in: { readonly search: SearchRef; readonly otherId: bigint; readonly to: ProcessId }; out: boolean };
  /**
   * To a user's home: releases the user to the server `home`, unless the user has a call there. A repeated request with
   * the same `claim` gets the same answer.
   */
  giveHome: {
    in: {
      readonly home: ProcessId;
      /** Grows with each claim of that server. */
      readonly claim: number;
      /** The session that the page wants to resume; null: none. */
      readonly resume: { readonly sessionId: string; readonly lastSequence: number } | null;
    };
    out: HomeAnswer;
  };
  /**
   * To a user's home: a call of the user is now at the server `server`. `coming`: the page was told to move there.
   * `elsewhere`: the user searches or is in another call. `taken`: the answering server is a later owner of this call.
   */
  callIsAt: {
    in: { readonly server: ProcessId; readonly roomId: string; readonly epoch: Epoch };
    out: "coming" | "elsewhere" | "taken";
  };
  /** To a server: tests whether it can be reached; no handler is needed. */
  ping: { in: null; out: null };
  /** To a user's home: a friend is about to ring the user, until `untilMs`. False: the user is in a call. */
  mayBeRung: { in: { readonly untilMs: number }; out: boolean };
  /**
   * To the caller's home: the callee has accepted. `out`: whether the caller now searches for the callee; false if the
   * caller is in a call by now.
   */
  ringAccepted: {
    in: {
      readonly ring: RingSearch;
      readonly otherId: bigint;
      readonly language: string;
      readonly offer: string | null;
    };
    out: boolean;
  };
  /** To a stopping server: charge the running minute of a call so far, since the asking server takes the call. */
  settleCall: { in: { readonly roomId: string }; out: null };
  /** Tells a server that is about to stop that the asking server has taken this call of the user. */
  callTaken: {
    in: { readonly server: ProcessId; readonly roomId: string; readonly userId: bigint; readonly epoch: Epoch };
    out: null;
  };
  /** Hands the owner of a call a message of a user whose page is still at the old owner. */
  roomMessage: { in: { readonly userId: bigint; readonly message: RoomMessage }; out: null };
  /** To a user's home: whether the user searches or is in a call. */
  isBusy: { in: { readonly userId: bigint }; out: boolean };
  /** To a user's home: the user's calls that are not in the database yet. */
  unwrittenCalls: { in: { readonly userId: bigint }; out: readonly UnwrittenCall[] };
  /**
   * To a user's home: adds the call's evidence in its memory to a case. `out`: whether it has any; it stores the
   * evidence after the answer.
   */
  keepEvidence: { in: { readonly caseId: bigint; readonly query: EvidenceQuery }; out: boolean };
  /** To a user's home: the user's presence. */
  presenceOf: { in: null; out: Presence };
  /** To a user's home: a friend at the asking server gets the user's presence from now on. `out`: the user. */
  greetFriend: {
    in: { readonly friendId: bigint; readonly presence: Presence } & FriendElsewhere;
    out: FriendElsewhere;
  };
}

/** What a server sends to the others about itself. */
export interface ServerFacts {
  readonly process: ProcessId;
  /** Origin at which the other servers reach it. */
  readonly url: string;
  /** Number of users who search or are in a call at this server. */
  readonly busyPeople: number;
  readonly hasMatcher: boolean;
  /** The server is about to stop. */
  readonly isLeaving: boolean;
}

/** Events for all servers. A late or needless event is harmless. */
export interface PeerEvents {
  /** These facts changed, and the change is committed: invalidates the caches. */
  forget: { readonly what: SharedCacheName; readonly userId: bigint };
  /** A sign-in session has ended; the end is committed. */
  sessionEnded: {
    readonly sessionId: string;
    readonly userId: bigint;
    readonly reason: SessionEndReason | "banned";
  };
  /** The database has stored a block or an unblock. */
  blocked: { readonly blockerId: bigint; readonly blockedId: bigint; readonly isBlocked: boolean };
  /** The database has stored that a user does not want to meet another again for a while, or the end of that. */
  apart: { readonly userId: bigint; readonly otherId: bigint; readonly isApart: boolean };
  /** Two users have become friends or ended their friendship. */
  friendship: { readonly one: bigint; readonly other: bigint; readonly areFriends: boolean };
  /** The user's new number of consecutive calls that opened clear and ended before a frame passed. */
  untried: { readonly userId: bigint; readonly calls: number };
  /** Number of users with a chat session at a server. */
  present: { readonly process: ProcessId; readonly count: number };
  /** Sent once a second. */
  server: ServerFacts;
  /** A matcher has started, without any searches yet. */
  matcher: { readonly epoch: bigint };
}

export type PeerRequestHandler<Kind extends keyof PeerRequests> = (
  input: PeerRequests[Kind]["in"],
  key: PeerKey,
) => Promise<PeerRequests[Kind]["out"]>;

/** This server's ownership of a key. Disposing releases it. */
export interface Ownership extends Disposable {
  /** Aborted when another server takes the key, or this server claims it again. */
  readonly lost: AbortSignal;
}

export interface PeerFigures {
  /** Number of requests without an owner of the key. */
  readonly nobody: number;
  /** Number of times that events may have been missed. */
  readonly gaps: number;
}

/** The other servers of the site (decision 032). */
export interface Peers extends AsyncDisposable {
  /** Random at each start: identifies one run of a server, not a machine. */
  readonly self: ProcessId;
  readonly figures: PeerFigures;
  /** The last message could not be sent, so other servers receive nothing from this one. */
  readonly isAway: boolean;
  /** Handles requests of this kind for keys that this server owns. Each kind has one handler. */
  serve<Kind extends keyof PeerRequests>(kind: Kind, answer: PeerRequestHandler<Kind>): Disposable;
  /**
   * Sends a request to the owner of the key; without the network if this server is the owner.
   *
   * @throws NoOwnerError at once if no server owns the key, or the owner does not know the kind.
   * @throws PeerTimeoutError after `peerAnswerMs`, or at once if nothing can be sent; the owner may have performed it.
   * @throws PeerFailedError if the owner's handler failed.
   */
  ask<Kind extends keyof PeerRequests>(
    kind: Kind,
    key: PeerKey,
    input: PeerRequests[Kind]["in"],
  ): Promise<PeerRequests[Kind]["out"]>;
  /** Whether a server owns the key or is about to; also true if that is unknown. */
  isOwned(key: PeerKey): Promise<boolean>;
  /** Sends to all others, at most once; a server that missed it has a gap. Never throws if disconnected. */
  broadcast<Kind extends keyof PeerEvents>(kind: Kind, news: PeerEvents[Kind]): void;
  /** Listens to events of other servers until disposed. */
  onEvent<Kind extends keyof PeerEvents>(kind: Kind, listener: (news: PeerEvents[Kind]) => void): Disposable;
  /**
   * Claims the key; the last claim wins. Once it resolves, requests for the key come to this server.
   *
   * @param givenUp aborted before this server owns the key, such as while disconnected: cancels the claim, and the
   * ownership that it resolves with is lost.
   */
  own(key: PeerKey, givenUp?: AbortSignal): Promise<Ownership>;
  /** Called when events may have been missed: caches may be stale. */
  onGap(listener: () => void): Disposable;
  /** Called when a server stops. The database detects one that was killed (decision 029). */
  onGone(listener: (process: ProcessId) => void): Disposable;
  /**
   * Ends the subscriptions of a server that was declared dead but may only hang: it then owns nothing. If that fails,
   * its keys stay unanswered until other servers claim them. Never throws.
   */
  cutOff(process: ProcessId): Promise<void>;
  /** Called after each request to another server. */
  onAsked(listener: (tookMs: number, outcome: AskOutcome) => void): Disposable;
}

export type AskOutcome = "answered" | "nobody" | "silent" | "failed";

/** No server owns the key. */
export class NoOwnerError extends Error {
  override readonly name = "NoOwnerError";
}

/** The owner did not answer in time; it may have performed the request. */
export class PeerTimeoutError extends Error {
  override readonly name = "PeerTimeoutError";
}

/** The owner's handler failed. */
export class PeerFailedError extends Error {
  override readonly name = "PeerFailedError";
}

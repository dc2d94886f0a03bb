import type { Code, SessionEndReason } from "@fava/wire/codes.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import type { Presence } from "@fava/wire/people.ts";
import type { Push } from "@fava/wire/pushes.ts";
import type { SearchMediaState } from "@fava/wire/socket.ts";
import type { ChatMessage, KeptMessage, PassingMessage } from "./bus.ts";
import type { UnwrittenCall } from "./directory.ts";
import type { SignedInContext } from "./handlers.ts";
import type { RoomMessage } from "./hub-listener.ts";
import type { LiveCounts } from "./live-counts.ts";
import type { EvidenceQuery } from "./moderation.ts";
import type { FoundPair, PoolSearch, SearchRef, WaitOf, WaitEstimate } from "./match-pool.ts";
import type { Epoch, ProcessId } from "./room-claims.ts";

/** Timeout of a request to another server, in milliseconds during which this process runs. */
export const peerAnswerMs = 1_000;
export const peerMessageBytesMax = 262_144;

/**
 * Identifies what exactly one server owns and answers requests for: a user (with chat session, search and call), the
 * server itself, or the site's matcher.
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

/** Caches of facts about users that servers invalidate for each other. `country`: country and languages. */
export type SharedCacheName = "session" | "standing" | "country";

/** A message on its way to another server, with its number. */
export interface Numbered<Message> {
  /** Grows with each message of the sending server, whichever server receives it. */
  readonly number: number;
  readonly message: Message;
}

export type UserDelivery =
  | { readonly type: "push"; readonly push: Push }
  | ChatMessage
  | { readonly type: "social"; readonly event: SocialEvent }
  | { readonly type: "pass"; readonly message: PassingMessage };

/** What a server knows of a user's frames, for the user's next server. */
export interface CarriedInspection {
  /** Milliseconds since the last clean frame was requested; null without one, or if the camera changed since. */
  readonly cleanAgeMs: number | null;
  /** Consecutive calls that started clear and ended before a frame of the user passed. */
  readonly untriedCalls: number;
}

/** The ring that led to a search for one specific user. `sinceMs`: when it began, in milliseconds since the epoch. */
export interface RingSearch {
  readonly id: string;
  readonly sinceMs: number;
}

/** What a user does besides a call, for the user's next server. */
export interface HandedActivity {
  /** A search or rematch, in the form of the search pool; null if the user does not search. */
  readonly search: unknown;
  readonly rematch: unknown;
  /** The user's place in the queue, for the next search; null without one. */
  readonly sinceMs: number | null;
  /** The last state of the camera during the search that the page reported; null without one. */
  readonly media: SearchMediaState | null;
  /** The last verdict on the user's frames; null if the user is in a call, whose server keeps it. */
  readonly look: CarriedInspection | null;
}

/** A chat session for another server. */
export interface HandedSession {
  readonly sequence: number;
  /** Messages that the page has not acknowledged, oldest first. */
  readonly outbox: readonly KeptMessage[];
  /** By server, the number of the newest message that the page has received. */
  readonly taken: readonly (readonly [ProcessId, number])[];
}

/** What a user's home answers to a server that wants to become the home. */
export type HomeAnswer =
  /** The user has a call at `home`, so the page must connect to that server. */
  | { readonly type: "stays"; readonly home: ProcessId }
  /** The previous home has released the user. `session` null: the page starts a new session. */
  | { readonly type: "released"; readonly session: HandedSession | null; readonly doings: HandedActivity | null };

/** A signed request that only the user's home can handle. */
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

/** A user with whom the searcher is not matched again for a while. */
export interface RecentPartner {
  readonly userId: bigint;
  /** On the timeline of searches, in milliseconds. Positive: when they met. Negative: until when they are separated. */
  readonly moment: number;
}

/** A search as the site's matcher receives it. */
export interface SiteSearch extends PoolSearch {
  readonly process: ProcessId;
  /** True if that server is about to stop and makes no rooms; otherwise undefined. */
  readonly isLeaving?: boolean;
  /** Users whom the searcher must not meet, blocked ones first. Of a long list, only the newest. */
  readonly blockedIds: readonly bigint[];
  /** The searcher's recent partners, for a matcher that has just started. */
  readonly partners: readonly RecentPartner[];
}

/** What a server tells the matcher. */
export type PoolChange =
  | {
      readonly type: "enter";
      readonly search: SiteSearch;
      /** How long the user has waited, in milliseconds. Undefined if not counted, and from the previous version. */
      readonly waitedMs?: number;
    }
  /** A search for one specific user. The previous version's matcher ignores the type; it would match it with anyone. */
  | { readonly type: "enterRematch"; readonly search: SiteSearch }
  | { readonly type: "withdraw"; readonly search: SearchRef }
  | { readonly type: "separate"; readonly one: bigint; readonly other: bigint }
  /** All searches of a server, in parts. After the last part the matcher removes that server's other searches. */
  | { readonly type: "roll"; readonly roll: number; readonly searches: readonly SearchRef[]; readonly isLast: boolean };

/** A user whose friend is at another server. */
export interface FriendElsewhere {
  readonly externalId: string;
  readonly process: ProcessId;
}

/** Requests to the owner of a key. `in` and `out` consist of JSON and `bigint`. */
export interface PeerRequests {
  /** To a user's home, from moderation: end the user's call. `out`: null if there was none. */
  cutCall: { in: null; out: { readonly callId: string; readonly otherId: bigint } | null };
  /** To a user's home: handle a signed request that another server has verified. `file`: its file, in base64. */
  homeCall: { in: HomeCall & { readonly file?: string }; out: HomeCallAnswer };
  /** To a user's home: deliver each message once. `out`: for each, whether the chat session accepted it. */
  deliver: {
    in: { readonly from: ProcessId; readonly deliveries: readonly Numbered<UserDelivery>[] };
    out: readonly boolean[];
  };
  /** To the matcher: apply a server's changes in order. `unknown`: users in its roll whom the matcher does not know. */
  changePool: {
    in: { readonly from: ProcessId; readonly changes: readonly PoolChange[] };
    out: { readonly epoch: bigint; readonly unknown: readonly bigint[] };
  };
  /** To the matcher: how long such a search waits. A matcher of the previous version answers with `NoOwnerError`. */
  waitEstimate: { in: WaitOf; out: WaitEstimate };
  /** To the server of the longer search: accept the pair. `out`: false if it is stale or that search has ended. */
  takePair: { in: FoundPair; out: boolean };
  /**
   * To a server with a found search: ask the user's page to move to the server `to`, where `otherId` waits. `out`:
   * false if the search is over, or the page cannot move.
   */
  comeTo: { in: { readonly search: SearchRef; readonly otherId: bigint; readonly to: ProcessId }; out: boolean };
  /**
   * To a user's home: release the user to the server `home`, unless the user has a call. A repeated request with the
   * same `claim` gets the same answer.
   */
  giveHome: {
    in: {
      readonly home: ProcessId;
      /** Grows with each claim of the asking server. */
      readonly claim: number;
      /** The session that the page wants to resume; null if it wants a new one. */
      readonly resume: { readonly sessionId: string; readonly lastSequence: number } | null;
    };
    out: HomeAnswer;
  };
  /**
   * To a user's home: the user has a call at `server`. `out`: `coming` if the page was told to move there; `elsewhere`
   * if the user searches or is in another call; `taken` if the answering server owns the call by a later epoch.
   */
  callIsAt: {
    in: { readonly server: ProcessId; readonly roomId: string; readonly epoch: Epoch };
    out: "coming" | "elsewhere" | "taken";
  };
  /** To a server: test whether the bus delivers to it. Needs no handler. */
  ping: { in: null; out: null };
  /** To a user's home: may a friend ring the user until `untilMs`? `out`: false if the user is in a call. */
  mayBeRung: { in: { readonly untilMs: number }; out: boolean };
  /** To the caller's home: the callee has accepted. `out`: whether the caller now searches for the callee. */
  ringAccepted: {
    in: {
      readonly ring: RingSearch;
      readonly otherId: bigint;
      readonly language: string;
      readonly offer: string | null;
    };
    out: boolean;
  };
  /** To a stopping server: charge the running minute of a call until now, because the asking server takes the call. */
  settleCall: { in: { readonly roomId: string }; out: null };
  /** To a stopping server: the asking server has taken this call of the user. */
  callTaken: {
    in: { readonly server: ProcessId; readonly roomId: string; readonly userId: bigint; readonly epoch: Epoch };
    out: null;
  };
  /** To the owner of a call: a message of a user whose page is still at the previous owner. */
  roomMessage: { in: { readonly userId: bigint; readonly message: RoomMessage }; out: null };
  /** To a server: what it counts for the operator. */
  liveCounts: { in: null; out: LiveCounts };
  /** To a user's home: whether the user searches or is in a call. */
  isBusy: { in: { readonly userId: bigint }; out: boolean };
  /** To a user's home: which calls of the user the database does not have yet. */
  unwrittenCalls: { in: { readonly userId: bigint }; out: readonly UnwrittenCall[] };
  /** To a user's home: add evidence of a call in memory to a case. `out`: whether there is any; stored later. */
  keepEvidence: { in: { readonly caseId: bigint; readonly query: EvidenceQuery }; out: boolean };
  presenceOf: { in: null; out: Presence };
  /** To a user's home: send the user's presence to the asking server for a friend there. `out`: the user. */
  greetFriend: {
    in: { readonly friendId: bigint; readonly presence: Presence } & FriendElsewhere;
    out: FriendElsewhere;
  };
}

/** What each server tells the others about itself. */
export interface ServerFacts {
  readonly process: ProcessId;
  /** Origin at which the other servers reach it. */
  readonly url: string;
  /** How many users search or are in a call at this server. */
  readonly busyPeople: number;
  readonly hasMatcher: boolean;
  readonly isLeaving: boolean;
}

/** Events for all servers. An event that is late or repeated is harmless. */
export interface PeerEvents {
  /** Facts about a user have changed and the change is committed: invalidate the cache. */
  forget: { readonly what: SharedCacheName; readonly userId: bigint };
  /** A sign-in session has ended, and the end is committed. */
  sessionEnded: {
    readonly sessionId: string;
    readonly userId: bigint;
    readonly reason: SessionEndReason | "banned";
  };
  /** A block or its end is committed. */
  blocked: { readonly blockerId: bigint; readonly blockedId: bigint; readonly isBlocked: boolean };
  /** A user avoids another one, or no longer does; committed. */
  apart: { readonly userId: bigint; readonly otherId: bigint; readonly isApart: boolean };
  friendship: { readonly one: bigint; readonly other: bigint; readonly areFriends: boolean };
  /** How many consecutive calls of a user started clear and ended before a frame passed. */
  untried: { readonly userId: bigint; readonly calls: number };
  /** How many users have a chat session at a server. */
  present: { readonly process: ProcessId; readonly count: number };
  /** Each server sends this once a second. */
  server: ServerFacts;
  /** A matcher has started. It has no searches yet. */
  matcher: { readonly epoch: bigint };
}

export type PeerRequestHandler<Kind extends keyof PeerRequests> = (
  input: PeerRequests[Kind]["in"],
  key: PeerKey,
) => Promise<PeerRequests[Kind]["out"]>;

/** Ownership of a key by this server. Disposing releases it. */
export interface Ownership extends Disposable {
  /** Aborted when another server claims the key, or this server claims it again. */
  readonly lost: AbortSignal;
}

export interface PeerFigures {
  /** Requests for keys without an owner. */
  readonly nobody: number;
  /** How often events may have been missed. */
  readonly gaps: number;
}

/** The other servers of the site (decision 032). */
export interface Peers extends AsyncDisposable {
  /** Identifies one run of a server, not a machine: random at each start. */
  readonly self: ProcessId;
  readonly figures: PeerFigures;
  /** The last message could not be sent, so this server is cut off from the others. */
  readonly isAway: boolean;
  /** Registers the only handler of requests of this kind, for keys that this server owns. */
  serve<Kind extends keyof PeerRequests>(kind: Kind, answer: PeerRequestHandler<Kind>): Disposable;
  /**
   * Sends a request to the owner of the key, which may be this server.
   * @throws NoOwnerError at once if no server owns the key, or the owner does not know the kind.
   * @throws PeerTimeoutError after `peerAnswerMs`, or at once if nothing can be sent. The owner may have executed the
   * request.
   * @throws PeerFailedError if the owner's handler failed.
   */
  ask<Kind extends keyof PeerRequests>(
    kind: Kind,
    key: PeerKey,
    input: PeerRequests[Kind]["in"],
  ): Promise<PeerRequests[Kind]["out"]>;
  /** Whether a server owns the key or is about to. True if that is unknown. */
  isOwned(key: PeerKey): Promise<boolean>;
  /** Sends an event to all other servers, at most once. A server that misses it has a gap. Never throws. */
  broadcast<Kind extends keyof PeerEvents>(kind: Kind, news: PeerEvents[Kind]): void;
  onEvent<Kind extends keyof PeerEvents>(kind: Kind, listener: (news: PeerEvents[Kind]) => void): Disposable;
  /**
   * Claims the key; the last claim wins. After it resolves, requests for the key come to this server.
   * @param givenUp cancels the claim if it is aborted before this server owns the key, such as while disconnected.
   * `own` then resolves with an ownership that is lost.
   */
  own(key: PeerKey, givenUp?: AbortSignal): Promise<Ownership>;
  /** Calls the listener when events may have been missed, so that caches may be stale. */
  onGap(listener: () => void): Disposable;
  /** Calls the listener when a server stops. For one that was killed, the database finds out (decision 029). */
  onGone(listener: (process: ProcessId) => void): Disposable;
  /**
   * Ends the subscriptions of a server that was declared dead, because it may only hang. It then owns nothing. If this
   * fails, requests for its keys get no answer until other servers claim them. Never throws.
   */
  cutOff(process: ProcessId): Promise<void>;
  /** Calls the listener after each request to another server. */
  onAsked(listener: (tookMs: number, outcome: AskOutcome) => void): Disposable;
}

export type AskOutcome = "answered" | "nobody" | "silent" | "failed";

export class NoOwnerError extends Error {
  override readonly name = "NoOwnerError";
}

/** The owner did not answer in time, but may have executed the request. */
export class PeerTimeoutError extends Error {
  override readonly name = "PeerTimeoutError";
}

export class PeerFailedError extends Error {
  override readonly name = "PeerFailedError";
}

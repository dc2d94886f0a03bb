import type { Code, SessionEndReason } from "@fava/wire/codes.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import type { Presence } from "@fava/wire/people.ts";
import type { Push } from "@fava/wire/pushes.ts";
import type { SearchMediaState } from "@fava/wire/socket.ts";
import type { ChatMessage, KeptMessage, PassingMessage } from "./bus.ts";
import type { UnwrittenCall } from "./directory.ts";
import type { SignedInContext } from "./handlers.ts";
import type { EvidenceQuery } from "./moderation.ts";
import type { FoundPair, PoolSearch, SearchRef, WaitOf, WaitOutlook } from "./match-pool.ts";
import type { PeerPlace } from "./peer-frames.ts";
import type { Epoch, ProcessId } from "./room-claims.ts";

/** How long somebody who asks waits for another process, in time in which the own one ran. */
export const peerAnswerMs = 1_000;
/** One question, answer or piece of news as it travels. */
export const peerMessageBytesMax = 262_144;

/**
 * What one server at a time owns and answers for: a user, with the chat session, search and call; a server itself; and the
 * matcher of the site.
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

/** Facts about a person that servers remember, each kind by itself; `country`: country and languages, for the text rules. */
export type RememberedFacts = "session" | "standing" | "country";

/** Something that is on its way to another process. */
export interface Numbered<Message> {
  /** Grows with everything that the sending process has for anybody. */
  readonly number: number;
  readonly message: Message;
}

/** Something for a person's chat session. */
export type Delivered =
  | { readonly type: "push"; readonly push: Push }
  | ChatMessage
  | { readonly type: "social"; readonly event: SocialEvent }
  | { readonly type: "pass"; readonly message: PassingMessage };

/** What is known of a person's picture where their search or call was. */
export interface CarriedLook {
  /** How long ago the clean look was asked for since which nothing has changed, in milliseconds; null: there is none. */
  readonly cleanAgeMs: number | null;
  /** Calls in a row that opened clear and ended before a picture of theirs passed. */
  readonly untriedCalls: number;
}

/** Of which ring somebody waits for one person, and since when it has rung, milliseconds since the epoch. */
export interface RingSearch {
  readonly id: string;
  readonly sinceMs: number;
}

/** What a user does besides a call, on the way to another server. */
export interface HandedDoings {
  /** As the search pool and the rematches have it; null: the user does not search. */
  readonly search: unknown;
  readonly rematch: unknown;
  /** The user's place in the queue, kept for the next search; null: none. */
  readonly sinceMs: number | null;
  /** The last message about the own camera during the search; null: none. */
  readonly media: SearchMediaState | null;
  /** The last verdict on the user's picture; null: it stays with the user's call. */
  readonly look: CarriedLook | null;
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
  /** The user has a call there: the page has to go there. */
  | { readonly type: "stays"; readonly home: ProcessId }
  /** The old home has released the user; `session` null: the page begins a new session. */
  | { readonly type: "released"; readonly session: HandedSession | null; readonly doings: HandedDoings | null };

/** One of the calls about what a person does now. */
export interface MatchCall {
  readonly name: "matchStart" | "matchStop" | "matchInfo" | "matchInfoUpdate" | "startVideo" | "ring" | "ringAnswer";
  readonly context: SignedInContext;
  readonly input: unknown;
}

export type MatchCallAnswer =
  | { readonly kind: "done"; readonly output: unknown }
  | { readonly kind: "refused"; readonly code: Code; readonly message: string; readonly data: unknown };

/** Somebody whom a person is not to be found for again at once. */
export interface RecentPartner {
  readonly userId: bigint;
  /** On the time line of searches, milliseconds. Positive: when the two met. Negative: until when they are kept apart. */
  readonly moment: number;
}

/** A search as the site's matcher has it. */
export interface SiteSearch extends PoolSearch {
  /** Where it came from. */
  readonly process: ProcessId;
  /** That process is about to stop: no room is made there. Left out where it is not. */
  readonly isLeaving?: boolean;
  /** Whom the person is not to meet, blocked people first; the newest, where they are many. */
  readonly blockedIds: readonly bigint[];
  /** What is remembered there of the person, so that a matcher which begins knows it. */
  readonly partners: readonly RecentPartner[];
}

/** What a process has to say to the matcher. */
export type PoolChange =
  | {
      readonly type: "enter";
      readonly search: SiteSearch;
      /** How long its wait has lasted by now, milliseconds; left out where that counts for nothing, and by the version before. */
      readonly waitedMs?: number;
    }
  /** Of whoever waits for one person only: a matcher of the version before, which would find anybody for them, does not know the word. */
  | { readonly type: "enterRematch"; readonly search: SiteSearch }
  | { readonly type: "withdraw"; readonly search: SearchRef }
  | { readonly type: "separate"; readonly one: bigint; readonly other: bigint }
  /** All searches of the process, in several parts: whoever is in none of them searches no more. */
  | { readonly type: "roll"; readonly roll: number; readonly searches: readonly SearchRef[]; readonly isLast: boolean };

/** Somebody whose friend is at another process. */
export interface FriendElsewhere {
  readonly externalId: string;
  /** Their home. */
  readonly process: ProcessId;
}

/** What is asked of whoever has a key: what goes in and what comes out, all of it JSON or `bigint`. */
export interface Asked {
  /** Ends the call that the person is in as cut by moderation; null where there was none. */
  cutCall: { in: null; out: { readonly callId: string; readonly otherId: bigint } | null };
  /** Does a signed call of the person, which another process has checked. */
  homeCall: { in: MatchCall; out: MatchCallAnswer };
  /** Of a user's home: where it takes the user's frames. */
  whoLooks: { in: null; out: PeerPlace };
  /** Of the same: the frame for this ticket of a room could not be delivered. */
  frameLost: { in: { readonly roomId: string; readonly ticket: string }; out: null };
  /** Tells the person all this, each once; out comes whether each has reached the chat session. */
  deliver: {
    in: { readonly from: ProcessId; readonly deliveries: readonly Numbered<Delivered>[] };
    out: readonly boolean[];
  };
  /** Of the matcher: takes the changes of a process in their order. Out comes who is on a roll and not known. */
  changePool: {
    in: { readonly from: ProcessId; readonly changes: readonly PoolChange[] };
    out: { readonly epoch: bigint; readonly unknown: readonly bigint[] };
  };
  /** Of the matcher: how long such searches take. One of the version before is nobody there. */
  waitOutlook: { in: WaitOf; out: WaitOutlook };
  /** Of the process of whoever waited longer: whether that one still waits with this search, and the pair is taken. */
  takePair: { in: FoundPair; out: boolean };
  /**
   * Of a server with a found search: has the user's page move to the server `to`, where `otherId` waits. False: the search
   * is over, or the page cannot move.
   */
  comeTo: { in: { readonly search: SearchRef; readonly otherId: bigint; readonly to: ProcessId }; out: boolean };
  /**
   * Of a user's home: releases the user to the server `home`, unless the user has a call there. A repeated request with
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
   * Of a user's home: a call of the user is now at the server `server`. `coming`: the page was told to move there.
   * `elsewhere`: the user searches or is in another call. `taken`: the answering server is a later owner of this call.
   */
  callIsAt: {
    in: { readonly server: ProcessId; readonly roomId: string; readonly epoch: Epoch };
    out: "coming" | "elsewhere" | "taken";
  };
  /** Of a server: nothing answers it; that the server is reached is the answer. */
  ping: { in: null; out: null };
  /** Of a person's home: a friend is about to ring them, until then. Out comes whether they are in no call. */
  mayBeRung: { in: { readonly untilMs: number }; out: boolean };
  /**
   * Of the home of whoever rang: the other has accepted. Out comes whether they wait for that one now; not where they are
   * in a call by now.
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
  /** Asks a server that is about to stop to charge the running minute of a call so far: the asking server takes the call. */
  settleCall: { in: { readonly roomId: string }; out: null };
  /** Tells a server that is about to stop that the asking server has taken this call of the user. */
  callTaken: { in: { readonly roomId: string; readonly userId: bigint; readonly epoch: Epoch }; out: null };
  /** Of a person's home: whether they search, or are in a call. */
  isBusy: { in: { readonly userId: bigint }; out: boolean };
  /** Of a person's home: their calls that the database does not have yet. */
  unwrittenCalls: { in: { readonly userId: bigint }; out: readonly UnwrittenCall[] };
  /**
   * Of a person's home: adds what it remembers of a call to a case. Out comes whether
   * it remembers anything; it stores that afterwards.
   */
  keepEvidence: { in: { readonly caseId: bigint; readonly query: EvidenceQuery }; out: boolean };
  /** Of a person's home: whether they are there. */
  presenceOf: { in: null; out: Presence };
  /** Of a person's home: a friend of theirs is here, and is to hear of them from now on; out comes who they are. */
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
  /** How many people search or are in a call there. */
  readonly busyPeople: number;
  readonly hasMatcher: boolean;
  /** It is about to stop. */
  readonly isLeaving: boolean;
}

/** What is told to all. Hearing it late, or for nothing, harms nobody. */
export interface Told {
  /** It changed, and is committed: whoever remembers it reads it anew. */
  forget: { readonly what: RememberedFacts; readonly userId: bigint };
  /** A sign-in session has ended, in the database, too. */
  sessionEnded: {
    readonly sessionId: string;
    readonly userId: bigint;
    readonly reason: SessionEndReason | "banned";
  };
  /** A block, or the end of one, was stored. */
  blocked: { readonly blockerId: bigint; readonly blockedId: bigint; readonly isBlocked: boolean };
  /** That somebody does not want to meet another again for a while, or the end of it, was stored. */
  apart: { readonly userId: bigint; readonly otherId: bigint; readonly isApart: boolean };
  /** Two people have become friends, or are friends no longer. */
  friendship: { readonly one: bigint; readonly other: bigint; readonly areFriends: boolean };
  /** How many calls in a row of theirs opened clear and ended before a picture of them passed; it was another number before. */
  untried: { readonly userId: bigint; readonly calls: number };
  /** How many people have a chat session at a process. */
  present: { readonly process: ProcessId; readonly count: number };
  /** Facts of a server, sent once a second. */
  server: ServerFacts;
  /** A matcher begins, and knows of no search yet. */
  matcher: { readonly epoch: bigint };
}

export type Answerer<Kind extends keyof Asked> = (
  input: Asked[Kind]["in"],
  key: PeerKey,
) => Promise<Asked[Kind]["out"]>;

/** That a process has a key. Disposing lets go of it. */
export interface Ownership extends Disposable {
  /** Aborted when another process has the key, or this one has asked for it again. */
  readonly lost: AbortSignal;
}

export interface PeerFigures {
  /** Questions for which nobody was there. */
  readonly nobody: number;
  /** Times at which news may have been missed. */
  readonly gaps: number;
}

/** The other processes of the site (decision 032). */
export interface Peers extends AsyncDisposable {
  /** Random at each start: one run of a server, not a machine. */
  readonly self: ProcessId;
  readonly figures: PeerFigures;
  /** What was said last reached nobody: whoever is at another process hears nothing from here. */
  readonly isAway: boolean;
  /** Answers questions of this kind about keys that this process owns. One answers each kind. */
  serve<Kind extends keyof Asked>(kind: Kind, answer: Answerer<Kind>): Disposable;
  /**
   * What the owner of the key answers; without a way over the network where that is this process.
   *
   * @throws NobodyThereError at once where no process owns the key, or its owner does not know the question.
   * @throws PeerSilentError after `peerAnswerMs`, or at once where nothing can be sent: it may have been done all the same.
   * @throws PeerFailedError where the owner could not answer.
   */
  ask<Kind extends keyof Asked>(kind: Kind, key: PeerKey, input: Asked[Kind]["in"]): Promise<Asked[Kind]["out"]>;
  /** Whether a process has the key, or is about to; true also where that cannot be found out. */
  isOwned(key: PeerKey): Promise<boolean>;
  /** Told to all others, at most once; whoever could not be reached has a gap. Never throws for want of a connection. */
  tell<Kind extends keyof Told>(kind: Kind, news: Told[Kind]): void;
  /** Hears what others tell, as long as nobody disposes it. */
  onTold<Kind extends keyof Told>(kind: Kind, listener: (news: Told[Kind]) => void): Disposable;
  /**
   * From the moment at which it resolves whoever asks for the key asks here: the last to ask for it has it.
   *
   * @param givenUp aborted: where this process has not got the key yet, as while it reaches nobody, it does not ask for it any
   * more, and what it resolves with is lost.
   */
  own(key: PeerKey, givenUp?: AbortSignal): Promise<Ownership>;
  /** News may have been missed: what was remembered may be wrong. */
  onGap(listener: () => void): Disposable;
  /** A process has said goodbye. Of one that was killed nobody hears here: the database judges that (decision 029). */
  onGone(listener: (process: ProcessId) => void): Disposable;
  /**
   * Ends what a dead process still listens to, as one does that hangs: from then on it owns nothing. Where that cannot be
   * done its keys stay without an answer until they are another's. Never throws.
   */
  cutOff(process: ProcessId): Promise<void>;
  /** Every question that went to another process, by how long it took and what came of it. */
  onAsked(listener: (tookMs: number, outcome: AskOutcome) => void): Disposable;
}

export type AskOutcome = "answered" | "nobody" | "silent" | "failed";

/** No process has what was asked for. */
export class NobodyThereError extends Error {
  override readonly name = "NobodyThereError";
}

/** Whoever has it did not answer, and may have done what was asked. */
export class PeerSilentError extends Error {
  override readonly name = "PeerSilentError";
}

/** Whoever has it tried, and failed. */
export class PeerFailedError extends Error {
  override readonly name = "PeerFailedError";
}

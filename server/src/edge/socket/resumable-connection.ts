import * as v from "valibot";
import type { RawData } from "ws";
import { codes } from "@fava/wire/codes.ts";
import { jsonText } from "@fava/wire/form.ts";
import {
  chatMessageLengthMax,
  identifierLengthMax,
  socketMessageBytesCounted,
  socketMessagesBurstMax,
  socketMessagesPerSecondMax,
  socketHelloMs,
  socketOutboxMax,
  socketResumeMs,
  socketSilenceMs,
} from "@fava/wire/limits.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import type { Push } from "@fava/wire/pushes.ts";
import {
  type ClientMessage,
  clientMessageSchema,
  type ServerMessage,
  socketCloseCodes,
  type SocketError,
} from "@fava/wire/socket.ts";
import type { ChatMessage, KeptMessage, PassingMessage } from "#ports/bus.ts";
import type { Departure } from "#ports/hub-listener.ts";

/**
 * The state of one user's chat session, from its first socket to its end.
 *
 * - `awaiting-hello`: a socket is open, without a known user. Ends by a valid hello (live), by a hello that resumes
 *   another session (ended: that session takes the socket), or by an invalid hello, a flood or the hello timeout.
 * - `live`: a socket is attached. The server sends pushes and chat messages and keeps them until acknowledged.
 * - `dropped`: the socket was lost without a goodbye. Pushes are kept for `socketResumeMs`, then the user is gone.
 * - `ended`: final.
 */
export type ClientConnection =
  | { readonly kind: "awaiting-hello"; readonly openedAtMs: number; readonly budget: MessageBudget }
  | ({
      readonly kind: "live";
      readonly heardAtMs: number;
      readonly budget: MessageBudget;
      readonly badInRow: number;
    } & ResumableState)
  | ({ readonly kind: "dropped"; readonly droppedAtMs: number; readonly budget: MessageBudget } & ResumableState)
  | { readonly kind: "ended" };

export interface ResumableState {
  /** 0 before the first message. */
  readonly sequence: number;
  /** Unacknowledged messages, sent or not, oldest first. */
  readonly outbox: readonly KeptMessage[];
}

/** The session assigns the sequence number. */
type Keepable =
  | { readonly type: "push"; readonly push: Push }
  | { readonly type: "social"; readonly event: SocialEvent }
  | ChatMessage;

/** Why a message is invalid. `clientId` names the chat message if it is one. */
interface MessageProblem {
  readonly reason: Extract<SocketError, "bad_frame" | "too_long">;
  readonly clientId: string | null;
}

export type ConnectionEvent =
  /** Any message from the socket; `problem` is null for a valid one. */
  | {
      readonly type: "message";
      readonly nowMs: number;
      readonly bytes: number;
      readonly problem: MessageProblem | null;
    }
  | { readonly type: "greeted"; readonly sessionId: string; readonly nowMs: number }
  | { readonly type: "hello-refused" }
  /** The hello on this socket resumes another session, which takes the socket. */
  | { readonly type: "handed-over" }
  | { readonly type: "resumed"; readonly sessionId: string; readonly lastSequence: number; readonly nowMs: number }
  | { readonly type: "keep"; readonly message: Keepable }
  | {
      readonly type: "pass";
      readonly message: PassingMessage | Extract<ServerMessage, { type: "pong" | "response" | "move" }>;
    }
  | { readonly type: "acknowledged"; readonly sequence: number }
  /** The peer's closing code; 1006 for a socket that broke. */
  | { readonly type: "socket-closed"; readonly code: number; readonly nowMs: number }
  | { readonly type: "disconnect"; readonly code: number }
  | { readonly type: "released" }
  | { readonly type: "tick"; readonly nowMs: number };

export type ConnectionEffect =
  | { readonly type: "send"; readonly message: ServerMessage }
  /** Closes the attached socket with a closing handshake. */
  | { readonly type: "close"; readonly code: number }
  | { readonly type: "cut" }
  | { readonly type: "arrived" }
  | { readonly type: "dropped" }
  | { readonly type: "resumed" }
  | { readonly type: "gone"; readonly how: Departure }
  /** After `gone`: the messages that the page has not acknowledged. */
  | { readonly type: "unheard"; readonly messages: readonly KeptMessage[] };

export interface ConnectionStep {
  readonly state: ClientConnection;
  readonly effects: readonly ConnectionEffect[];
}

/** Close codes after which no page resumes this session (rule SOCKET-66); the browser itself sends 1001. */
const goodbyes: ReadonlyMap<number, Departure> = new Map([
  [1000, "closed"],
  [1001, "page_gone"],
  [socketCloseCodes.pageGone, "page_gone"],
]);
/** "Try again later" in the registry of RFC 6455: the page has to begin a new session, since the outbox is full. */
export const closeTryAgainLater = 1013;
export const badMessagesInRowMax = 5;

const ended: ClientConnection = { kind: "ended" };
const none: readonly ConnectionEffect[] = [];

export function openConnection(nowMs: number): ClientConnection {
  return { kind: "awaiting-hello", openedAtMs: nowMs, budget: fullBudget(nowMs) };
}

/** A session of another server, whose socket follows; `kept`: its state there. */
export function adoptedConnection(kept: ResumableState, nowMs: number): ClientConnection {
  return { kind: "dropped", droppedAtMs: nowMs, budget: fullBudget(nowMs), ...kept };
}

/** Whether a hello with this last sequence can resume the session without a lost or repeated message. */
export function canResume(state: ClientConnection, lastSequence: number): boolean {
  if (state.kind !== "live" && state.kind !== "dropped") return false;
  return lastSequence <= state.sequence && lastSequence >= state.sequence - state.outbox.length;
}

export function stepConnection(state: ClientConnection, event: ConnectionEvent): ConnectionStep {
  switch (state.kind) {
    case "awaiting-hello":
      return stepAwaitingHello(state, event);
    case "live":
      return stepLive(state, event);
    case "dropped":
      return stepDropped(state, event);
    case "ended":
      return { state, effects: none };
  }
}

/** Changes a live state in place, without a new object for each message; leaves rare events to `stepConnection`. */
export class RunningConnection {
  #state: ClientConnection;
  /** The live state, referenced only by this object; null in any other state. */
  #live: LiveInPlace | null = null;

  constructor(state: ClientConnection) {
    this.#state = state;
  }

  /** Do not keep a reference: a live state changes with the next event. */
  get state(): ClientConnection {
    return this.#state;
  }

  step(event: ConnectionEvent): readonly ConnectionEffect[] {
    const effects = this.#live && stepInPlace(this.#live, event);
    if (effects) return effects;
    const { state, effects: rare } = stepConnection(this.#state, event);
    if (state !== this.#state) {
      this.#live = state.kind === "live" ? { ...state, budget: { ...state.budget }, outbox: [...state.outbox] } : null;
      this.#state = this.#live ?? state;
    }
    return rare;
  }
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type LiveInPlace = Omit<Writable<StateOf<"live">>, "budget" | "outbox"> & {
  readonly budget: Writable<MessageBudget>;
  readonly outbox: KeptMessage[];
};

/** Does in place what `stepConnection` does to a live state; null, without a change, for events left to that. */
function stepInPlace(live: LiveInPlace, event: ConnectionEvent): readonly ConnectionEffect[] | null {
  switch (event.type) {
    case "message": {
      const tokens = event.problem ? -1 : tokensAfter(live.budget, event.nowMs, event.bytes);
      if (tokens < 0) return null;
      live.budget.tokens = tokens;
      live.budget.atMs = Math.max(event.nowMs, live.budget.atMs);
      live.badInRow = 0;
      live.heardAtMs = event.nowMs;
      return none;
    }
    case "keep": {
      if (live.outbox.length >= socketOutboxMax) return null;
      live.sequence += 1;
      const message: KeptMessage = { ...event.message, sequence: live.sequence };
      live.outbox.push(message);
      return [{ type: "send", message }];
    }
    case "pass":
      return [{ type: "send", message: event.message }];
    case "acknowledged": {
      if (event.sequence > live.sequence) return none;
      const { outbox } = live;
      let acknowledged = 0;
      while (acknowledged < outbox.length && outbox[acknowledged]!.sequence <= event.sequence) acknowledged += 1;
      if (acknowledged > 0) outbox.splice(0, acknowledged);
      return none;
    }
    case "greeted":
    case "hello-refused":
    case "handed-over":
    case "resumed":
    case "socket-closed":
    case "disconnect":
    case "released":
    case "tick":
      return null;
  }
}

type StateOf<Kind extends ClientConnection["kind"]> = Extract<ClientConnection, { kind: Kind }>;

function stepAwaitingHello(state: StateOf<"awaiting-hello">, event: ConnectionEvent): ConnectionStep {
  switch (event.type) {
    case "message": {
      const budget = spendMessage(state.budget, event.nowMs, event.bytes);
      if (!budget) return { state: ended, effects: flooded };
      return event.problem ? refusedHello : { state: { ...state, budget }, effects: none };
    }
    case "greeted": {
      const live: ClientConnection = {
        kind: "live",
        heardAtMs: event.nowMs,
        budget: state.budget,
        badInRow: 0,
        sequence: 0,
        outbox: [],
      };
      const welcome = { type: "welcome", sessionId: event.sessionId, resumed: false, sequence: 0 } as const;
      return { state: live, effects: [{ type: "send", message: welcome }, { type: "arrived" }] };
    }
    case "hello-refused":
      return refusedHello;
    case "handed-over":
      return { state: ended, effects: none };
    case "disconnect":
      return { state: ended, effects: [{ type: "close", code: event.code }] };
    case "socket-closed":
      return { state: ended, effects: none };
    case "tick":
      return event.nowMs - state.openedAtMs >= socketHelloMs ? refusedHello : { state, effects: none };
    case "resumed":
    case "keep":
    case "pass":
    case "acknowledged":
    case "released":
      return { state, effects: none };
  }
}

function stepLive(state: StateOf<"live">, event: ConnectionEvent): ConnectionStep {
  switch (event.type) {
    case "message":
      return hear(state, event);
    case "keep": {
      const kept = keep(state, event.message);
      if (!kept)
        return {
          state: ended,
          effects: [{ type: "close", code: closeTryAgainLater }, ...overfull(state, event.message)],
        };
      return { state: { ...state, ...kept.after }, effects: [{ type: "send", message: kept.message }] };
    }
    case "pass":
      return { state, effects: [{ type: "send", message: event.message }] };
    case "acknowledged":
      return acknowledge(state, event.sequence);
    case "resumed":
      return resume(state, event);
    case "socket-closed": {
      const how = goodbyes.get(event.code);
      return how ? { state: ended, effects: gone(how, state.outbox) } : drop(state, event.nowMs, none);
    }
    case "disconnect":
      return {
        state: ended,
        effects: [{ type: "close", code: event.code }, ...gone(departureOf(event.code), state.outbox)],
      };
    case "released":
      return { state: ended, effects: [{ type: "close", code: socketCloseCodes.moved }, ...gone("moved", [])] };
    case "tick":
      return event.nowMs - state.heardAtMs >= socketSilenceMs
        ? drop(state, event.nowMs, [{ type: "cut" }])
        : { state, effects: none };
    case "greeted":
    case "hello-refused":
    case "handed-over":
      return { state, effects: none };
  }
}

function stepDropped(state: StateOf<"dropped">, event: ConnectionEvent): ConnectionStep {
  switch (event.type) {
    case "keep": {
      const kept = keep(state, event.message);
      if (!kept) return { state: ended, effects: overfull(state, event.message) };
      return { state: { ...state, ...kept.after }, effects: none };
    }
    case "resumed":
      return resume(state, event);
    case "disconnect":
      return { state: ended, effects: gone(departureOf(event.code), state.outbox) };
    case "released":
      return { state: ended, effects: gone("moved", []) };
    case "tick":
      return event.nowMs - state.droppedAtMs >= socketResumeMs
        ? { state: ended, effects: gone("timed_out", state.outbox) }
        : { state, effects: none };
    case "message":
    case "greeted":
    case "hello-refused":
    case "handed-over":
    case "pass":
    case "acknowledged":
    case "socket-closed":
      return { state, effects: none };
  }
}

function hear(state: StateOf<"live">, event: Extract<ConnectionEvent, { type: "message" }>): ConnectionStep {
  const budget = spendMessage(state.budget, event.nowMs, event.bytes);
  const badInRow = event.problem ? state.badInRow + 1 : 0;
  if (!budget || badInRow >= badMessagesInRowMax)
    return { state: ended, effects: [...flooded, ...gone("closed", state.outbox)] };
  const heard: ClientConnection = { ...state, budget, badInRow, heardAtMs: event.nowMs };
  return { state: heard, effects: event.problem ? [refusedMessage(event.problem)] : none };
}

function keep(state: ResumableState, message: Keepable): { after: ResumableState; message: KeptMessage } | null {
  if (state.outbox.length >= socketOutboxMax) return null;
  const sequence = state.sequence + 1;
  const numbered: KeptMessage = { ...message, sequence };
  return { after: { sequence, outbox: [...state.outbox, numbered] }, message: numbered };
}

/** Acknowledges all messages up to `sequence`; ignores the number of a message that was never sent. */
function acknowledge(state: StateOf<"live">, sequence: number): ConnectionStep {
  if (sequence > state.sequence) return { state, effects: none };
  return { state: { ...state, outbox: state.outbox.filter((message) => message.sequence > sequence) }, effects: none };
}

function resume(
  state: StateOf<"live"> | StateOf<"dropped">,
  event: Extract<ConnectionEvent, { type: "resumed" }>,
): ConnectionStep {
  const outbox = state.outbox.filter((message) => message.sequence > event.lastSequence);
  const live: ClientConnection = {
    kind: "live",
    heardAtMs: event.nowMs,
    budget: state.budget,
    badInRow: 0,
    sequence: state.sequence,
    outbox,
  };
  const welcome = {
    type: "welcome",
    sessionId: event.sessionId,
    resumed: true,
    sequence: event.lastSequence,
  } as const;
  const replay = outbox.map((message) => ({ type: "send", message }) as const);
  return { state: live, effects: [{ type: "send", message: welcome }, ...replay, { type: "resumed" }] };
}

function drop(state: StateOf<"live">, nowMs: number, before: readonly ConnectionEffect[]): ConnectionStep {
  const dropped: ClientConnection = {
    kind: "dropped",
    droppedAtMs: nowMs,
    budget: state.budget,
    sequence: state.sequence,
    outbox: state.outbox,
  };
  return { state: dropped, effects: [...before, { type: "dropped" }] };
}

function refusedMessage(problem: MessageProblem): ConnectionEffect {
  const error = { type: "error", code: codes.badInput, reason: problem.reason } as const;
  return { type: "send", message: problem.clientId === null ? error : { ...error, clientId: problem.clientId } };
}

function gone(how: Departure, unheard: readonly KeptMessage[]): readonly ConnectionEffect[] {
  const left = { type: "gone", how } as const;
  return unheard.length === 0 ? [left] : [left, { type: "unheard", messages: unheard }];
}

function overfull({ outbox, sequence }: ResumableState, message: Keepable): readonly ConnectionEffect[] {
  return gone("timed_out", [...outbox, { ...message, sequence: sequence + 1 }]);
}

function departureOf(closeCode: number): Departure {
  if (closeCode === socketCloseCodes.kicked) return "kicked";
  if (closeCode === socketCloseCodes.banned) return "banned";
  return closeCode === socketCloseCodes.replaced ? "replaced" : "closed";
}

const flooded: readonly ConnectionEffect[] = [
  { type: "send", message: { type: "error", code: codes.slowDown, reason: "flood" } },
  { type: "close", code: socketCloseCodes.flood },
];

const refusedHello: ConnectionStep = {
  state: ended,
  effects: [
    { type: "send", message: { type: "error", code: codes.noSession, reason: "bad_hello" } },
    { type: "close", code: socketCloseCodes.badHello },
  ],
};

interface MessageBudget {
  readonly tokens: number;
  readonly atMs: number;
}

function fullBudget(nowMs: number): MessageBudget {
  return { tokens: socketMessagesBurstMax, atMs: nowMs };
}

/** Null if the message exceeds the budget. */
function spendMessage(budget: MessageBudget, nowMs: number, bytes: number): MessageBudget | null {
  const tokens = tokensAfter(budget, nowMs, bytes);
  return tokens < 0 ? null : { tokens, atMs: Math.max(nowMs, budget.atMs) };
}

/** Negative if the message exceeds the budget. */
function tokensAfter({ tokens, atMs }: MessageBudget, nowMs: number, bytes: number): number {
  const refilled = tokens + (Math.max(0, nowMs - atMs) * socketMessagesPerSecondMax) / 1_000;
  return Math.min(socketMessagesBurstMax, refilled) - 1 - Math.floor(bytes / socketMessageBytesCounted);
}

type ReadMessage = { readonly message: ClientMessage } | { readonly problem: MessageProblem };

const badMessage: ReadMessage = { problem: { reason: "bad_frame", clientId: null } };

/** Never throws. For an invalid chat message, the problem contains its client id, so that the page can mark it. */
export function readClientMessage(data: RawData, isBinary: boolean): ReadMessage {
  if (isBinary || !Buffer.isBuffer(data)) return badMessage;
  let json: unknown;
  try {
    json = JSON.parse(data.toString("utf8"));
  } catch {
    return badMessage;
  }
  const parsed = v.safeParse(clientMessageSchema, json, { abortEarly: true });
  if (parsed.success) return { message: parsed.output };
  const chat = v.safeParse(anyChatSchema, json);
  if (!chat.success) return badMessage;
  const { text, clientId } = chat.output;
  return { problem: { reason: text.length > chatMessageLengthMax ? "too_long" : "bad_frame", clientId } };
}

const anyChatSchema = v.object({
  type: v.literal("chat"),
  clientId: jsonText(1, identifierLengthMax),
  text: v.string(),
});

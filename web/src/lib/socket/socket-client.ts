import * as v from "valibot";
import {
  socketAckMessagesMax,
  socketAnswerMs,
  socketHeartbeatMs,
  socketMovePressMs,
  socketMoveRetryMs,
  socketSilenceMs,
} from "@fava/wire/limits.ts";
import { type ClientMessage, type ServerMessage, serverMessageSchema, socketCloseCodes } from "@fava/wire/socket.ts";
import { type ChatIdentity, SocketMove } from "./socket-move.ts";
import { type SignedMessage, SocketLost, SocketRequests } from "./socket-requests.ts";

/** Messages that the page sends; the client adds hello, ack, ping and requests by itself. */
export type OutgoingMessage = Exclude<ClientMessage, { type: "hello" | "ack" | "ping" | "request" }>;
/** Messages that the client passes to its owner, each once. */
export type IncomingMessage = Exclude<ServerMessage, { type: "welcome" | "pong" | "response" | "move" }>;

/** Why the client closed for good. */
export type SocketEnd = "kicked" | "signed-out" | "banned" | "replaced" | "refused";

interface SocketClientOptions {
  /** @param server the server for the chat session; null: any */
  connect: (server: string | null) => WebSocket;
  /** The ticket of the page's call for the hello; null without a call. */
  ticket: () => string | null;
  /** Fetches the chat id with its signature; null if there is none. `refused`: the server rejected the last one. */
  identity: (refused: boolean) => Promise<ChatIdentity | null>;
  onFrame: (frame: IncomingMessage) => void;
  /** `resumed` false: a new session; undelivered messages of the old one are lost. */
  onLive: (resumed: boolean) => void;
  onDropped: () => void;
  /** Called with true when a ping has had no pong for a while, and with false when the pong has come. */
  onQuiet: (quiet: boolean) => void;
  onEnd: (end: SocketEnd) => void;
}

/**
 * Messages that are kept while the socket is away: fewer than the server accepts at once (`socketMessagesBurstMax`).
 */
const waitingFramesMax = 100;

/** After this many `move` answers in a row the next attempt waits, as after a failure. */
const sentInRowMax = 3;

const ends: ReadonlyMap<number, SocketEnd> = new Map([
  [socketCloseCodes.kicked, "kicked"],
  [socketCloseCodes.signedOut, "signed-out"],
  [socketCloseCodes.banned, "banned"],
  [socketCloseCodes.replaced, "replaced"],
  [socketCloseCodes.flood, "refused"],
]);

/** A socket over which a message arrived within this time is not taken for lost. */
const heardLatelyMs = 1_000;

/**
 * One chat session over any number of sockets: resumes after a drop, acknowledges, drops duplicates, and detects a dead
 * socket by its silence. Once closed, it cannot be opened again.
 */
export class SocketClient {
  readonly #options: SocketClientOptions;
  #socket: WebSocket | null = null;
  #live = false;
  #closed = false;
  #session: { id: string; lastSequence: number } | null = null;
  /** The server that has the session. */
  #server: string | null = null;
  #attempt = 0;
  #refused = false;
  #heardAtMs = 0;
  #quiet = false;
  #quietTimer: ReturnType<typeof setTimeout> | undefined;
  #waiting: OutgoingMessage[] = [];
  readonly #acks = new SocketAcks((sequence) => this.#write({ type: "ack", sequence }));
  readonly #requests = new SocketRequests({
    write: (message) => this.#write(message),
    silent: () => this.#reconnectNow(),
  });
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #move: SocketMove | null = null;
  #moveTimer: ReturnType<typeof setTimeout> | undefined;
  /** How often in a row a server has answered with `move` instead of a welcome. */
  #sentCount = 0;
  /** Resolve the promises of `whenSettled`. */
  readonly #settled: (() => void)[] = [];
  readonly #owner = new AbortController();

  constructor(options: SocketClientOptions) {
    this.#options = options;
    const { signal } = this.#owner;
    // A socket of a lost address still reports OPEN, so a network that returned is a reason to reconnect.
    window.addEventListener("online", () => this.#reconnectNow(), { signal });
    void this.#connect();
  }

  get isLive(): boolean {
    return this.#live;
  }

  /** Sends now, or as soon as the session is back; drops the waiting messages when the session is lost. */
  send(frame: OutgoingMessage): void {
    if (this.#closed) return;
    if (this.#live && !this.#move?.isSettling) this.#write(frame);
    else if (this.#waiting.push(frame) > waitingFramesMax) this.#waiting.shift();
  }

  /**
   * Sends a signed request over the current socket, without waiting for one.
   *
   * @throws SocketLost if no socket responds, or if it is lost before the response: the server may have received the
   * request
   */
  request(signed: SignedMessage, signal: AbortSignal): Promise<unknown> {
    const isOpen = this.#socket?.readyState === WebSocket.OPEN && !this.#move?.isSettling;
    if (!this.#live || this.#quiet || !isOpen) return Promise.reject(new SocketLost("no socket answers"));
    return this.#requests.send(signed, signal);
  }

  /** Skips the back-off, because the next attempt is likely to succeed. */
  hurry(): void {
    if (!this.#socket) this.#reconnectNow();
  }

  /** As `hurry`; probes an open socket at once that a frozen page may have lost. */
  wake(): void {
    if (!this.#socket) this.#reconnectNow();
    else if (performance.now() - this.#heardAtMs > heardLatelyMs) this.#beat();
  }

  /** Closes the socket: the server treats a clean close as leaving at once, but not the code of a page that closes. */
  close(code: 1000 | typeof socketCloseCodes.pageGone = 1000): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#owner.abort();
    clearTimeout(this.#retryTimer);
    clearInterval(this.#heartbeat);
    clearTimeout(this.#quietTimer);
    this.#endMove();
    this.#acks.flush();
    this.#socket?.close(code);
    this.#socket = null;
    this.#live = false;
    this.#requests.lost();
  }

  async #connect(): Promise<void> {
    const identity = await this.#options.identity(this.#refused).catch(() => null);
    if (this.#closed || this.#socket) return;
    if (!identity) return this.#retryLater();
    const socket = this.#options.connect(this.#server);
    this.#attach(socket);
    socket.addEventListener("open", () => {
      if (this.#socket === socket) this.#write(this.#hello(identity));
    });
  }

  /** Makes this socket the current one. */
  #attach(socket: WebSocket): void {
    this.#socket = socket;
    this.#heardAtMs = performance.now();
    // Every callback checks that it still belongs to the current socket: an orphan must change nothing.
    socket.addEventListener("message", (event: MessageEvent<unknown>) => {
      if (this.#socket === socket) this.#receive(String(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (this.#socket === socket) this.#lost(event.code);
    });
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => {
      if (this.#socket === socket) this.#beat();
    }, socketHeartbeatMs);
  }

  #hello(identity: ChatIdentity): ClientMessage {
    const resume = this.#session && { sessionId: this.#session.id, lastSequence: this.#session.lastSequence };
    const ticket = this.#options.ticket();
    return { type: "hello", ...identity, resume, ...(ticket !== null && { ticket }) };
  }

  /** Starts to move the chat session to a second socket, at the server `to` or any other. */
  #startMove(to: string | null): void {
    if (this.#move || !this.#live) return;
    const { connect, identity } = this.#options;
    clearTimeout(this.#moveTimer);
    this.#move = new SocketMove({
      connect: () => connect(to),
      identity: () => identity(false),
      settle: () => {
        this.#requests.ping();
        this.#settleMove();
      },
      hello: (who) => this.#hello(who),
      done: (second, texts) => this.#moved(second, texts),
      failed: () => this.#staysHere(to),
      sentTo: (server) => this.#movesElsewhere(server),
    });
  }

  /** Resolves when no move is running, after `socketMovePressMs` at the latest. */
  async whenSettled(): Promise<void> {
    if (!this.#move) return;
    await new Promise<void>((resolve) => {
      const settle = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(settle, socketMovePressMs);
      this.#settled.push(settle);
    });
  }

  get isMoving(): boolean {
    return this.#move !== null;
  }

  /** Another server has the user's call: says hello to that server. */
  #sentTo(server: string | null): void {
    this.#server = server;
    this.#sentCount += 1;
    if (this.#sentCount <= sentInRowMax) return this.#reconnectNow();
    this.#drop();
    this.#retryLater();
  }

  #moveEnded(): void {
    this.#move = null;
    for (const settle of this.#settled.splice(0)) settle();
  }

  #settleMove(): void {
    if (this.#requests.areSettled) this.#move?.settled();
  }

  /**
   * The session continues over the second socket. The owner is not notified, because the session was live all the time.
   */
  #moved(second: WebSocket, texts: readonly string[]): void {
    const first = this.#socket;
    this.#move = null;
    this.#acks.forget();
    this.#requests.lost();
    this.#attach(second);
    first?.close(4_000);
    for (const text of texts) if (this.#socket === second) this.#receive(text);
    if (!this.#move) this.#moveEnded();
  }

  /** The second server answered that `server` has the user's call. */
  #movesElsewhere(server: string | null): void {
    this.#moveEnded();
    if (this.#socket?.readyState !== WebSocket.OPEN) return this.#lost(socketCloseCodes.moved);
    this.#writeWaiting();
    if (server !== this.#server) this.#startMove(server);
  }

  #staysHere(to: string | null): void {
    this.#moveEnded();
    if (this.#socket?.readyState !== WebSocket.OPEN) return this.#lost(socketCloseCodes.moved);
    this.#writeWaiting();
    this.#moveTimer = setTimeout(() => this.#startMove(to), socketMoveRetryMs * (1 + Math.random()));
  }

  #endMove(): void {
    clearTimeout(this.#moveTimer);
    this.#move?.cancel();
    this.#moveEnded();
  }

  #receive(text: string): void {
    this.#heardAtMs = performance.now();
    this.#setQuiet(false);
    const frame = v.safeParse(serverMessageSchema, parseJson(text));
    // Skip an unknown message of a newer server: dropping the socket would end the call.
    if (!frame.success) return console.warn("invalid frame", frame.issues[0].message);
    this.#handle(frame.output);
  }

  #handle(frame: ServerMessage): void {
    switch (frame.type) {
      case "welcome":
        return this.#welcome(frame);
      case "pong":
        this.#requests.heardPong();
        return this.#settleMove();
      case "response":
        this.#requests.answered(frame);
        return this.#settleMove();
      case "move":
        return this.#live ? this.#startMove(frame.to ?? null) : this.#sentTo(frame.to ?? null);
      case "push":
      case "chat":
      case "social":
        return this.#handleNumbered(frame);
      case "chat-stored":
      case "signal":
      case "peer-media":
      case "peer-quality":
      case "reaction":
      case "two-choice":
      case "inspect":
      case "shield":
      case "told":
      case "presence":
      case "typing":
      case "error":
        return this.#options.onFrame(frame);
    }
  }

  #handleNumbered(frame: Extract<ServerMessage, { type: "push" | "chat" | "social" }>): void {
    if (!this.#session || frame.sequence <= this.#session.lastSequence) return;
    this.#session.lastSequence = frame.sequence;
    this.#acks.add(frame.sequence);
    this.#options.onFrame(frame);
  }

  #welcome(frame: Extract<ServerMessage, { type: "welcome" }>): void {
    // A session that was live and is resumed was moved: the owner has nothing to do.
    const isSame = this.#live && frame.resumed;
    if (this.#live && !isSame) this.#options.onDropped();
    this.#attempt = 0;
    this.#server = frame.server ?? null;
    this.#sentCount = 0;
    this.#live = true;
    if (!frame.resumed || !this.#session) {
      this.#session = { id: frame.sessionId, lastSequence: frame.sequence };
      this.#waiting = [];
    }
    this.#writeWaiting();
    if (!isSame) this.#options.onLive(frame.resumed);
  }

  #writeWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const kept of waiting) this.#write(kept);
  }

  #beat(): void {
    if (performance.now() - this.#heardAtMs > socketSilenceMs) return this.#reconnectNow();
    if (!this.#live) return;
    this.#requests.ping();
    this.#quietTimer ??= setTimeout(() => this.#setQuiet(true), socketAnswerMs);
  }

  #setQuiet(quiet: boolean): void {
    clearTimeout(this.#quietTimer);
    this.#quietTimer = undefined;
    if (this.#quiet === quiet) return;
    this.#quiet = quiet;
    this.#options.onQuiet(quiet);
  }

  /** Leaves the current socket without a clean close, so that the server keeps the session for its resumption. */
  #reconnectNow(): void {
    if (this.#closed) return;
    const socket = this.#socket;
    this.#drop();
    socket?.close(4_000);
    clearTimeout(this.#retryTimer);
    void this.#connect();
  }

  #lost(code: number): void {
    const end = ends.get(code);
    if (!end && this.#move?.isSettling) return this.#move.firstClosed();
    this.#drop();
    if (end) {
      this.close();
      return this.#options.onEnd(end);
    }
    // The server rejected the signature, which may have expired while the device slept: the next hello fetches a new
    // one.
    this.#refused = code === socketCloseCodes.badHello;
    if (this.#refused) this.#session = null;
    // A server that stops loses all clients at once.
    if (code === socketCloseCodes.goingAway) this.#attempt = Math.max(this.#attempt, jitterFromAttempt);
    this.#retryLater();
  }

  #drop(): void {
    const wasLive = this.#live;
    this.#endMove();
    this.#live = false;
    this.#socket = null;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#quietTimer);
    this.#quietTimer = undefined;
    this.#quiet = false;
    this.#acks.forget();
    this.#requests.lost();
    if (wasLive) this.#options.onDropped();
  }

  #retryLater(): void {
    if (this.#closed) return;
    const delayMs = reconnectDelayMs(this.#attempt, Math.random());
    this.#attempt += 1;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => void this.#connect(), delayMs);
  }

  #write(frame: ClientMessage): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const rides = frame.type !== "hello" && frame.type !== "ack";
    const ack = rides ? this.#acks.take() : null;
    this.#socket.send(JSON.stringify(ack === null ? frame : { ...frame, ack }));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Invalid JSON fails the schema as well.
    return null;
  }
}

/**
 * Combines the received messages of one socket into few acknowledgements. The owner calls `take` for each message that
 * can carry one, at the latest the next ping, `flush` before a clean close, and `forget` when the socket is lost: the
 * next hello then reports what was received.
 */
class SocketAcks {
  readonly #send: (sequence: number) => void;
  #newest = 0;
  #waiting = 0;

  constructor(send: (sequence: number) => void) {
    this.#send = send;
  }

  /** Sequences only grow, so the newest acknowledges all before it. */
  add(sequence: number): void {
    this.#newest = sequence;
    this.#waiting += 1;
    if (this.#waiting >= socketAckMessagesMax) this.flush();
  }

  /** The sequence to acknowledge, which the caller does; null: none. */
  take(): number | null {
    const hasWaited = this.#waiting > 0;
    this.forget();
    return hasWaited ? this.#newest : null;
  }

  flush(): void {
    const newest = this.take();
    if (newest !== null) this.#send(newest);
  }

  forget(): void {
    this.#waiting = 0;
  }
}

/** The first attempts come fast, because most drops are short; later ones spread out. */
const stepsMs = [0, 300, 1_200, 2_700, 4_800, 7_000] as const;
/** From this attempt on the delay is random up to its step, so that a crowd does not reconnect at once. */
const jitterFromAttempt = 2;

/** The delay before attempt number `attempt`, counted from 0; `random` is 0 to 1. */
export function reconnectDelayMs(attempt: number, random: number): number {
  const step = stepsMs[Math.min(attempt, stepsMs.length - 1)] ?? 0;
  return attempt < jitterFromAttempt ? step : Math.round(step * (0.2 + 0.8 * random));
}

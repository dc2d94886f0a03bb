import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { codes } from "@fava/wire/codes.ts";
import { socketMessageBytesMax, socketRequestsMax } from "@fava/wire/limits.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import { type Push, pushCodes } from "@fava/wire/pushes.ts";
import { type ClientMessage, type ServerMessage, socketCloseCodes, socketPath } from "@fava/wire/socket.ts";
import { Tasks } from "#lib/tasks.ts";
import type { Tracer } from "#lib/tracer.ts";
import type { Bus, ChatMessage, PassingMessage } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { HubListener, AnswerSocketRequest, SocketRequest } from "#ports/hub-listener.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { Limits } from "#ports/rate-limits.ts";
import { type AddressSocket, AddressSockets } from "./address-sockets.ts";
import { CorkedWrites } from "./corked-writes.ts";
import { type Door, wantedServer } from "./door.ts";
import type { HandoverHub, SessionState, PersonHomes, ReleasedSession, Resumption } from "./person-homes.ts";
import {
  adoptedConnection,
  canResume,
  closeTryAgainLater,
  openConnection,
  readClientMessage,
  type ClientConnection,
  type ConnectionEffect,
  type ConnectionEvent,
  RunningConnection,
} from "./resumable-connection.ts";

type Homes = Pick<PersonHomes, "claim" | "unclaim">;
type Hello = Extract<ClientMessage, { type: "hello" }>;

/** A socket with more unsent bytes is cut; its session can be resumed. */
const bufferedBytesMax = 1_048_576;
const tooMany = "429 Too Many Requests";
const unavailable = "503 Service Unavailable";
const tooManyRequests = {
  code: codes.slowDown,
  data: { retry_after: 1 },
  msg: "too many pending requests on one socket",
} as const;
/** Interval of the check of timeouts; each timeout is late by at most this. */
const sweepMs = 500;
const canWait: ReadonlySet<ServerMessage["type"]> = new Set(["chat-stored", "presence", "typing"] as const);

export interface HubOptions {
  /** The user and sign-in session of a chat id and signature; null if they are wrong or the session has ended. */
  verifyChatSign(
    tencentId: string,
    tencentSign: string,
    /** The client's address. */
    ip: string,
  ): Promise<{ readonly userId: bigint; readonly id: string } | null>;
  /** Makes this server the home of users whose pages send hello to it; omitted by a single server. */
  homes?: (() => Homes) | null;
  clock: Clock;
  random: Random;
  tracer?: Tracer;
  logger: Logger;
  addressOf(request: IncomingMessage): string;
  /** Id of this server if it is one of several; clients name it when they reconnect. */
  server?: ProcessId;
  /** Passes on upgrades for other servers; omitted by a single server. */
  door?: Pick<Door, "pass" | "passedBy">;
  limits: Pick<Limits, "take">;
  /** Multiplies the maximum number of open sockets of an address. */
  limitFactor: number;
  /** Maximum number of open sockets (503 beyond it), and of sessions (close code 1013 beyond it). */
  socketsMax: number;
}

/** The WebSocket endpoint: runs each user's connection state machine, and delivers the messages of the bus. */
export class Hub implements Bus, HandoverHub, AsyncDisposable {
  readonly #options: HubOptions;
  readonly #server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    clientTracking: false,
    maxPayload: socketMessageBytesMax,
  });
  readonly #writes = new CorkedWrites();
  readonly #connections = new OpenConnections();
  readonly #addresses: AddressSockets;
  /** Live and dropped sessions. */
  readonly #sessions = new Map<bigint, ChatSession>();
  readonly #answering: Tasks;
  // One function for all: a closure made in an upgrade would keep the request in memory while the socket is open.
  readonly #onUpgradeError = (error: Error) => this.#options.logger.debug({ error: error.message }, "upgrade error");
  #listeners: readonly Partial<HubListener>[] = [];
  #answerRequest: AnswerSocketRequest = () => Promise.reject(new Error("requests are not answered yet"));
  #sweep: Disposable | null = null;
  #takesMore = true;
  #stopping = false;
  readonly #ended = new LatelyEnded();

  constructor(options: HubOptions) {
    this.#options = options;
    this.#addresses = new AddressSockets(options.limitFactor);
    this.#answering = new Tasks(options);
  }

  /** `listeners` are notified of users in this order; they need the bus, so they are no constructor parameters. */
  attach(server: Server, listeners: readonly Partial<HubListener>[], answerRequest: AnswerSocketRequest): Disposable {
    this.#listeners = listeners;
    this.#answerRequest = answerRequest;
    const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#upgrade(request, socket, head).catch((error: unknown) => {
        this.#options.logger.error({ err: error }, "failed to handle an upgrade");
        socket.destroy();
      });
    };
    server.on("upgrade", onUpgrade);
    return { [Symbol.dispose]: () => server.off("upgrade", onUpgrade) };
  }

  push(userId: bigint, push: Push): boolean {
    const { clock, tracer } = this.#options;
    const sinceMs = clock.monotonicMs();
    const isTaken = this.#dispatchTo(userId, { type: "keep", message: { type: "push", push } });
    // A repeated push of a room was matched long before.
    if (push.code === pushCodes.matched && push.returned === null && isTaken)
      tracer?.record(push.traceparent, "match.push", { sinceMs, roomId: push.roomId });
    return isTaken;
  }

  chat(userId: bigint, line: ChatMessage): boolean {
    return this.#dispatchTo(userId, { type: "keep", message: line });
  }

  social(userId: bigint, event: SocialEvent): boolean {
    return this.#dispatchTo(userId, { type: "keep", message: { type: "social", event } });
  }

  pass(userId: bigint, message: PassingMessage): boolean {
    const session = this.#sessions.get(userId);
    if (session?.state.kind !== "live") return false;
    this.#dispatch(session, { type: "pass", message });
    return true;
  }

  async confirm(userId: bigint, push: Push): Promise<boolean> {
    return this.push(userId, push);
  }

  isHere(userId: bigint): boolean {
    return this.#sessions.has(userId);
  }

  async isPresent(userId: bigint): Promise<boolean> {
    return this.isHere(userId);
  }

  presentCount(): number {
    return this.#sessions.size;
  }

  /** Ends the chat session permanently, with a close code of `socketCloseCodes`. */
  disconnect(userId: bigint, closeCode: number): void {
    this.#ended.note(userId);
    this.#dispatchTo(userId, { type: "disconnect", code: closeCode });
  }

  /** Like `disconnect`, but only if the chat session belongs to this sign-in session and not to a later one. */
  signInEnded(userId: bigint, signInId: string, closeCode: number): void {
    this.#ended.note(userId);
    if (this.#sessions.get(userId)?.signInId === signInId) this.disconnect(userId, closeCode);
  }

  keptFor(userId: bigint, { sessionId, lastSequence }: Resumption): SessionState | null {
    const session = this.#sessions.get(userId);
    if (session?.id !== sessionId || !canResume(session.state, lastSequence)) return null;
    const { state } = session;
    if (state.kind !== "live" && state.kind !== "dropped") return null;
    const outbox = state.outbox.filter((message) => message.sequence > lastSequence);
    return { sequence: state.sequence, outbox };
  }

  release(userId: bigint, from: Resumption): ReleasedSession | null {
    const kept = this.keptFor(userId, from);
    const hasSaidAll = this.#sessions.get(userId)?.hasSaidAll ?? false;
    if (kept) this.#dispatchTo(userId, { type: "released" });
    return kept && { ...kept, hasSaidAll };
  }

  adopt(userId: bigint, sessionId: string, kept: SessionState): void {
    const state = adoptedConnection(kept, this.#options.clock.monotonicMs());
    const session = new ChatSession(sessionId, { socket: null, state });
    session.userId = userId;
    this.#sessions.set(userId, session);
    this.#tell((listener) => listener.arrived?.(userId));
    this.#armSweep();
  }

  signInIds(): string[] {
    // A chat session from another server has no sign-in session until its socket sends hello.
    return [...this.#sessions.values()].flatMap(({ signInId }) => (signInId === "" ? [] : [signInId]));
  }

  refuseMore(): void {
    this.#takesMore = false;
  }

  userIds(): bigint[] {
    return [...this.#sessions.keys()];
  }

  /** Asks the user's page to resume its chat session at the server `to`, or at any other one; false if it cannot. */
  move(userId: bigint, to?: ProcessId): boolean {
    const session = this.#sessions.get(userId);
    if (session?.state.kind !== "live" || !session.canMove) return false;
    session.isAskedToMove = true;
    this.#dispatch(session, { type: "pass", message: { type: "move", ...(to !== undefined && { to }) } });
    return true;
  }

  /** Whether the user's page follows `move`: its URL has the field `to`. */
  canMove(userId: bigint): boolean {
    return this.#sessions.get(userId)?.canMove ?? false;
  }

  /** Asks pages whose sockets come through that server, which is about to stop, to reconnect to this one. */
  moveThrough(server: ProcessId): void {
    for (const { via, session, socket } of this.#connections)
      if (via === server && session.socket === socket && session.userId !== null)
        this.move(session.userId, this.#options.server);
  }

  /** Drops the user's socket like a broken network, after which the page reconnects. */
  cut(userId: bigint): void {
    this.#sessions.get(userId)?.socket?.terminate();
  }

  /** Closes all sockets with a close frame, and terminates those still open after `stopGraceMs`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    for (const session of this.#sessions.values()) {
      this.#dispatch(session, { type: "disconnect", code: socketCloseCodes.goingAway });
    }
    for (const { session } of this.#connections) {
      this.#dispatch(session, { type: "disconnect", code: socketCloseCodes.goingAway });
    }
    await this.#connections.allClosed(this.#options.clock);
    await this.#answering[Symbol.asyncDispose]();
    this.#sweep?.[Symbol.dispose]();
    this.#sweep = null;
    this.#writes[Symbol.dispose]();
    this.#server.close();
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { limits } = this.#options;
    // The client may disconnect before the limits are checked.
    socket.on("error", this.#onUpgradeError);
    const refused = refusalOf(request);
    if (refused) return refuseUpgrade(socket, refused);
    // Also sockets for other servers: a proxy without health checks tries the next server on 503.
    if (this.#stopping || !this.#takesMore) return refuseUpgrade(socket, unavailable);
    const { door } = this.#options;
    const passed = door?.passedBy(request) ?? null;
    const address = passed?.address ?? this.#options.addressOf(request);
    // The other server applies the limits of the client's address.
    if (await door?.pass({ request, socket, head }, address)) return;
    if ((await limits.take("socketByAddress", address)) !== null) return refuseUpgrade(socket, tooMany);
    if (socket.destroyed) return;
    if (this.#stopping || !this.#takesMore || this.#connections.size >= this.#options.socketsMax)
      return refuseUpgrade(socket, unavailable);
    const counted = this.#addresses.open(address);
    if (!counted) return refuseUpgrade(socket, tooMany);
    // Before the handshake, which may fail. The WebSocket uses this same socket.
    socket.once("close", counted.closed);
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      this.#writes.attach(opened, socket);
      const userAgent = request.headers["user-agent"] ?? "";
      this.#open(opened, {
        counted,
        ip: address,
        userAgent,
        wanted: wantedServer(request.url),
        via: passed?.server ?? null,
      });
    });
  }

  #open(socket: WebSocket, from: Pick<Connection, "counted" | "ip" | "userAgent" | "wanted" | "via">): void {
    const { clock, random } = this.#options;
    const session = new ChatSession(randomId(random), { socket, state: openConnection(clock.monotonicMs()) });
    const connection: Connection = { socket, ...from, session, greeted: false, isSought: false, requests: 0 };
    this.#connections.add(connection);
    socket.on("message", (data, isBinary) => this.#receive(connection, data, isBinary));
    // The library answers control frames; they count as messages.
    socket.on("ping", () => this.#hear(connection));
    // A protocol error closes the socket; the `close` event below handles that.
    socket.on("error", (error) => this.#options.logger.debug({ error: error.message }, "socket error"));
    socket.on("close", (code) => this.#closed(connection, code));
    this.#armSweep();
  }

  #closed(connection: Connection, code: number): void {
    this.#connections.delete(connection);
    const { session, socket } = connection;
    if (session.socket === socket) {
      session.socket = null;
      this.#dispatch(session, { type: "socket-closed", code, nowMs: this.#options.clock.monotonicMs() });
    }
  }

  #hear(connection: Connection): void {
    this.#dispatch(connection.session, {
      type: "message",
      nowMs: this.#options.clock.monotonicMs(),
      bytes: 0,
      problem: null,
    });
  }

  #receive(connection: Connection, data: RawData, isBinary: boolean): void {
    const { session } = connection;
    // Ignores a socket that is closing, or whose session has another socket.
    if (session.state.kind === "ended" || session.socket !== connection.socket) return;
    const read = readClientMessage(data, isBinary);
    const known = session.userId !== null;
    const message = "message" in read ? read.message : null;
    const misplaced = message !== null && (message.type === "hello") === (known || connection.greeted);
    const problem = misplaced
      ? ({ reason: "bad_frame", clientId: null } as const)
      : "problem" in read
        ? read.problem
        : null;
    const bytes = Buffer.isBuffer(data) ? data.length : 0;
    this.#dispatch(session, { type: "message", nowMs: this.#options.clock.monotonicMs(), bytes, problem });
    if (!message || problem) return;
    if (message.type === "hello") this.#beginGreeting(connection, message);
    else if (session.state.kind === "live" && session.userId !== null) this.#serve(connection, session.userId, message);
  }

  #serve(connection: Connection, userId: bigint, message: Exclude<ClientMessage, Hello>): void {
    const { session } = connection;
    // A moving page sends a ping as its last message, and moves after the answer.
    session.isLastAPing = message.type === "ping";
    const arrived = message.type === "ack" ? message.sequence : message.ack;
    if (arrived !== undefined) this.#dispatch(session, { type: "acknowledged", sequence: arrived });
    switch (message.type) {
      case "ack":
        return undefined;
      case "ping":
        return this.#dispatch(session, { type: "pass", message: { type: "pong" } });
      case "signal":
      case "chat":
      case "media":
      case "quality":
      case "reaction":
      case "two-choice":
        return this.#tell((listener) => listener.roomMessage?.(userId, message));
      case "preview":
        return this.#tell((listener) => listener.preview?.(userId));
      case "search-media":
        return this.#tell((listener) => listener.searchMedia?.(userId, message.state));
      case "relayed":
        return this.#tell((listener) => listener.relayed?.(userId, message.roomId, message.bytes));
      case "typing":
        return this.#tell((listener) => listener.typing?.(userId, message.externalId));
      case "request":
        return this.#answer(connection, userId, message);
    }
  }

  #answer(connection: Connection, userId: bigint, message: SocketRequest["message"]): void {
    const { ip, userAgent } = connection;
    if (connection.requests >= socketRequestsMax) return this.#respond(connection, message.id, tooManyRequests);
    connection.requests += 1;
    this.#answering.add("failed to answer a request over the socket", async () => {
      const answered = this.#answerRequest({ userId, ip, userAgent, message });
      this.#respond(connection, message.id, await answered.finally(() => (connection.requests -= 1)));
    });
  }

  /** If the requesting socket is gone, the client asks by POST for the outcome. */
  #respond({ session, socket }: Connection, id: number, answer: Awaited<ReturnType<AnswerSocketRequest>>): void {
    if (session.socket !== socket) return;
    this.#dispatch(session, { type: "pass", message: { type: "response", id, answer } });
  }

  #beginGreeting(connection: Connection, hello: Hello): void {
    connection.greeted = true;
    this.#greet(connection, hello).catch((error: unknown) => {
      this.#options.logger.error({ err: error }, "failed to verify a hello");
      this.#dispatch(connection.session, { type: "disconnect", code: closeTryAgainLater });
    });
  }

  async #greet(connection: Connection, hello: Hello): Promise<void> {
    const since = this.#ended.count;
    const identity = await this.#options.verifyChatSign(hello.tencentId, hello.tencentSign, connection.ip);
    const { session: newSession, socket } = connection;
    if (newSession.state.kind !== "awaiting-hello") return;
    // The user was signed out during the verification: verifies again.
    if (identity && this.#ended.mayHave(identity.userId, since)) return this.#greet(connection, hello);
    if (!identity) return this.#dispatch(newSession, { type: "hello-refused" });
    connection.counted.greeted();
    const nowMs = this.#options.clock.monotonicMs();
    const earlier = this.#sessions.get(identity.userId);
    const { homes } = this.#options;
    if (!earlier && homes && !connection.isSought)
      return this.#claim(connection, hello, { userId: identity.userId, homes: homes() });
    if (earlier && hello.resume?.sessionId === earlier.id && canResume(earlier.state, hello.resume.lastSequence)) {
      this.#dispatch(newSession, { type: "handed-over" });
      connection.session = earlier;
      earlier.signInId = identity.id;
      earlier.canMove = connection.wanted !== null;
      // The page uses the new socket, even if the operating system still considers the old one open.
      const lost = earlier.socket;
      earlier.socket = socket;
      lost?.terminate();
      const { lastSequence } = hello.resume;
      this.#dispatch(earlier, { type: "resumed", sessionId: earlier.id, lastSequence, nowMs });
      return this.#tellReturned(identity.userId, hello);
    }
    if (earlier) this.#dispatch(earlier, { type: "disconnect", code: socketCloseCodes.replaced });
    if (this.#sessions.size >= this.#options.socketsMax) {
      return this.#dispatch(newSession, { type: "disconnect", code: closeTryAgainLater });
    }
    newSession.userId = identity.userId;
    newSession.signInId = identity.id;
    newSession.canMove = connection.wanted !== null;
    this.#sessions.set(identity.userId, newSession);
    this.#dispatch(newSession, { type: "greeted", sessionId: newSession.id, nowMs });
    this.#tellReturned(identity.userId, hello);
  }

  #tellReturned(userId: bigint, { ticket }: Hello): void {
    if (ticket !== undefined) this.#tell((listener) => listener.returned?.(userId, ticket));
  }

  /** Makes this server the user's home and greets the page, or sends the page to the server with its call. */
  async #claim(
    connection: Connection,
    hello: Hello,
    { userId, homes }: { userId: bigint; homes: Homes },
  ): Promise<void> {
    connection.isSought = true;
    const place = await homes.claim(userId, { resume: hello.resume, ticket: hello.ticket ?? null });
    const { session } = connection;
    if (session.state.kind === "awaiting-hello") {
      if (place === null) return this.#greet(connection, hello);
      // A page that named that server came to this one because a door could not reach that server.
      if (place !== connection.wanted) return this.#sendTo(place, session);
      return this.#dispatch(session, { type: "disconnect", code: closeTryAgainLater });
    }
    // The socket was lost meanwhile; the next one finds the session at this server.
    if (this.#sessions.get(userId)?.socket === null) this.#tell((listener) => listener.dropped?.(userId));
    else if (place === null) homes.unclaim(userId);
  }

  #sendTo(server: ProcessId, session: ChatSession): void {
    this.#send(session, { type: "move", to: server });
    this.#dispatch(session, { type: "disconnect", code: socketCloseCodes.moved });
  }

  #dispatchTo(userId: bigint, event: ConnectionEvent): boolean {
    const session = this.#sessions.get(userId);
    if (!session) return false;
    this.#dispatch(session, event);
    return true;
  }

  #dispatch(session: ChatSession, event: ConnectionEvent): void {
    const before = session.state.kind;
    const effects = session.connection.step(event);
    const { state } = session;
    if (state.kind !== before) {
      const about = { userId: String(session.userId), from: before, to: state.kind, by: event.type };
      this.#options.logger.debug(about, "chat session");
    }
    const { userId } = session;
    if (state.kind === "ended" && userId !== null && this.#sessions.get(userId) === session)
      this.#sessions.delete(userId);
    for (const effect of effects) this.#run(session, effect);
  }

  #run(session: ChatSession, effect: ConnectionEffect): void {
    const { userId } = session;
    switch (effect.type) {
      case "send":
        return this.#send(session, this.#named(effect.message));
      case "close":
        if (session.socket) this.#writes.flush(session.socket);
        return session.socket?.close(effect.code);
      case "cut":
        session.socket?.terminate();
        session.socket = null;
        return;
      case "arrived":
      case "dropped":
      case "resumed":
        if (userId !== null) this.#tell((listener) => listener[effect.type]?.(userId));
        return;
      case "gone":
        if (userId !== null) this.#tell((listener) => listener.gone?.(userId, effect.how));
        return;
      case "unheard":
        if (userId !== null) this.#tell((listener) => listener.unheard?.(userId, effect.messages));
    }
  }

  #named(message: ServerMessage): ServerMessage {
    const { server } = this.#options;
    return message.type === "welcome" && server !== undefined ? { ...message, server } : message;
  }

  #send(session: ChatSession, message: ServerMessage): void {
    const { socket } = session;
    if (!socket || socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > bufferedBytesMax) {
      this.#options.logger.warn({ userId: String(session.userId) }, "socket accepts no data, cutting it");
      return socket.terminate();
    }
    this.#writes.send(socket, JSON.stringify(message), canWait.has(message.type));
  }

  #tell(say: (listener: Partial<HubListener>) => void): void {
    for (const listener of this.#listeners) {
      try {
        say(listener);
      } catch (error) {
        // An error for one user must not affect another user's socket, or the sweep.
        this.#options.logger.error({ err: error }, "listener failed");
      }
    }
  }

  #armSweep(): void {
    if (this.#sweep || this.#stopping) return;
    this.#sweep = this.#options.clock.after(sweepMs, () => {
      this.#sweep = null;
      const tick = { type: "tick", nowMs: this.#options.clock.monotonicMs() } as const;
      for (const session of this.#sessions.values()) this.#dispatch(session, tick);
      for (const { session } of this.#connections) {
        if (session.state.kind === "awaiting-hello") this.#dispatch(session, tick);
      }
      if (this.#sessions.size > 0 || this.#connections.size > 0) this.#armSweep();
    });
  }
}

/** Beyond this number, hellos in progress are verified again. */
const endedMax = 10_000;

/** Remembers whose sessions ended while a hello was being verified, in memory bounded by `endedMax`. */
class LatelyEnded {
  count = 0;
  /** The `count` at each user's last end. */
  readonly #ends = new Map<bigint, number>();
  /** The users of the first `#forgotten` ends are unknown. */
  #forgotten = 0;

  note(userId: bigint): void {
    if (this.#ends.size >= endedMax) {
      this.#ends.clear();
      this.#forgotten = this.count;
    }
    this.count += 1;
    this.#ends.set(userId, this.count);
  }

  /** Whether the user's session ended after `count` was `since`; also true if unknown. */
  mayHave(userId: bigint, since: number): boolean {
    return since < this.#forgotten || (this.#ends.get(userId) ?? 0) > since;
  }
}

/** Grace period for the clients' close frames. */
const stopGraceMs = 2_000;

class OpenConnections implements Iterable<Connection> {
  readonly #open = new Set<Connection>();
  #emptied: (() => void) | null = null;

  get size(): number {
    return this.#open.size;
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.#open.values();
  }

  add(connection: Connection): void {
    this.#open.add(connection);
  }

  delete(connection: Connection): void {
    this.#open.delete(connection);
    if (this.#open.size === 0) this.#emptied?.();
  }

  /** Waits until all are closed, and terminates the rest after `stopGraceMs`. */
  async allClosed(clock: Clock): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      const grace = clock.after(stopGraceMs, () => {
        for (const { socket } of this.#open) socket.terminate();
      });
      this.#emptied = () => {
        grace[Symbol.dispose]();
        resolve();
      };
    });
  }
}

class ChatSession {
  readonly id: string;
  readonly connection: RunningConnection;
  /** Null until the hello was verified. */
  userId: bigint | null = null;
  /** The sign-in session of the last hello; empty before. */
  signInId = "";
  /** Null while dropped. */
  socket: WebSocket | null;
  canMove = false;
  isAskedToMove = false;
  /** The last received message is a ping. */
  isLastAPing = false;

  constructor(id: string, { socket, state }: { socket: WebSocket | null; state: ClientConnection }) {
    this.id = id;
    this.socket = socket;
    this.connection = new RunningConnection(state);
  }

  get state(): ClientConnection {
    return this.connection.state;
  }

  /** The page is moving, and has sent its last message over this socket. */
  get hasSaidAll(): boolean {
    return this.state.kind === "live" && this.isAskedToMove && this.isLastAPing;
  }
}

/** One socket. Its session changes once, when its hello resumes an earlier session. */
interface Connection {
  readonly socket: WebSocket;
  readonly counted: AddressSocket;
  readonly ip: string;
  readonly userAgent: string;
  /** The server that its URL names, empty: any; null: the client does not follow `move`. */
  readonly wanted: ProcessId | null;
  /** The server that passed it on; null: none. */
  readonly via: ProcessId | null;
  session: ChatSession;
  /** A hello has arrived. */
  greeted: boolean;
  isSought: boolean;
  requests: number;
}

/** Status with which to refuse an upgrade; null: accept it (rule SOCKET-70). */
function refusalOf(request: Pick<IncomingMessage, "url" | "headers">): string | null {
  if (request.url?.split("?", 1)[0] !== socketPath) return "404 Not Found";
  return isOwnOrigin(request.headers.origin, request.headers.host) ? null : "403 Forbidden";
}

function refuseUpgrade(socket: Duplex, status: string): void {
  // The client may have reset the connection already.
  socket.on("error", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Programs send no origin and have no cookies or other ambient credentials, so they may open it, too. */
function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  if (host === undefined || !URL.canParse(origin)) return false;
  const page = new URL(origin);
  // Parsing our own host with the page's scheme ignores a default port that only one of the two contains.
  const own = `${page.protocol}//${host}`;
  return URL.canParse(own) && page.host !== "" && new URL(own).host === page.host;
}

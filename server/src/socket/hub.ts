import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { socketFrameBytesMax } from "@fava/wire/limits.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import type { Push } from "@fava/wire/pushes.ts";
import { type ClientFrame, type ServerFrame, socketCloseCodes } from "@fava/wire/socket.ts";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { Bus, ChatFrame, PassingFrame } from "#ports/bus.ts";
import { randomId } from "#ports/random.ts";
import { ChatSession, type Connection } from "./chat-session.ts";
import type { HubListener, HubOptions } from "./hub-listener.ts";
import { readFrame } from "./frame-reader.ts";
import { type AddressSocket, AddressSockets } from "./address-sockets.ts";
import { GatheredWrites } from "./gathered-writes.ts";
import { OpenConnections } from "./open-connections.ts";
import {
  canResume,
  closeTryAgainLater,
  type SessionEffect,
  type SessionEvent,
  stepSession,
} from "./session-machine.ts";
import { refusalOf, refuseUpgrade } from "./upgrade.ts";

type Hello = Extract<ClientFrame, { type: "hello" }>;

/** A socket that takes nothing off our hands for this many bytes is cut; its session can be resumed. */
const bufferedBytesMax = 1_048_576;
const tooMany = "429 Too Many Requests";
/** How often time-outs are looked at; each is late by this at most. */
const sweepMs = 500;
/** Frames that nobody waits for. */
const canWait: ReadonlySet<ServerFrame["type"]> = new Set(["chat-stored", "presence", "typing"] as const);

/** The one WebSocket of the product: runs the session machine of every person and carries the bus. */
export class Hub implements Bus, AsyncDisposable {
  readonly #options: HubOptions;
  readonly #server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    clientTracking: false,
    maxPayload: socketFrameBytesMax,
  });
  readonly #writes = new GatheredWrites();
  readonly #connections = new OpenConnections();
  readonly #addresses: AddressSockets;
  /** Live and dropped sessions. */
  readonly #sessions = new Map<bigint, ChatSession>();
  readonly #listeners: Partial<HubListener>[] = [];
  #sweep: Disposable | null = null;
  #stopping = false;
  #disconnects = 0;

  constructor(options: HubOptions) {
    this.#options = options;
    this.#addresses = new AddressSockets(options.limitFactor);
  }

  /** Adds a listener; apart from the constructor because listeners need the bus. */
  listen(listener: Partial<HubListener>): void {
    this.#listeners.push(listener);
  }

  /** Takes the upgrades of an HTTP server; disposing gives them back. */
  attach(server: Server): Disposable {
    const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#upgrade(request, socket, head).catch((error: unknown) => {
        this.#options.logger.error({ err: error }, "an upgrade failed");
        socket.destroy();
      });
    };
    server.on("upgrade", onUpgrade);
    return { [Symbol.dispose]: () => server.off("upgrade", onUpgrade) };
  }

  push(userId: bigint, push: Push): boolean {
    return this.#dispatchTo(userId, { type: "keep", frame: { type: "push", push } });
  }

  chat(userId: bigint, line: ChatFrame): boolean {
    return this.#dispatchTo(userId, { type: "keep", frame: line });
  }

  social(userId: bigint, event: SocialEvent): boolean {
    return this.#dispatchTo(userId, { type: "keep", frame: { type: "social", event } });
  }

  pass(userId: bigint, frame: PassingFrame): boolean {
    const session = this.#sessions.get(userId);
    if (session?.state.kind !== "live") return false;
    this.#dispatch(session, { type: "pass", frame });
    return true;
  }

  isPresent(userId: bigint): boolean {
    return this.#sessions.has(userId);
  }

  presentCount(): number {
    return this.#sessions.size;
  }

  disconnect(userId: bigint, closeCode: number): void {
    this.#disconnects += 1;
    this.#dispatchTo(userId, { type: "disconnect", code: closeCode });
  }

  /** Says goodbye to everybody and waits, bounded, until the sockets are closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    for (const session of this.#sessions.values()) {
      this.#dispatch(session, { type: "disconnect", code: socketCloseCodes.goingAway });
    }
    for (const { session } of this.#connections) {
      this.#dispatch(session, { type: "disconnect", code: socketCloseCodes.goingAway });
    }
    await this.#connections.allClosed(this.#options.clock);
    this.#sweep?.[Symbol.dispose]();
    this.#sweep = null;
    this.#writes[Symbol.dispose]();
    this.#server.close();
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { limits, logger } = this.#options;
    // The other end may go while its address is looked up.
    socket.on("error", (error) => logger.debug({ error: error.message }, "upgrade error"));
    const refused = refusalOf(request);
    if (refused) return refuseUpgrade(socket, refused);
    const address = this.#options.addressOf(request);
    if ((await limits.take("socketByAddress", address)) !== null) return refuseUpgrade(socket, tooMany);
    if (socket.destroyed) return;
    if (this.#stopping || this.#connections.size >= this.#options.socketsMax)
      return refuseUpgrade(socket, "503 Service Unavailable");
    const counted = this.#addresses.open(address);
    if (!counted) return refuseUpgrade(socket, tooMany);
    // Before the handshake, which may fail; the socket of the WebSocket is this one.
    socket.once("close", () => counted.closed());
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      this.#writes.attach(opened, socket);
      this.#open(opened, counted);
    });
  }

  #open(socket: WebSocket, counted: AddressSocket): void {
    const { clock, random } = this.#options;
    const session = new ChatSession(randomId(random), { socket, atMs: clock.monotonicMs() });
    const connection: Connection = { socket, counted, session, greeted: false };
    this.#connections.add(connection);
    socket.on("message", (data, isBinary) => this.#receive(connection, data, isBinary));
    // Control frames are answered by the library and cost the same as any other.
    socket.on("ping", () => this.#hear(connection));
    // A protocol error closes the socket by itself; the `close` event below says what became of it.
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
      type: "frame",
      nowMs: this.#options.clock.monotonicMs(),
      bytes: 0,
      problem: null,
    });
  }

  #receive(connection: Connection, data: RawData, isBinary: boolean): void {
    const { session } = connection;
    // A socket that is closing, or whose session moved to another one, has nothing more to say.
    if (session.state.kind === "ended" || session.socket !== connection.socket) return;
    const read = readFrame(data, isBinary);
    const known = session.userId !== null;
    const frame = "frame" in read ? read.frame : null;
    const misplaced = frame !== null && (frame.type === "hello") === (known || connection.greeted);
    const problem = misplaced
      ? ({ reason: "bad_frame", clientId: null } as const)
      : "problem" in read
        ? read.problem
        : null;
    const bytes = Buffer.isBuffer(data) ? data.length : 0;
    this.#dispatch(session, { type: "frame", nowMs: this.#options.clock.monotonicMs(), bytes, problem });
    if (!frame || problem) return;
    if (frame.type === "hello") this.#beginGreeting(connection, frame);
    else if (session.state.kind === "live" && session.userId !== null) this.#serve(session, session.userId, frame);
  }

  #serve(session: ChatSession, userId: bigint, frame: Exclude<ClientFrame, Hello>): void {
    switch (frame.type) {
      case "ping":
        return this.#dispatch(session, { type: "pass", frame: { type: "pong" } });
      case "ack":
        return this.#dispatch(session, { type: "acknowledged", sequence: frame.sequence });
      case "signal":
      case "chat":
      case "media":
        return this.#tell((listener) => listener.roomFrame?.(userId, frame));
      case "typing":
        return this.#tell((listener) => listener.typing?.(userId, frame.externalId));
    }
  }

  #beginGreeting(connection: Connection, hello: Hello): void {
    connection.greeted = true;
    this.#greet(connection, hello).catch((error: unknown) => {
      this.#options.logger.error({ err: error }, "hello could not be verified");
      this.#dispatch(connection.session, { type: "disconnect", code: closeTryAgainLater });
    });
  }

  async #greet(connection: Connection, hello: Hello): Promise<void> {
    const disconnects = this.#disconnects;
    const identity = await this.#options.verifyChatSign(hello.tencentId, hello.tencentSign);
    const { session: guest, socket } = connection;
    if (guest.state.kind !== "awaiting-hello") return;
    // Somebody was signed out while this was read: it may be whom the answer lets in, so the question is asked again.
    if (identity && disconnects !== this.#disconnects) return this.#greet(connection, hello);
    if (!identity) return this.#dispatch(guest, { type: "hello-refused" });
    connection.counted.greeted();
    const nowMs = this.#options.clock.monotonicMs();
    const earlier = this.#sessions.get(identity.userId);
    if (earlier && hello.resume?.sessionId === earlier.id && canResume(earlier.state, hello.resume.lastSequence)) {
      this.#dispatch(guest, { type: "handed-over" });
      connection.session = earlier;
      // The old socket is lost, whatever the operating system believes: its owner speaks through the new one.
      const lost = earlier.socket;
      earlier.socket = socket;
      lost?.terminate();
      const { lastSequence } = hello.resume;
      return this.#dispatch(earlier, { type: "resumed", sessionId: earlier.id, lastSequence, nowMs });
    }
    if (earlier) this.#dispatch(earlier, { type: "disconnect", code: socketCloseCodes.replaced });
    if (this.#sessions.size >= this.#options.socketsMax) {
      return this.#dispatch(guest, { type: "disconnect", code: closeTryAgainLater });
    }
    guest.userId = identity.userId;
    this.#sessions.set(identity.userId, guest);
    this.#dispatch(guest, { type: "greeted", sessionId: guest.id, nowMs });
  }

  #dispatchTo(userId: bigint, event: SessionEvent): boolean {
    const session = this.#sessions.get(userId);
    if (!session) return false;
    this.#dispatch(session, event);
    return true;
  }

  #dispatch(session: ChatSession, event: SessionEvent): void {
    const before = session.state.kind;
    const { state, effects } = stepSession(session.state, event);
    session.state = state;
    if (state.kind !== before) {
      const about = { userId: String(session.userId), from: before, to: state.kind, by: event.type };
      this.#options.logger.debug(about, "chat session");
    }
    const { userId } = session;
    if (state.kind === "ended" && userId !== null && this.#sessions.get(userId) === session)
      this.#sessions.delete(userId);
    for (const effect of effects) this.#run(session, effect);
  }

  #run(session: ChatSession, effect: SessionEffect): void {
    const { userId } = session;
    switch (effect.type) {
      case "send":
        return this.#send(session, effect.frame);
      case "close":
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
    }
  }

  #send(session: ChatSession, frame: ServerFrame): void {
    const { socket } = session;
    if (!socket || socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > bufferedBytesMax) {
      this.#options.logger.warn({ userId: String(session.userId) }, "socket takes nothing; cut");
      return socket.terminate();
    }
    this.#writes.send(socket, JSON.stringify(frame), canWait.has(frame.type));
  }

  #tell(say: (listener: Partial<HubListener>) => void): void {
    for (const listener of this.#listeners) {
      try {
        say(listener);
      } catch (error) {
        // One person's fault must not take the socket of another, or the sweep, with it.
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

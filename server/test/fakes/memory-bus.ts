import type { SocialEvent } from "@fava/wire/messages.ts";
import type { Push } from "@fava/wire/pushes.ts";
import type { Bus, ChatMessage, PassingMessage } from "#ports/bus.ts";
import type { HubListener } from "#ports/hub-listener.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { HandoverHub, SessionState, ReleasedSession, Resumption } from "../../src/edge/socket/person-homes.ts";
import {
  adoptedConnection,
  canResume,
  openConnection,
  type ClientConnection,
  type ConnectionEvent,
  stepConnection,
} from "../../src/edge/socket/resumable-connection.ts";

export type Delivered = Push | ChatMessage | PassingMessage | { type: "social"; event: SocialEvent };

/**
 * A bus without sockets. Runs the real connection machine for each user and keeps what the user received. Tests and the
 * simulation control connections, losses and returns.
 */
export class MemoryBus implements Bus, HandoverHub {
  listener: Partial<HubListener> | null = null;
  /** Receives requests to move a page. Returns whether the page can move. */
  asksToMove: (userId: bigint, to: ProcessId) => boolean = () => false;
  readonly #people = new Map<bigint, { connection: ClientConnection; inbox: Delivered[]; sequence: number }>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  push(userId: bigint, push: Push): boolean {
    return this.#send(userId, { type: "keep", message: { type: "push", push } });
  }

  chat(userId: bigint, line: ChatMessage): boolean {
    return this.#send(userId, { type: "keep", message: line });
  }

  social(userId: bigint, event: SocialEvent): boolean {
    return this.#send(userId, { type: "keep", message: { type: "social", event } });
  }

  pass(userId: bigint, message: PassingMessage): boolean {
    if (this.#people.get(userId)?.connection.kind !== "live") return false;
    return this.#send(userId, { type: "pass", message });
  }

  async confirm(userId: bigint, push: Push): Promise<boolean> {
    return this.push(userId, push);
  }

  isHere(userId: bigint): boolean {
    return this.#people.has(userId);
  }

  async isPresent(userId: bigint): Promise<boolean> {
    return this.isHere(userId);
  }

  presentCount(): number {
    return this.#people.size;
  }

  disconnect(userId: bigint, closeCode: number): void {
    this.#send(userId, { type: "disconnect", code: closeCode });
  }

  /** Starts a new chat session, as a new page does. Replaces the user's earlier one. */
  arrive(userId: bigint): void {
    this.disconnect(userId, 4006);
    this.#people.set(userId, { connection: openConnection(this.#nowMs()), inbox: [], sequence: 0 });
    this.#send(userId, { type: "greeted", sessionId: String(userId), nowMs: this.#nowMs() });
  }

  /** Code 1006: the socket breaks. Code 1001: the page was closed. */
  close(userId: bigint, code: number): void {
    this.#send(userId, { type: "socket-closed", code, nowMs: this.#nowMs() });
  }

  resume(userId: bigint): void {
    const person = this.#people.get(userId);
    const lastSequence = person?.sequence ?? 0;
    this.#send(userId, { type: "resumed", sessionId: String(userId), lastSequence, nowMs: this.#nowMs() });
  }

  /** From where the user's page would resume. */
  resumption(userId: bigint): Resumption {
    return { sessionId: String(userId), lastSequence: this.#people.get(userId)?.sequence ?? 0 };
  }

  keptFor(userId: bigint, { lastSequence }: Resumption): SessionState | null {
    const { connection } = this.#people.get(userId) ?? {};
    if (connection?.kind !== "live" && connection?.kind !== "dropped") return null;
    if (!canResume(connection, lastSequence)) return null;
    const outbox = connection.outbox.filter((message) => message.sequence > lastSequence);
    return { sequence: connection.sequence, outbox };
  }

  release(userId: bigint, from: Resumption): ReleasedSession | null {
    const kept = this.keptFor(userId, from);
    if (kept) this.#send(userId, { type: "released" });
    return kept && { ...kept, hasSaidAll: true };
  }

  move(userId: bigint, to: ProcessId): boolean {
    return this.isLive(userId) && this.asksToMove(userId, to);
  }

  adopt(userId: bigint, _sessionId: string, kept: SessionState): void {
    const connection = adoptedConnection(kept, this.#nowMs());
    this.#people.set(userId, { connection, inbox: [], sequence: kept.sequence - kept.outbox.length });
    this.listener?.arrived?.(userId);
  }

  /** Runs due timeouts. Open connections count as active. */
  tick(): void {
    for (const [userId, { connection }] of this.#people) {
      if (connection.kind === "live")
        this.#send(userId, { type: "message", nowMs: this.#nowMs(), bytes: 0, problem: null });
      this.#send(userId, { type: "tick", nowMs: this.#nowMs() });
    }
  }

  isLive(userId: bigint): boolean {
    return this.#people.get(userId)?.connection.kind === "live";
  }

  /** What reached the user since the last call, oldest first. */
  take(userId: bigint): Delivered[] {
    return this.#people.get(userId)?.inbox.splice(0) ?? [];
  }

  #send(userId: bigint, event: ConnectionEvent): boolean {
    const person = this.#people.get(userId);
    if (!person) return false;
    const { state, effects } = stepConnection(person.connection, event);
    person.connection = state;
    if (state.kind === "ended") this.#people.delete(userId);
    for (const effect of effects) {
      if (effect.type === "send") this.#deliver(person, effect.message);
      else if (effect.type === "gone") this.listener?.gone?.(userId, effect.how);
      else if (effect.type === "unheard") this.listener?.unheard?.(userId, effect.messages);
      else if (effect.type !== "close" && effect.type !== "cut") this.listener?.[effect.type]?.(userId);
    }
    return true;
  }

  #deliver(person: { inbox: Delivered[]; sequence: number; connection: ClientConnection }, message: SentMessage): void {
    if (message.type === "push" || message.type === "chat" || message.type === "social") {
      const { sequence, ...kept } = message;
      person.sequence = sequence;
      person.inbox.push(kept.type === "push" ? kept.push : kept);
      person.connection = stepConnection(person.connection, { type: "acknowledged", sequence }).state;
    } else if (!isOfSocket(message)) person.inbox.push(message);
  }
}

/** Messages about the socket itself, which no user sees. */
function isOfSocket(message: SentMessage): message is Extract<SentMessage, OfSocket> {
  return ofSocket.has(message.type);
}

type OfSocket = { type: "welcome" | "pong" | "response" | "move" };
const ofSocket: ReadonlySet<SentMessage["type"]> = new Set<OfSocket["type"]>(["welcome", "pong", "response", "move"]);

type SentMessage = Extract<ReturnType<typeof stepConnection>["effects"][number], { type: "send" }>["message"];

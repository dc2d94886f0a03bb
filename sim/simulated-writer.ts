import type { Conversation, Message, SocialEvent } from "@fava/wire/messages.ts";
import type { HubWorld } from "@fava/server/test/fixtures/hub-world.ts";
import type { MessageWorld } from "@fava/server/test/fixtures/message-world.ts";
import type { SocketClient } from "@fava/server/test/fixtures/socket-client.ts";

interface Thread {
  otherId: bigint;
  /** By id, in the order of arrival. */
  messages: Map<bigint, Message>;
  unreadCount: number;
  /** The highest message id in an event of this session. */
  toldUpTo: bigint;
}

export interface WriterOptions {
  userId: bigint;
  externalId: string;
  world: MessageWorld;
  hub: HubWorld;
}

/** One browser with its own WebSocket: knows only what events and lists contained. */
export class SimulatedWriter {
  readonly userId: bigint;
  readonly externalId: string;
  readonly threads = new Map<string, Thread>();
  unreadTotal = 0;
  /** Violations of the protocol. */
  readonly problems: string[] = [];
  readonly #world: MessageWorld;
  readonly #hub: HubWorld;
  #client: SocketClient | null = null;
  #session = { sessionId: "", lastSequence: 0 };

  constructor({ userId, externalId, world, hub }: WriterOptions) {
    this.userId = userId;
    this.externalId = externalId;
    this.#world = world;
    this.#hub = hub;
  }

  get isConnected(): boolean {
    return this.#client !== null;
  }

  /** Reconnects: the session continues, or a new one begins with the lists. */
  async connect(): Promise<"resumed" | "begun"> {
    const client = await this.#hub.connect();
    const { sessionId, resumed } = await client.hello(this.externalId, this.#session.sessionId ? this.#session : null);
    this.#client = client;
    if (resumed) return "resumed";
    this.#session = { sessionId, lastSequence: 0 };
    for (const thread of this.threads.values()) thread.toldUpTo = 0n;
    await this.#catchUp();
    return "begun";
  }

  /** The connection breaks without a close frame, which loses everything in flight. */
  lose(): void {
    this.#takeReceived();
    this.#client?.socket.terminate();
    this.#client = null;
  }

  /** The page is closed. */
  close(): void {
    this.#client?.socket.close(1001);
    this.#client = null;
  }

  /** Handles everything that the server sent before it answers this. */
  async hear(): Promise<void> {
    await this.#client?.settled();
    this.#takeReceived();
    this.#client?.send({ type: "ack", sequence: this.#session.lastSequence });
  }

  async readNewest(externalId: string): Promise<void> {
    const thread = this.threads.get(externalId);
    const newest = thread && [...thread.messages.keys()].toSorted(compare).at(-1);
    if (thread && newest !== undefined) await this.#world.read(this.userId, thread.otherId, String(newest));
  }

  #takeReceived(): void {
    for (const message of this.#client?.received.splice(0) ?? []) {
      if (message.type !== "social") continue;
      const { lastSequence } = this.#session;
      if (message.sequence !== lastSequence + 1)
        this.problems.push(`${this.userId} was sent message ${message.sequence} after ${lastSequence}`);
      this.#session.lastSequence = message.sequence;
      this.#takeEvent(message.event);
    }
  }

  #takeEvent(event: SocialEvent): void {
    if ("unread_total" in event) this.unreadTotal = event.unread_total;
    if (event.kind === "message") this.#take(event.conversation, event.message);
    else if (event.kind === "hidden") this.threads.delete(event.externalId);
    else if (event.kind === "read" && event.by === "me") this.#takeRead(event.externalId, BigInt(event.up_to));
  }

  #take(conversation: Conversation, message: Message): void {
    const thread = this.#thread(conversation);
    const id = BigInt(message.id);
    // The event for an accepted request repeats a message that both users already have.
    if (!thread.messages.has(id) && id < thread.toldUpTo)
      this.problems.push(`${this.userId} was told message ${id} after ${thread.toldUpTo}`);
    if (id > thread.toldUpTo) thread.toldUpTo = id;
    thread.messages.set(id, message);
    thread.unreadCount = conversation.unreadCount;
  }

  #takeRead(externalId: string, upTo: bigint): void {
    const thread = this.threads.get(externalId);
    if (!thread) return;
    const unread = [...thread.messages.values()].filter(({ id, position }) => position === "left" && BigInt(id) > upTo);
    thread.unreadCount = unread.length;
  }

  #thread(conversation: Conversation): Thread {
    const found = this.threads.get(conversation.externalId);
    if (found) return found;
    const otherId = BigInt(conversation.userId);
    const thread: Thread = { otherId, messages: new Map(), unreadCount: 0, toldUpTo: 0n };
    this.threads.set(conversation.externalId, thread);
    return thread;
  }

  /** Reads both boxes to their ends, and the newer messages of each conversation. */
  async #catchUp(): Promise<void> {
    const listed = new Set<string>();
    for (const box of [0, 1] as const) {
      for (let cursor: string | undefined; ;) {
        const page = await this.#world.page(this.userId, { box, ...(cursor !== undefined && { cursor }) });
        this.unreadTotal = page.unread_total;
        for (const conversation of page.conversations) {
          if (conversation.state === "official") continue;
          listed.add(conversation.externalId);
          await this.#catchUpWith(conversation);
        }
        if (page.next === null) break;
        cursor = page.next;
      }
    }
    for (const externalId of this.threads.keys()) if (!listed.has(externalId)) this.threads.delete(externalId);
  }

  async #catchUpWith(conversation: Conversation): Promise<void> {
    const thread = this.#thread(conversation);
    thread.unreadCount = conversation.unreadCount;
    for (let cursor: string | undefined; ;) {
      const page = await this.#world.thread(this.userId, thread.otherId, cursor);
      const unknown = page.messages.filter(({ id }) => !thread.messages.has(BigInt(id)));
      for (const message of unknown) thread.messages.set(BigInt(message.id), message);
      if (page.next === null || unknown.length < page.messages.length) return;
      cursor = page.next;
    }
  }
}

export function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

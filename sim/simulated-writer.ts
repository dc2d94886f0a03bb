import type { Conversation, Message } from "@fava/wire/messages.ts";
import type { MessageWorld } from "@fava/server/testing/message-world.ts";

interface Thread {
  otherId: bigint;
  /** By id, as they came. */
  messages: Map<bigint, Message>;
  unreadCount: number;
  /** The highest id that an event of this session has brought. */
  toldUpTo: bigint;
}

/** One browser: keeps what events and lists have told it, and nothing else. */
export class SimulatedWriter {
  readonly userId: bigint;
  readonly threads = new Map<string, Thread>();
  unreadTotal = 0;
  /** What must not have happened. */
  readonly problems: string[] = [];
  readonly #world: MessageWorld;

  constructor(userId: bigint, world: MessageWorld) {
    this.userId = userId;
    this.#world = world;
  }

  get isConnected(): boolean {
    return this.#world.social.bus.isLive(this.userId);
  }

  /** Comes back: the session goes on, or a new one begins with what the lists say. */
  async connect(): Promise<void> {
    const { bus } = this.#world.social;
    if (bus.isPresent(this.userId)) return bus.resume(this.userId);
    bus.arrive(this.userId);
    for (const thread of this.threads.values()) thread.toldUpTo = 0n;
    await this.#catchUp();
  }

  lose(): void {
    this.#world.social.bus.close(this.userId, 1006);
  }

  close(): void {
    this.#world.social.bus.close(this.userId, 1001);
  }

  /** Takes in what the server has told since the last time. */
  hear(): void {
    for (const event of this.#world.social.tookSocial(this.userId)) {
      if ("unread_total" in event) this.unreadTotal = event.unread_total;
      if (event.kind === "message") this.#take(event.conversation, event.message);
      else if (event.kind === "hidden") this.threads.delete(event.externalId);
      else if (event.kind === "read" && event.by === "me") this.#takeRead(event.externalId, BigInt(event.up_to));
    }
  }

  async readNewest(externalId: string): Promise<void> {
    const thread = this.threads.get(externalId);
    const newest = thread && [...thread.messages.keys()].toSorted(compare).at(-1);
    if (thread && newest !== undefined) await this.#world.read(this.userId, thread.otherId, String(newest));
  }

  #take(conversation: Conversation, message: Message): void {
    const thread = this.#thread(conversation);
    const id = BigInt(message.id);
    // An accepted request is told with the message that everybody has already.
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

  /** Reads both boxes to their ends, and of each conversation what is newer than what is known of it. */
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

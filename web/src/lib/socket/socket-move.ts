import * as v from "valibot";
import { socketMoveMs, socketMoveSettleMs } from "@fava/wire/limits.ts";
import type { ClientMessage } from "@fava/wire/socket.ts";

/** A chat id with its signature; fetched for each hello, because the signature is short-lived. */
export interface ChatIdentity {
  tencentId: string;
  tencentSign: string;
}

const sentSchema = v.object({ type: v.literal("move"), to: v.optional(v.string()) });

interface SocketMoveOptions {
  connect: () => WebSocket;
  identity: () => Promise<ChatIdentity | null>;
  /** From here on nothing is said over the first socket: what it has taken is known once it answers this. */
  settle: () => void;
  hello: (identity: ChatIdentity) => ClientMessage;
  /** The chat session goes on over the second socket, which has said this since. */
  done: (second: WebSocket, texts: readonly string[]) => void;
  /** The second server answered which server has the user's call, instead of a welcome. */
  sentTo: (server: string | null) => void;
  /** There is no second socket. */
  failed: () => void;
}

/**
 * The way of a chat session from one socket to a second one that is opened beside it: the second says
 * hello once all that was said over the first is taken in, and is heard once the first has said its last, which the server
 * ends by closing it. So everything keeps its order, and nothing is missing in between.
 */
export class SocketMove {
  readonly #options: SocketMoveOptions;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #identity: ChatIdentity | null = null;
  #second: WebSocket | null = null;
  /** What the second has said, its welcome first. */
  readonly #texts: string[] = [];
  #isSettling = false;
  #isGreeted = false;
  #isFirstClosed = false;
  #isOver = false;

  constructor(options: SocketMoveOptions) {
    this.#options = options;
    this.#after(socketMoveMs, () => this.#fail());
    void this.#open();
  }

  /** What is said now waits for the second socket. */
  get isSettling(): boolean {
    return this.#isSettling;
  }

  /** All that was said over the first socket has been taken in. */
  settled(): void {
    if (!this.#isSettling || this.#isGreeted || !this.#identity) return;
    this.#isGreeted = true;
    this.#second?.send(JSON.stringify(this.#options.hello(this.#identity)));
  }

  /** The first socket has said its last. */
  firstClosed(): void {
    this.#isFirstClosed = true;
    this.settled();
    this.#finish();
  }

  /** Leaves the second socket without a goodbye. */
  cancel(): void {
    if (this.#isOver) return;
    this.#end();
    this.#second?.close(4_000);
  }

  async #open(): Promise<void> {
    this.#identity = await this.#options.identity().catch(() => null);
    if (this.#isOver) return;
    if (!this.#identity) return this.#fail();
    const second = this.#options.connect();
    this.#second = second;
    second.addEventListener("open", () => this.#opened());
    second.addEventListener("message", (event: MessageEvent<unknown>) => this.#heard(String(event.data)));
    second.addEventListener("close", () => this.#fail());
  }

  #opened(): void {
    if (this.#isOver) return;
    this.#isSettling = true;
    this.#after(socketMoveSettleMs, () => this.settled());
    this.#options.settle();
  }

  #heard(text: string): void {
    if (this.#isOver) return;
    const sent = this.#texts.length === 0 ? v.safeParse(v.pipe(v.string(), v.parseJson(), sentSchema), text) : null;
    if (sent?.success) {
      this.cancel();
      return this.#options.sentTo(sent.output.to ?? null);
    }
    this.#texts.push(text);
    if (this.#texts.length > 1) return;
    this.#after(socketMoveSettleMs, () => this.firstClosed());
    this.#finish();
  }

  #finish(): void {
    if (this.#isOver || !this.#isFirstClosed || !this.#second || this.#texts.length === 0) return;
    this.#end();
    this.#options.done(this.#second, this.#texts);
  }

  #fail(): void {
    if (this.#isOver) return;
    this.cancel();
    this.#options.failed();
  }

  #end(): void {
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #after(delayMs: number, work: () => void): void {
    this.#timers.add(setTimeout(work, delayMs));
  }
}

import * as v from "valibot";
import { socketMoveMs, socketMoveSettleMs } from "@fava/wire/limits.ts";
import type { ClientMessage } from "@fava/wire/socket.ts";

/** A chat id with its signature; fetched for each hello, because the signature expires soon. */
export interface ChatIdentity {
  tencentId: string;
  tencentSign: string;
}

const sentSchema = v.object({ type: v.literal("move"), to: v.optional(v.string()) });

interface SocketMoveOptions {
  connect: () => WebSocket;
  identity: () => Promise<ChatIdentity | null>;
  /** Sends nothing more over the first socket but a ping, whose pong shows that the server has received everything. */
  settle: () => void;
  hello: (identity: ChatIdentity) => ClientMessage;
  /** The session continues over the second socket, over which `texts` have arrived already. */
  done: (second: WebSocket, texts: readonly string[]) => void;
  /** Instead of a welcome, the second server said which server has the user's call. */
  sentTo: (server: string | null) => void;
  failed: () => void;
}

/**
 * Moves a chat session from one socket to a second one beside it. The second sends its hello once the server has
 * received everything from the first; its messages are handled once the first has delivered its last, after which the
 * server closes it. So all messages keep their order, and none is lost.
 */
export class SocketMove {
  readonly #options: SocketMoveOptions;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #identity: ChatIdentity | null = null;
  #second: WebSocket | null = null;
  /** The messages of the second socket, its welcome first. */
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

  /** Messages that are sent now wait for the second socket. */
  get isSettling(): boolean {
    return this.#isSettling;
  }

  /** The server has received everything that was sent over the first socket. */
  settled(): void {
    if (!this.#isSettling || this.#isGreeted || !this.#identity) return;
    this.#isGreeted = true;
    this.#second?.send(JSON.stringify(this.#options.hello(this.#identity)));
  }

  /** The first socket has delivered its last message. */
  firstClosed(): void {
    this.#isFirstClosed = true;
    this.settled();
    this.#finish();
  }

  /** Closes the second socket without a clean close. */
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

import { Socket } from "node:net";
import pg from "pg";
import { AwakeLimit } from "#lib/awake-limit.ts";
import type { Clock } from "#ports/clock.ts";

/** What the owner of a pool hears of its database. */
export interface OutageListener {
  /** Nothing can be asked any more; told once, until `ended`. */
  began(error: Error): void;
  ended(lastedMs: number): void;
  /** A connection broke while the database itself is there. */
  connectionLost(error: Error): void;
}

export interface HeartbeatOptions {
  url: string;
  clock: Clock;
  listener: OutageListener;
}

const beatMs = 400;
/** Of time in which this process ran. */
const answerMs = 1_000;

class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  constructor() {
    super(`no answer in ${answerMs} ms`);
  }
}

/**
 * Asks the database for an answer all the time, over a connection of its own: one that hangs closes nothing, so that
 * whoever waits for it would not hear of it for long.
 */
export class Heartbeat implements AsyncDisposable {
  readonly #options: HeartbeatOptions;
  readonly #running: Promise<void>;
  #connection: { client: pg.Client; socket: Socket } | null = null;
  #awaySinceMs: number | null = null;
  #lost: Error | null = null;
  #goOn: () => void = () => undefined;
  #isStopping = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  get isAway(): boolean {
    return this.#awaySinceMs !== null;
  }

  /** A connection of the pool broke: of an outage nothing more is said, otherwise it is passed on. */
  connectionLost(error: Error): void {
    if (this.isAway) return;
    this.#lost = error;
    this.#goOn();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    this.#goOn();
    await this.#running;
    this.#hangUp();
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      let error = await this.#failure();
      // Its connection may have broken alone, so that a new one is tried at once.
      if (error && !(error instanceof NoAnswerError)) error = await this.#failure();
      if (error) this.#failed(error);
      else this.#answered();
      if (!this.#isStopping) await this.#pause();
    }
  }

  #failed(error: Error): void {
    this.#lost = null;
    if (this.#awaySinceMs !== null || this.#isStopping) return;
    this.#awaySinceMs = this.#options.clock.monotonicMs();
    this.#options.listener.began(error);
  }

  #answered(): void {
    const { clock, listener } = this.#options;
    if (this.#lost) listener.connectionLost(this.#lost);
    this.#lost = null;
    if (this.#awaySinceMs === null) return;
    const lastedMs = Math.round(clock.monotonicMs() - this.#awaySinceMs);
    this.#awaySinceMs = null;
    listener.ended(lastedMs);
  }

  /** Why no answer came; null where one did. */
  async #failure(): Promise<Error | null> {
    const asked = this.#ask();
    let limit: AwakeLimit | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      limit = new AwakeLimit(this.#options.clock, answerMs, () => reject(new NoAnswerError()));
    });
    try {
      await Promise.race([asked, late]);
      return null;
    } catch (error) {
      this.#hangUp();
      // What still waits on the connection that was just given up fails as well.
      asked.catch(() => undefined);
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      limit?.[Symbol.dispose]();
    }
  }

  async #ask(): Promise<void> {
    let { client } = this.#connection ?? {};
    if (!client) {
      const socket = new Socket();
      client = new pg.Client({
        connectionString: this.#options.url,
        application_name: "fava-heartbeat",
        stream: () => socket,
      });
      this.#connection = { client, socket };
      // Without a listener a connection that breaks would end this process; the next question finds it broken.
      client.on("error", () => undefined);
      await client.connect();
    }
    await client.query("select 1");
  }

  #hangUp(): void {
    this.#connection?.socket.destroy();
    this.#connection = null;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#options.clock.after(beatMs, resolve);
      this.#goOn = () => {
        timer[Symbol.dispose]();
        resolve();
      };
    });
  }
}

import { Socket } from "node:net";
import pg from "pg";
import { PauseTolerantTimeout } from "#lib/pause-tolerant-timeout.ts";
import type { Clock } from "#ports/clock.ts";

export interface OutageListener {
  /** The database does not answer; called once until `ended`. */
  began(error: Error): void;
  ended(lastedMs: number): void;
  /** A connection broke while the database answers. */
  connectionLost(error: Error): void;
}

export interface HeartbeatOptions {
  url: string;
  clock: Clock;
  listener: OutageListener;
}

const beatMs = 400;
/** Counts only time in which this process runs. */
const answerMs = 1_000;

class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  constructor() {
    super(`no answer in ${answerMs} ms`);
  }
}

/** A hanging database closes no connection, so its outage would otherwise be noticed late. */
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

  /** Ignored during an outage. */
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
      // Only the heartbeat's connection may have broken: retry at once on a new one.
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

  async #failure(): Promise<Error | null> {
    const asked = this.#ask();
    let limit: PauseTolerantTimeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      limit = new PauseTolerantTimeout(this.#options.clock, answerMs, () => reject(new NoAnswerError()));
    });
    try {
      await Promise.race([asked, late]);
      return null;
    } catch (error) {
      this.#hangUp();
      // The query on the abandoned connection fails as well, and an unhandled rejection would end this process.
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
      // An error without a listener would end this process; the next query fails instead.
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

import type { Logger } from "pino";
import { RetryPauses, Tasks } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import { NoOwnerError, type Numbered, PeerTimeoutError } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";

/** Limit of queued messages per user. Further ones are dropped. */
const waitingMax = 500;
const messagesAtOnce = 50;
const retryMs = 200;

interface DeliveryQueuesOptions<Message> {
  clock: Clock;
  logger: Pick<Logger, "warn" | "error">;
  name: string;
  ageMaxMs: number;
  /** How long messages wait for a user who is at no server, in milliseconds. A reconnect or a move takes time. */
  nowhereMs: number;
  /** Whether a user without a known server may be at one that is unreachable. */
  mayBeUnheard?: () => boolean;
  /**
   * Sends a batch to the user's server. Returns for each message whether the server accepted it.
   * @throws NoOwnerError, PeerTimeoutError
   */
  ask: (userId: bigint, batch: readonly Numbered<Message>[]) => Promise<readonly boolean[]>;
}

interface Waiting<Message> {
  readonly numbered: Numbered<Message>;
  readonly atMs: number;
  readonly settle: (isTaken: boolean) => void;
}

/** Messages to users, in order, retried until acknowledged (rule PEER-15). `ReceivedDeliveries` deduplicates them. */
export class DeliveryQueues<Message> implements AsyncDisposable {
  readonly #options: DeliveryQueuesOptions<Message>;
  readonly #tasks: Tasks;
  readonly #pauses: RetryPauses;
  readonly #queues = new Map<bigint, Waiting<Message>[]>();
  #count = 0;

  constructor(options: DeliveryQueuesOptions<Message>) {
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#pauses = new RetryPauses(options.clock);
  }

  /** Whether messages to this user wait, so that a new one must be queued after them. */
  has(userId: bigint): boolean {
    return this.#queues.has(userId);
  }

  /**
   * @param settle receives whether the user's server accepted the message; false if that is unknown. Not called if the
   * queue is dropped.
   */
  add(userId: bigint, message: Message, settle: (isTaken: boolean) => void): void {
    const { clock, logger, name } = this.#options;
    const queue = this.#queues.get(userId);
    if (queue && queue.length >= waitingMax) {
      logger.warn({ userId: String(userId), queue: name }, "dropped message to user at another server, queue is full");
      return settle(false);
    }
    const numbered = { number: (this.#count += 1), message };
    const waiting = { numbered, atMs: clock.monotonicMs(), settle };
    if (queue) return void queue.push(waiting);
    this.#queues.set(userId, [waiting]);
    this.#tasks.add(`${name} did not reach another server`, () => this.#empty(userId));
  }

  forget(userId: bigint): void {
    const queue = this.#queues.get(userId);
    this.#queues.delete(userId);
    queue?.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pauses[Symbol.dispose]();
    await this.#tasks[Symbol.asyncDispose]();
  }

  async #empty(userId: bigint): Promise<void> {
    const queue = this.#queues.get(userId) ?? [];
    try {
      while (queue.length > 0) {
        const batch = queue.slice(0, messagesAtOnce);
        const taken = await this.#send(userId, batch);
        if (this.#queues.get(userId) !== queue) return;
        queue.splice(0, batch.length);
        batch.forEach(({ settle }, index) => settle(taken[index] ?? false));
      }
    } finally {
      if (this.#queues.get(userId) === queue) this.#queues.delete(userId);
      for (const { settle } of queue) settle(false);
    }
  }

  /** For each message whether it was accepted; empty if the user is at no server. */
  async #send(userId: bigint, batch: readonly Waiting<Message>[]): Promise<readonly boolean[]> {
    const { ask, clock, nowhereMs, ageMaxMs, mayBeUnheard } = this.#options;
    const messages = batch.map(({ numbered }) => numbered);
    const newestMs = batch.at(-1)?.atMs ?? 0;
    let nowhereSinceMs: number | null = null;
    for (;;) {
      try {
        return await ask(userId, messages);
      } catch (error) {
        const nowMs = clock.monotonicMs();
        const isNowhere = error instanceof NoOwnerError;
        if (!isNowhere && !(error instanceof PeerTimeoutError)) throw error;
        if (isNowhere && this.#pauses.isOver) return [];
        nowhereSinceMs = isNowhere && !mayBeUnheard?.() ? (nowhereSinceMs ?? nowMs) : null;
        if (nowhereSinceMs !== null && nowMs - nowhereSinceMs >= nowhereMs) return [];
        if (this.#pauses.isOver || nowMs - newestMs >= ageMaxMs) {
          if (isNowhere) return [];
          throw error;
        }
        await this.#pauses.wait(retryMs);
        if (!this.#queues.get(userId)?.includes(batch[0]!)) return [];
      }
    }
  }
}

/** Deduplicates messages to users by the last number from each server. */
export class ReceivedDeliveries {
  readonly #last = new Map<bigint, Map<ProcessId, number>>();

  take(userId: bigint, from: ProcessId, number: number): boolean {
    let last = this.#last.get(userId);
    if (!last) this.#last.set(userId, (last = new Map()));
    if (number <= (last.get(from) ?? 0)) return false;
    last.set(from, number);
    return true;
  }

  of(userId: bigint): readonly (readonly [ProcessId, number])[] {
    return [...(this.#last.get(userId) ?? [])];
  }

  bring(userId: bigint, taken: readonly (readonly [ProcessId, number])[]): void {
    this.#last.set(userId, new Map(taken));
  }

  forget(userId: bigint): void {
    this.#last.delete(userId);
  }
}

import type { Logger } from "pino";
import { Pauses, Tasks } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import { NobodyThereError, type Numbered, PeerSilentError } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";

/** Messages about one person that wait; one more is nobody's. */
const waitingMax = 500;
const messagesAtOnce = 50;
const retryMs = 200;

interface OutboxesOptions<Message> {
  clock: Clock;
  logger: Pick<Logger, "warn" | "error">;
  /** For the log. */
  name: string;
  /** After so long nobody wants the message any more. */
  ageMaxMs: number;
  /** Who is nowhere for so long is nowhere: before that their process may listen anew, or they may be on their way. */
  nowhereMs: number;
  /** Whether somebody who seems to be nowhere may be at a process that cannot be reached. */
  mayBeUnheard?: () => boolean;
  /**
   * Asks the process that the person is at; answers whether each was taken.
   *
   * @throws NobodyThereError, PeerSilentError
   */
  ask: (userId: bigint, batch: readonly Numbered<Message>[]) => Promise<readonly boolean[]>;
}

interface Waiting<Message> {
  readonly numbered: Numbered<Message>;
  readonly atMs: number;
  readonly settle: (isTaken: boolean) => void;
}

/**
 * What is on its way to people's other processes: of each person in the order in which it was added, and sent again until
 * it is answered (rule PEER-15). `TakenNumbers` takes each once.
 */
export class Outboxes<Message> implements AsyncDisposable {
  readonly #options: OutboxesOptions<Message>;
  readonly #tasks: Tasks;
  readonly #pauses: Pauses;
  /** Oldest first. */
  readonly #outboxes = new Map<bigint, Waiting<Message>[]>();
  #count = 0;

  constructor(options: OutboxesOptions<Message>) {
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#pauses = new Pauses(options.clock);
  }

  /** Whether something is on its way to the person: what comes now comes after it. */
  has(userId: bigint): boolean {
    return this.#outboxes.has(userId);
  }

  /** @param settle hears whether it was taken, unless that is forgotten; false also where nobody knows. */
  add(userId: bigint, message: Message, settle: (isTaken: boolean) => void): void {
    const { clock, logger, name } = this.#options;
    const outbox = this.#outboxes.get(userId);
    if (outbox && outbox.length >= waitingMax) {
      logger.warn({ userId: String(userId), outbox: name }, "too much is on its way to a person at another process");
      return settle(false);
    }
    const numbered = { number: (this.#count += 1), message };
    const waiting = { numbered, atMs: clock.monotonicMs(), settle };
    if (outbox) return void outbox.push(waiting);
    this.#outboxes.set(userId, [waiting]);
    this.#tasks.add(`${name} did not reach another process`, () => this.#empty(userId));
  }

  /** What waits for the person, or is on its way, is nobody's any more: it is not sent again, and nobody hears of it. */
  forget(userId: bigint): void {
    const outbox = this.#outboxes.get(userId);
    this.#outboxes.delete(userId);
    outbox?.splice(0);
  }

  /** Sends what waits once more, and no oftener. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#pauses[Symbol.dispose]();
    await this.#tasks[Symbol.asyncDispose]();
  }

  /** Sends until nothing waits for the person. */
  async #empty(userId: bigint): Promise<void> {
    const outbox = this.#outboxes.get(userId) ?? [];
    try {
      while (outbox.length > 0) {
        const batch = outbox.slice(0, messagesAtOnce);
        const taken = await this.#send(userId, batch);
        if (this.#outboxes.get(userId) !== outbox) return;
        outbox.splice(0, batch.length);
        batch.forEach(({ settle }, index) => settle(taken[index] ?? false));
      }
    } finally {
      if (this.#outboxes.get(userId) === outbox) this.#outboxes.delete(userId);
      for (const { settle } of outbox) settle(false);
    }
  }

  /** Whether each was taken; none where the person is nowhere. */
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
        const isNowhere = error instanceof NobodyThereError;
        if (!isNowhere && !(error instanceof PeerSilentError)) throw error;
        if (isNowhere && this.#pauses.isOver) return [];
        nowhereSinceMs = isNowhere && !mayBeUnheard?.() ? (nowhereSinceMs ?? nowMs) : null;
        if (nowhereSinceMs !== null && nowMs - nowhereSinceMs >= nowhereMs) return [];
        if (this.#pauses.isOver || nowMs - newestMs >= ageMaxMs) {
          if (isNowhere) return [];
          throw error;
        }
        await this.#pauses.wait(retryMs);
        if (!this.#outboxes.get(userId)?.includes(batch[0]!)) return [];
      }
    }
  }
}

/** Which messages about people this process has taken, by the process that sent them. */
export class TakenNumbers {
  readonly #last = new Map<bigint, Map<ProcessId, number>>();

  /** Whether the message comes for the first time. */
  take(userId: bigint, from: ProcessId, number: number): boolean {
    let last = this.#last.get(userId);
    if (!last) this.#last.set(userId, (last = new Map()));
    if (number <= (last.get(from) ?? 0)) return false;
    last.set(from, number);
    return true;
  }

  /** The newest one of each process. */
  of(userId: bigint): readonly (readonly [ProcessId, number])[] {
    return [...(this.#last.get(userId) ?? [])];
  }

  /** Goes on from what another process has taken. */
  bring(userId: bigint, taken: readonly (readonly [ProcessId, number])[]): void {
    this.#last.set(userId, new Map(taken));
  }

  forget(userId: bigint): void {
    this.#last.delete(userId);
  }
}

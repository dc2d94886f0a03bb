import { type EndpointError, slowDown } from "#lib/errors.ts";
import type { Clock } from "#ports/clock.ts";
import type { Limits } from "#ports/rate-limits.ts";

export interface DecodeLimits {
  atOnceMax: number;
  waitingMax: number;
  waitMaxMs: number;
}

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (refusal: EndpointError) => void;
  readonly expiry: Disposable;
}

const retryAfterSeconds = 5;

/** Runs at most `atOnceMax` jobs, one per user. Users take turns: after a job, a user is behind all others. */
export class DecodeQueue {
  readonly #clock: Clock;
  readonly #limits: DecodeLimits;
  readonly #running = new Set<bigint>();
  /** Waiting jobs by user, in the order of turns. */
  readonly #lines = new Map<bigint, Waiting[]>();

  constructor(clock: Clock, limits: DecodeLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** @throws EndpointError 429 if too many jobs wait or this one waited too long; rethrows what the work throws. */
  async run<Result>(userId: bigint, work: () => Promise<Result>): Promise<Result> {
    if (this.#running.size < this.#limits.atOnceMax && !this.#running.has(userId)) this.#running.add(userId);
    else await this.#turn(userId);
    try {
      return await work();
    } finally {
      this.#running.delete(userId);
      this.#putLast(userId);
      this.#next();
    }
  }

  #turn(userId: bigint): Promise<void> {
    const waiting = [...this.#lines.values()].reduce((sum, line) => sum + line.length, 0);
    if (waiting >= this.#limits.waitingMax) this.#makeRoom(userId);
    const line = this.#lines.get(userId) ?? [];
    this.#lines.set(userId, line);
    return new Promise((begin, refuse) => {
      const expiry = this.#clock.after(this.#limits.waitMaxMs, () => this.#refuse(userId, entry));
      const entry: Waiting = { begin, refuse, expiry };
      line.push(entry);
    });
  }

  /** Rejects the newest job of the user with the most waiting jobs, if this user has fewer. */
  #makeRoom(userId: bigint): void {
    const own = this.#lines.get(userId)?.length ?? 0;
    const [greediest, line] = [...this.#lines].reduce((one, other) => (other[1].length > one[1].length ? other : one));
    const newest = line.at(-1);
    if (!newest || line.length <= own + 1) throw tooMany();
    this.#refuse(greediest, newest);
  }

  #refuse(userId: bigint, entry: Waiting): void {
    this.#take(userId, entry);
    entry.refuse(tooMany());
  }

  #take(userId: bigint, entry: Waiting): void {
    entry.expiry[Symbol.dispose]();
    const rest = (this.#lines.get(userId) ?? []).filter((each) => each !== entry);
    if (rest.length > 0) this.#lines.set(userId, rest);
    else this.#lines.delete(userId);
  }

  #putLast(userId: bigint): void {
    const line = this.#lines.get(userId);
    if (!line) return;
    this.#lines.delete(userId);
    this.#lines.set(userId, line);
  }

  #next(): void {
    if (this.#running.size >= this.#limits.atOnceMax) return;
    for (const [userId, [first]] of this.#lines) {
      if (!first || this.#running.has(userId)) continue;
      this.#take(userId, first);
      this.#running.add(userId);
      return first.begin();
    }
  }
}

function tooMany(): EndpointError {
  return slowDown(retryAfterSeconds, "too many pictures at once");
}

export class DecodeBudget {
  readonly #clock: Clock;
  readonly #limits: Limits;

  constructor(parts: { clock: Clock; limits: Limits }) {
    this.#clock = parts.clock;
    this.#limits = parts.limits;
  }

  /**
   * Runs the work and charges the user elapsed or processor time, whichever is less, so that other load is not charged.
   * @throws EndpointError 429 while the user's time is used up; rethrows what the work throws.
   */
  async spend<Result>(userId: bigint, work: () => Promise<Result>): Promise<Result> {
    await this.#refuseSpent(userId);
    const { monotonicMs, processorMs } = this.#read();
    try {
      return await work();
    } finally {
      const now = this.#read();
      const tookMs = Math.min(now.monotonicMs - monotonicMs, now.processorMs - processorMs);
      await this.#take(userId, tookMs);
    }
  }

  /** As `spend`, for work in another process, which reports its processor time. */
  async spendElsewhere<Result extends { readonly processorMs: number }>(
    userId: bigint,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await this.#refuseSpent(userId);
    const result = await work();
    await this.#take(userId, result.processorMs);
    return result;
  }

  async #refuseSpent(userId: bigint): Promise<void> {
    const wait = await this.#limits.waitSeconds("decodeMsByUser", String(userId));
    if (wait !== null) throw slowDown(wait, "too much to decode");
  }

  async #take(userId: bigint, tookMs: number): Promise<void> {
    if (tookMs > 0) await this.#limits.take("decodeMsByUser", String(userId), Math.ceil(tookMs));
  }

  #read(): { monotonicMs: number; processorMs: number } {
    return { monotonicMs: this.#clock.monotonicMs(), processorMs: this.#clock.processorMs() };
  }
}

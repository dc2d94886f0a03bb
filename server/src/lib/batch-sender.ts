import PQueue from "p-queue";

export interface BatchSenderOptions<Order, Answer> {
  /** The keys of an order. Orders with a common key go in different rounds, and never in two batches at once. */
  readonly claimsOf: (order: Order) => readonly unknown[];
  /** Sends one batch, round after round. Null stands for an order that it skipped and that is then sent alone. */
  readonly together: (rounds: readonly (readonly Order[])[]) => Promise<readonly (readonly (Answer | null)[])[]>;
  readonly alone: (order: Order) => Promise<Answer>;
  /** Whether a failed batch certainly changed nothing, so that each order is sent alone. Otherwise all fail. */
  readonly isUndone: (error: unknown) => boolean;
  readonly full: () => Error;
  readonly limits: BatchSenderLimits;
}

export interface BatchSenderLimits {
  readonly ordersMax: number;
  /** How many orders in one batch may share a key. */
  readonly roundsMax: number;
  readonly callsMax: number;
  readonly aloneMax: number;
  readonly waitingMax: number;
}

interface Waiting<Order, Answer> {
  readonly order: Order;
  readonly claims: readonly unknown[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends the orders of one turn of the event loop as a batch. While `callsMax` batches run, further orders wait for the
 * next. So an idle server adds no delay, and batches grow with the load. Orders with a common key go in separate
 * rounds.
 */
export class BatchSender<Order, Answer> {
  readonly #options: BatchSenderOptions<Order, Answer>;
  readonly #alone: PQueue;
  readonly #waiting = new Set<Waiting<Order, Answer>>();
  readonly #claimed = new Map<unknown, number>();
  #calls = 0;
  #isDue = false;

  constructor(options: BatchSenderOptions<Order, Answer>) {
    this.#options = options;
    this.#alone = new PQueue({ concurrency: options.limits.aloneMax });
  }

  /**
   * Sends an order in a batch, or alone.
   * @throws the error of `full` if the queue is full; then nothing was sent.
   */
  add(order: Order): Promise<Answer> {
    const { full, claimsOf, limits } = this.#options;
    if (this.#waiting.size >= limits.waitingMax) return Promise.reject(full());
    return new Promise((resolve, reject) => {
      this.#waiting.add({ order, claims: claimsOf(order), resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isDue || this.#waiting.size === 0 || this.#calls >= this.#options.limits.callsMax) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      for (let call = this.#take(); call.length > 0; call = this.#take()) void this.#send(call);
    });
  }

  /** The next batch. Empty if `callsMax` batches run, or if each waiting order has a key of a running one. */
  #take(): Waiting<Order, Answer>[][] {
    const { callsMax, ordersMax, roundsMax } = this.#options.limits;
    const rounds: Waiting<Order, Answer>[][] = [];
    /** By key, the last round that has an order with it, from 1. */
    const claims = new Map<unknown, number>();
    let left = this.#calls < callsMax ? ordersMax : 0;
    for (const waiting of this.#waiting) {
      if (left === 0) break;
      if (waiting.claims.some((claim) => this.#claimed.has(claim))) continue;
      const round = Math.max(0, ...waiting.claims.map((claim) => claims.get(claim) ?? 0));
      if (round >= roundsMax) continue;
      for (const claim of waiting.claims) claims.set(claim, round + 1);
      (rounds[round] ??= []).push(waiting);
      this.#waiting.delete(waiting);
      left -= 1;
    }
    for (const claim of rounds.flatMap((round) => round.flatMap((waiting) => waiting.claims)))
      this.#claimed.set(claim, (this.#claimed.get(claim) ?? 0) + 1);
    return rounds;
  }

  async #send(rounds: readonly (readonly Waiting<Order, Answer>[])[]): Promise<void> {
    const { together, isUndone } = this.#options;
    this.#calls += 1;
    try {
      const answers = await together(rounds.map((round) => round.map(({ order }) => order)));
      for (const [index, round] of rounds.entries())
        for (const [place, waiting] of round.entries()) this.#answered(waiting, answers[index]?.[place] ?? null);
    } catch (error) {
      for (const waiting of rounds.flat()) {
        if (isUndone(error)) this.#answered(waiting, null);
        else this.#end(waiting, () => waiting.reject(error));
      }
    } finally {
      this.#calls -= 1;
      this.#schedule();
    }
  }

  #answered(waiting: Waiting<Order, Answer>, answer: Answer | null): void {
    if (answer !== null) return this.#end(waiting, () => waiting.resolve(answer));
    void this.#alone
      .add(() => this.#options.alone(waiting.order))
      .then(
        (own) => this.#end(waiting, () => waiting.resolve(own)),
        (error: unknown) => this.#end(waiting, () => waiting.reject(error)),
      );
  }

  #end({ claims }: Waiting<Order, Answer>, tell: () => void): void {
    for (const claim of claims) {
      const others = (this.#claimed.get(claim) ?? 0) - 1;
      if (others > 0) this.#claimed.set(claim, others);
      else this.#claimed.delete(claim);
    }
    tell();
    this.#schedule();
  }
}

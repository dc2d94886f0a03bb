import PQueue from "p-queue";

export interface GathererOptions<Order, Answer> {
  /** What an order has for itself, if anything: no two with the same are in one round, or in two calls at the same moment. */
  readonly claimsOf: (order: Order) => readonly unknown[];
  /** One call for all of them, round after round; null for each that it did not touch. */
  readonly together: (rounds: readonly (readonly Order[])[]) => Promise<readonly (readonly (Answer | null)[])[]>;
  /** The way of one order, for what the call together left alone. */
  readonly alone: (order: Order) => Promise<Answer>;
  /** Whether a call that failed has certainly done nothing: then each of its orders goes alone, else all have failed. */
  readonly isUndone: (error: unknown) => boolean;
  /** What an order fails with where too many wait. */
  readonly full: () => Error;
  readonly limits: GathererLimits;
}

export interface GathererLimits {
  /** Orders of one call. */
  readonly ordersMax: number;
  /** Orders that share a claim in one call. */
  readonly roundsMax: number;
  /** Calls at the same moment. */
  readonly callsMax: number;
  /** Orders that go alone at the same moment. */
  readonly aloneMax: number;
  /** Orders that wait for their call. */
  readonly waitingMax: number;
}

interface Waiting<Order, Answer> {
  readonly order: Order;
  readonly claims: readonly unknown[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Orders of one turn go to the database in one call; those that come while `callsMax` calls are under way go with the
 * next. So nobody waits where there is little to do, and the calls grow with what there is. Orders that share a claim,
 * such as those of one person, go in rounds of one call.
 */
export class Gatherer<Order, Answer> {
  readonly #options: GathererOptions<Order, Answer>;
  readonly #alone: PQueue;
  readonly #waiting = new Set<Waiting<Order, Answer>>();
  /** How many orders under way have the claim. */
  readonly #claimed = new Map<unknown, number>();
  #calls = 0;
  /** The end of this turn begins the next call. */
  #isDue = false;

  constructor(options: GathererOptions<Order, Answer>) {
    this.#options = options;
    this.#alone = new PQueue({ concurrency: options.limits.aloneMax });
  }

  /**
   * The answer of the call that the order went with, or of its own.
   *
   * @throws whatever `full` says where too many wait; nothing was sent then.
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

  /** The next call: empty where all are under way, or everybody who waits has an order there. */
  #take(): Waiting<Order, Answer>[][] {
    const { callsMax, ordersMax, roundsMax } = this.#options.limits;
    const rounds: Waiting<Order, Answer>[][] = [];
    /** In which round a claim was made last; the first is 1. */
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

  /** Never rejects. */
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

import type { Logger } from "pino";
import { Tasks, Timers } from "#lib/tasks.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { RingSearch } from "#ports/peers.ts";
import type { MatchPeople, NewSearch, RematchRequests, RematchSearch } from "./match-eligibility.ts";
import type { RoomEvent, RoomEventConsumer } from "./room-service.ts";
import type { SearchPool } from "./search-pool.ts";

interface RematchOptions {
  bus: Pick<Bus, "social">;
  people: Pick<MatchPeople, "remoteUser">;
  pool: Pick<SearchPool, "enter" | "withdraw" | "rematches" | "rematchOf" | "hasMetAgain">;
  rematchRequests: RematchRequests;
  clock: Clock;
  logger: Logger;
}

/** The wait of somebody who moves to another process, as all versions of the server say it. */
export interface HandedRematch {
  readonly userId: bigint;
  readonly otherId: bigint;
  readonly language: string;
  readonly offer: string | null;
  readonly sinceMs: number;
  /** The socket is lost. */
  readonly away: boolean;
  /** Pictures may be asked for. */
  readonly checks: boolean;
  /** Of the start; undefined where the page named none. */
  readonly traceparent?: string | undefined;
  /** Undefined where the two want to meet again. */
  readonly ring?: RingSearch | undefined;
}

const failed = "meeting again failed";
/** A request can end without anything that happens here: taken back, a day old, or the other's account deleted. */
const checkMs = 15_000;
/** Two of whom one accepted the ring of the other wait for each other no longer than this. */
export const ringConnectMs = 10_000;

/**
 * What is particular about people who wait for one person only, because both want to meet again: the other hears of it,
 * they hear where it has come to nothing, and once they have met it is over. All else is a search (`SearchPool`).
 */
export class Rematch implements RoomEventConsumer, AsyncDisposable {
  readonly #options: RematchOptions;
  readonly #tasks: Tasks;
  readonly #timers: Timers;
  #check: Disposable | null = null;
  #stopping = false;

  constructor(options: RematchOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#timers = new Timers(options.clock);
  }

  /** Only once both have seen each other they have met: who could not be connected may try again. */
  onRoomEvent(event: RoomEvent): void {
    if (event.kind !== "live") return;
    const [one, other] = [event.people.offerer.userId, event.people.answerer.userId];
    if (!this.#options.pool.hasMetAgain(one)) return;
    this.#tasks.add(failed, () => this.#options.rematchRequests.markFulfilled(one, other));
  }

  /** Waits for that one person; unless they are found at once, they hear of it. Of a ring they know. */
  begin(search: RematchSearch<NewSearch>): void {
    this.#options.pool.enter(search);
    this.watch();
    const { ring } = search;
    if (ring) return this.#timers.after(ringConnectMs, () => this.#giveUp(search, ring));
    this.#tasks.add(failed, () => this.#tellOther(search));
  }

  /** Looks again and again at those who wait for one person only, for as long as anybody does. */
  watch(): void {
    if (this.#check || this.#stopping) return;
    this.#check = this.#options.clock.after(checkMs, () => {
      this.#tasks.add(failed, () =>
        this.#endOutdated().finally(() => {
          this.#check = null;
          if (!this.#options.pool.rematches().next().done) this.watch();
        }),
      );
    });
  }

  /** Looks at nobody any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    this.#check?.[Symbol.dispose]();
    this.#timers[Symbol.dispose]();
    await this.#tasks[Symbol.asyncDispose]();
  }

  /** Whoever waits for somebody who cannot be met any more waits no longer, and hears of it. */
  async #endOutdated(): Promise<void> {
    const { bus, pool, rematchRequests } = this.#options;
    for (const { userId, withUserId, ring } of pool.rematches()) {
      if (await rematchRequests.bothRequested(userId, withUserId)) continue;
      if (ring) {
        this.#giveUp({ userId, withUserId }, ring);
        continue;
      }
      const person = await this.#personOf(withUserId);
      if (!this.#awaits(userId, withUserId)) continue;
      pool.withdraw(userId);
      bus.social(userId, { kind: "meet", ...person, state: "over" });
    }
  }

  /** The ring came to nothing, though it was accepted. */
  #giveUp({ userId, withUserId }: Pick<RematchSearch, "userId" | "withUserId">, { id }: RingSearch): void {
    const { bus, pool } = this.#options;
    if (pool.rematchOf(userId)?.ring?.id !== id || !this.#awaits(userId, withUserId)) return;
    pool.withdraw(userId);
    bus.social(userId, { kind: "ring_over", id, why: "missed" });
  }

  async #tellOther({ userId, withUserId }: RematchSearch<NewSearch>): Promise<void> {
    const person = await this.#personOf(userId);
    if (!this.#awaits(userId, withUserId)) return;
    this.#options.bus.social(withUserId, { kind: "meet", ...person, state: "waiting" });
  }

  #awaits(userId: bigint, otherId: bigint): boolean {
    const search = this.#options.pool.rematchOf(userId);
    return search?.withUserId === otherId && search.phase !== "settling";
  }

  async #personOf(userId: bigint) {
    const { user_id, external_id, nickname, avatar } = await this.#options.people.remoteUser(userId, "en");
    return { userId: user_id, externalId: external_id, nickname, avatar };
  }
}

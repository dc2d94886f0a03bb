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

/** The rematch search of a user who moves. All server versions share this format. */
export interface HandedRematch {
  readonly userId: bigint;
  readonly otherId: bigint;
  readonly language: string;
  readonly offer: string | null;
  readonly sinceMs: number;
  readonly away: boolean;
  readonly checks: boolean;
  readonly traceparent?: string | undefined;
  readonly ring?: RingSearch | undefined;
}

const failed = "meeting again failed";
/** A request can end without an event (withdrawn, a day old, account deleted), so it is checked at this interval. */
const checkMs = 15_000;
export const ringConnectMs = 10_000;

/** Searches for one specific user: notifies the other user, and ends the search when the request ends. */
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

  /** Fulfils the requests only once both users see each other. After a failed connection they may try again. */
  onRoomEvent(event: RoomEvent): void {
    if (event.kind !== "live") return;
    const [one, other] = [event.people.offerer.userId, event.people.answerer.userId];
    if (!this.#options.pool.hasMetAgain(one)) return;
    this.#tasks.add(failed, () => this.#options.rematchRequests.markFulfilled(one, other));
  }

  /** Starts the search. Notifies the other user, unless the two match at once or the other user has the ring. */
  begin(search: RematchSearch<NewSearch>): void {
    this.#options.pool.enter(search);
    this.watch();
    const { ring } = search;
    if (ring) return this.#timers.after(ringConnectMs, () => this.#giveUp(search, ring));
    this.#tasks.add(failed, () => this.#tellOther(search));
  }

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

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    this.#check?.[Symbol.dispose]();
    this.#timers[Symbol.dispose]();
    await this.#tasks[Symbol.asyncDispose]();
  }

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

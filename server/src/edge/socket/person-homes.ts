import type { Logger } from "pino";
import { Tasks, Timers } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { Departure, HubListener } from "#ports/hub-listener.ts";
import { type Ownership, type Peers, personKey } from "#ports/peers.ts";

/** Notified when the home of a user changes. */
export interface HomeDependents {
  /** Awaited before this server becomes the person's home. */
  located(userId: bigint): Promise<void>;
  ownedHere(userId: bigint): void;
  /** Another server became the person's home. */
  movedAway(userId: bigint): void;
  /** Awaited before no server is the person's home; undefined: nothing is left. */
  awaited(userId: bigint): Promise<unknown> | undefined;
}

interface PersonHomesOptions {
  peers: Pick<Peers, "own">;
  clock: Clock;
  logger: Pick<Logger, "error">;
  /** Left out, or null: this is the only server. */
  guests?: HomeDependents | null;
  /** This process is the person's home: whoever asks where they are asks here. */
  ownedHere?(userId: bigint): void;
  /** The person has a chat session at another process by now. */
  replaced(userId: bigint): void;
}

/** Somebody whose home this process is, or is about to be. */
interface Home {
  owned: Ownership | null;
  /** Aborted when they have gone. */
  readonly gone: AbortController;
}

/** So long it is awaited that the next home of somebody who moves says that it is. */
const movingMs = 10_000;

/** The home of a person is the process that has the chat session: whoever asks about the person asks there (rule PEER-13). */
export class PersonHomes implements Pick<HubListener, "arrived" | "gone">, Disposable {
  readonly #options: PersonHomesOptions;
  readonly #tasks: Tasks;
  readonly #timers: Timers;
  readonly #homes = new Map<bigint, Home>();

  constructor(options: PersonHomesOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#timers = new Timers(options.clock);
  }

  arrived(userId: bigint): void {
    const home: Home = { owned: null, gone: new AbortController() };
    this.#homes.set(userId, home);
    this.#tasks.add("a person's home was not told", () => this.#own(userId, home));
  }

  gone(userId: bigint, how: Departure): void {
    const home = this.#homes.get(userId);
    this.#homes.delete(userId);
    home?.gone.abort();
    const { owned } = home ?? {};
    // Nobody is to take somebody for gone who is between two homes.
    if (owned && how === "moved") return this.#timers.after(movingMs, () => owned[Symbol.dispose]());
    const awaited = this.#options.guests?.awaited(userId);
    if (!owned || !awaited) return owned?.[Symbol.dispose]();
    // Whoever asks where their call is has to be answered by one or the other.
    this.#tasks.add("a home is still told of", async () => {
      await awaited;
      owned[Symbol.dispose]();
    });
  }

  /** Lets go of everybody. */
  [Symbol.dispose](): void {
    for (const userId of this.#homes.keys()) this.gone(userId, "closed");
    this.#timers[Symbol.dispose]();
  }

  async #own(userId: bigint, home: Home): Promise<void> {
    const { peers } = this.#options;
    const isHere = () => this.#homes.get(userId) === home;
    await this.#options.guests?.located(userId);
    if (!isHere()) return;
    const owned = await peers.own(personKey(userId), home.gone.signal);
    if (!isHere()) return owned[Symbol.dispose]();
    home.owned = owned;
    this.#options.guests?.ownedHere(userId);
    this.#options.ownedHere?.(userId);
    const lost = () => {
      if (!isHere()) return;
      this.#options.guests?.movedAway(userId);
      this.#options.replaced(userId);
    };
    if (owned.lost.aborted) lost();
    else owned.lost.addEventListener("abort", lost, { once: true });
  }
}

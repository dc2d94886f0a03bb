import type { Logger } from "pino";
import { Tasks } from "#lib/tasks.ts";
import type { HubListener } from "#ports/hub-listener.ts";
import { type Ownership, type Peers, personKey } from "#ports/peers.ts";

interface PersonHomesOptions {
  peers: Pick<Peers, "own">;
  logger: Pick<Logger, "error">;
  /** The person has a chat session at another process by now. */
  replaced(userId: bigint): void;
}

/** The home of a person is the process that has the chat session: whoever asks about the person asks there (rule PEER-13). */
export class PersonHomes implements Pick<HubListener, "arrived" | "gone">, Disposable {
  readonly #options: PersonHomesOptions;
  readonly #tasks: Tasks;
  readonly #homes = new Map<bigint, { owned: Ownership | null }>();

  constructor(options: PersonHomesOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
  }

  arrived(userId: bigint): void {
    const home: { owned: Ownership | null } = { owned: null };
    this.#homes.set(userId, home);
    this.#tasks.add("a person's home was not told", () => this.#own(userId, home));
  }

  gone(userId: bigint): void {
    const home = this.#homes.get(userId);
    this.#homes.delete(userId);
    home?.owned?.[Symbol.dispose]();
  }

  /** Lets go of everybody. */
  [Symbol.dispose](): void {
    for (const userId of this.#homes.keys()) this.gone(userId);
  }

  async #own(userId: bigint, home: { owned: Ownership | null }): Promise<void> {
    const { peers } = this.#options;
    const owned = await peers.own(personKey(userId));
    const isHere = () => this.#homes.get(userId) === home;
    if (!isHere()) return owned[Symbol.dispose]();
    home.owned = owned;
    const lost = () => isHere() && this.#options.replaced(userId);
    if (owned.lost.aborted) lost();
    else owned.lost.addEventListener("abort", lost, { once: true });
  }
}

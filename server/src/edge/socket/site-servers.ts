import type { Logger } from "pino";
import { Emitter } from "#lib/emitter.ts";
import { Periodic } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { HubListener } from "#ports/hub-listener.ts";
import type { Peers, ServerFacts } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";

const toldEveryMs = 1_000;
/** Facts older than this are ignored. */
const factsAgeMsMax = 5 * toldEveryMs;
/** A server that was full opens again below this share of the limit, in percent. */
const openAgainPercent = 90;

interface SiteServersOptions {
  peers: Pick<Peers, "self" | "broadcast" | "onEvent" | "onGone">;
  url: string;
  /** Users who search or are in a call at one server before the next server opens; 0: no server is the open one. */
  searchPeopleMax: number;
  clock: Clock;
  logger: Pick<Logger, "error">;
}

export type OwnFacts = Omit<ServerFacts, "process" | "url">;

/**
 * Users move to the open server before they search, so that nearly every pair is at one server (decision 055). The
 * server with the matcher is open until it has `searchPeopleMax` users; then the next one opens.
 */
export class SiteServers implements AsyncDisposable {
  readonly #options: SiteServersOptions;
  readonly #others = new Map<ProcessId, { readonly facts: ServerFacts; readonly atMs: number }>();
  readonly #full = new Set<ProcessId>();
  readonly #leaving = new Emitter<[server: ProcessId]>();
  readonly #listening: readonly Disposable[];
  #own: (() => OwnFacts) | null = null;
  #telling: Periodic | null = null;

  constructor(options: SiteServersOptions) {
    const { peers, clock } = options;
    this.#options = options;
    this.#listening = [
      peers.onEvent("server", (facts) => {
        this.#others.set(facts.process, { facts, atMs: clock.monotonicMs() });
        if (facts.isLeaving) this.#leaving.emit(facts.process);
      }),
      peers.onGone((process) => this.#others.delete(process)),
    ];
  }

  get self(): ProcessId {
    return this.#options.peers.self;
  }

  begin(own: () => OwnFacts): void {
    const { clock, logger, peers } = this.#options;
    this.#own = own;
    const work = async () => peers.broadcast("server", this.#ownFacts(own()));
    this.#telling = new Periodic({ clock, logger, name: "facts of this server", pauseMs: () => toldEveryMs, work });
  }

  /** Calls the listener once a second for each other server that is about to stop. */
  onLeaving(listener: (server: ProcessId) => void): Disposable {
    return this.#leaving.on(listener);
  }

  /** Null if the server has sent no facts lately. */
  urlOf(process: ProcessId): string | null {
    return this.#heard().find((facts) => facts.process === process)?.url ?? null;
  }

  /** The other servers that have sent facts lately. */
  get others(): readonly ProcessId[] {
    return this.#heard().map(({ process }) => process);
  }

  /** The server at which users search; null if unknown, or if each user searches at their own server. */
  get open(): ProcessId | null {
    if (this.#options.searchPeopleMax === 0) return null;
    return this.#inTurn().find((facts) => !this.#isFull(facts))?.process ?? null;
  }

  /** The server for clients that do not follow `move`: the open one, or the one with the matcher; null if unknown. */
  get meetingPlace(): ProcessId | null {
    return this.open ?? this.#inTurn()[0]?.process ?? null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const listening of this.#listening) listening[Symbol.dispose]();
    await this.#telling?.[Symbol.asyncDispose]();
  }

  /** All servers that stay, in the order in which they open; none while no server has the matcher. */
  #inTurn(): ServerFacts[] {
    if (!this.#own) return [];
    const all = [this.#ownFacts(this.#own()), ...this.#heard()].filter(({ isLeaving }) => !isLeaving);
    if (!all.some(({ hasMatcher }) => hasMatcher)) return [];
    return all.toSorted(
      (one, other) => Number(other.hasMatcher) - Number(one.hasMatcher) || (one.process < other.process ? -1 : 1),
    );
  }

  /** A full server stays full until it is well below the limit, so that users do not move back and forth. */
  #isFull({ process, busyPeople }: ServerFacts): boolean {
    const { searchPeopleMax } = this.#options;
    const max = this.#full.has(process) ? (searchPeopleMax * openAgainPercent) / 100 : searchPeopleMax;
    const isFull = busyPeople >= max;
    if (isFull) this.#full.add(process);
    else this.#full.delete(process);
    return isFull;
  }

  #ownFacts(own: OwnFacts): ServerFacts {
    const { peers, url } = this.#options;
    return { process: peers.self, url, ...own };
  }

  #heard(): ServerFacts[] {
    const nowMs = this.#options.clock.monotonicMs();
    for (const [process, { atMs }] of this.#others)
      if (nowMs - atMs >= factsAgeMsMax) {
        this.#others.delete(process);
        this.#full.delete(process);
      }
    return [...this.#others.values()].map(({ facts }) => facts);
  }
}

interface MoveParts {
  hub: { move(userId: bigint, to: ProcessId): boolean };
  /** Whether the user searches or is in a call, at any server. */
  isBusy: (userId: bigint) => boolean;
}

/** Moves a user with a camera preview to the open server, unless the user searches or is in a call. */
export function movesBeforeSearch(
  servers: Pick<SiteServers, "self" | "open">,
  { hub, isBusy }: MoveParts,
): Pick<HubListener, "preview"> {
  return {
    preview(userId) {
      const { open } = servers;
      if (open === null || open === servers.self) return;
      if (!isBusy(userId)) hub.move(userId, open);
    },
  };
}

import type { Logger } from "pino";
import { Emitter } from "#lib/emitter.ts";
import {
  type PeerRequestHandler,
  type PeerRequests,
  type AskOutcome,
  NoOwnerError,
  type Ownership,
  PeerFailedError,
  type PeerKey,
  type Peers,
  type PeerEvents,
} from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";

interface ListenerOptions {
  logger: Pick<Logger, "error">;
}

class PeerListeners {
  readonly gaps = new Emitter<[]>();
  readonly gone = new Emitter<[process: ProcessId]>();
  readonly asked = new Emitter<[tookMs: number, outcome: AskOutcome]>();
  readonly #logger: Pick<Logger, "error">;
  readonly #answerers = new Map<string, (input: unknown, key: PeerKey) => Promise<unknown>>();
  readonly #told = new Map<string, Emitter<[news: unknown]>>();

  constructor({ logger }: ListenerOptions) {
    this.#logger = logger;
  }

  serve<Kind extends keyof PeerRequests>(kind: Kind, answer: PeerRequestHandler<Kind>): Disposable {
    if (this.#answerers.has(kind)) throw new Error(`${kind} already has an answerer`);
    this.#answerers.set(kind, (input, key) => answer(input as PeerRequests[Kind]["in"], key));
    return { [Symbol.dispose]: () => void this.#answerers.delete(kind) };
  }

  /**
   * `kind` may be of a newer version.
   * @throws NoOwnerError where this kind has no answerer, or its answerer throws it; PeerFailedError otherwise.
   */
  async answer(kind: string, key: PeerKey, input: unknown): Promise<unknown> {
    const answer = this.#answerers.get(kind);
    if (!answer) throw new NoOwnerError(`no server answers ${kind}`);
    try {
      return await answer(input, key);
    } catch (error) {
      if (error instanceof NoOwnerError) throw error;
      throw new PeerFailedError(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  onEvent<Kind extends keyof PeerEvents>(kind: Kind, listener: (news: PeerEvents[Kind]) => void): Disposable {
    let emitter = this.#told.get(kind);
    if (!emitter) this.#told.set(kind, (emitter = new Emitter()));
    return emitter.on((news) => this.#try(() => listener(news as PeerEvents[Kind])));
  }

  /** Ignores kinds without a listener, such as those of a newer version. */
  dispatch(kind: string, news: unknown): void {
    this.#told.get(kind)?.emit(news);
  }

  onGap(listener: () => void): Disposable {
    return this.gaps.on(() => this.#try(listener));
  }

  onGone(listener: (process: ProcessId) => void): Disposable {
    return this.gone.on((process) => this.#try(() => listener(process)));
  }

  /** A failing listener must not affect the next one. */
  #try(listen: () => void): void {
    try {
      listen();
    } catch (error) {
      this.#logger.error({ err: error }, "listener for messages of other servers failed");
    }
  }
}

export abstract class ListeningPeers {
  protected readonly listeners: PeerListeners;

  constructor(options: ListenerOptions) {
    this.listeners = new PeerListeners(options);
  }

  serve<Kind extends keyof PeerRequests>(kind: Kind, answer: PeerRequestHandler<Kind>): Disposable {
    return this.listeners.serve(kind, answer);
  }

  onEvent<Kind extends keyof PeerEvents>(kind: Kind, listener: (news: PeerEvents[Kind]) => void): Disposable {
    return this.listeners.onEvent(kind, listener);
  }

  onGap(listener: () => void): Disposable {
    return this.listeners.onGap(listener);
  }

  onGone(listener: (process: ProcessId) => void): Disposable {
    return this.listeners.onGone(listener);
  }

  onAsked(listener: (tookMs: number, outcome: AskOutcome) => void): Disposable {
    return this.listeners.asked.on(listener);
  }

  /** Without a connection there is nothing to close. */
  async cutOff(_process: ProcessId): Promise<void> {}
}

/** Several servers in one process, for tests; the product uses one. */
export class LocalSite {
  readonly processes = new Map<ProcessId, PeerListeners>();
  readonly owners = new Map<PeerKey, { readonly process: ProcessId; readonly lost: AbortController }>();
}

interface LocalPeersOptions extends ListenerOptions {
  self: ProcessId;
  site?: LocalSite;
}

/** The only server without Redis: it answers its own requests. */
export class LocalPeers extends ListeningPeers implements Peers {
  readonly self: ProcessId;
  readonly figures = { nobody: 0, gaps: 0 };
  readonly isAway = false;
  readonly #site: LocalSite;

  constructor({ self, site = new LocalSite(), logger }: LocalPeersOptions) {
    super({ logger });
    this.self = self;
    this.#site = site;
    site.processes.set(self, this.listeners);
  }

  async ask<Kind extends keyof PeerRequests>(
    kind: Kind,
    key: PeerKey,
    input: PeerRequests[Kind]["in"],
  ): Promise<PeerRequests[Kind]["out"]> {
    const { owners, processes } = this.#site;
    const owner = processes.get(owners.get(key)?.process ?? "");
    if (!owner) throw new NoOwnerError(`no server owns ${key}`);
    return (await owner.answer(kind, key, input)) as PeerRequests[Kind]["out"];
  }

  async isOwned(key: PeerKey): Promise<boolean> {
    return this.#site.owners.has(key);
  }

  broadcast<Kind extends keyof PeerEvents>(kind: Kind, news: PeerEvents[Kind]): void {
    for (const other of this.#others()) other.dispatch(kind, news);
  }

  own(key: PeerKey): Promise<Ownership> {
    const { owners } = this.#site;
    const lost = new AbortController();
    const own = { process: this.self, lost };
    owners.get(key)?.lost.abort();
    owners.set(key, own);
    const letGo = () => {
      if (owners.get(key) === own) owners.delete(key);
    };
    return Promise.resolve({ lost: lost.signal, [Symbol.dispose]: letGo });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { processes, owners } = this.#site;
    if (!processes.delete(this.self)) return;
    for (const [key, { process }] of owners) if (process === this.self) owners.delete(key);
    for (const other of this.#others()) other.gone.emit(this.self);
  }

  *#others(): Iterable<PeerListeners> {
    for (const other of this.#site.processes.values()) if (other !== this.listeners) yield other;
  }
}

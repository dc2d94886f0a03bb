import { slowDown } from "#lib/errors.ts";

const fullRetrySeconds = 5;

/** Why two users must not meet: `block`, or `apart` if one avoids the other for some days. */
export type ExclusionKind = "block" | "apart";
/** The users whom one user has blocked or avoids, newest last. */
export type Exclusions = readonly { readonly otherId: bigint; readonly kind: ExclusionKind }[];

const bits = { block: 1, apart: 2 } as const;

interface Page {
  /** By the other user's id: a combination of `bits`, never 0. */
  readonly excluded: Map<bigint, number>;
  /** The first read of the database; null once it is done. */
  reading: Promise<void> | null;
  changedMeanwhile: boolean;
}

/** In memory, so that matching checks synchronously. An expired `apart` still applies until the chat session ends. */
export class BlockCache {
  readonly #read: (userId: bigint) => Promise<Exclusions>;
  readonly #entriesMax: number;
  readonly #pages = new Map<bigint, Page>();
  #entries = 0;

  constructor(options: { read: (userId: bigint) => Promise<Exclusions>; entriesMax: number }) {
    this.#read = options.read;
    this.#entriesMax = options.entriesMax;
  }

  /**
   * Loads a user's exclusions, which stay loaded until `gone`.
   * @throws EndpointError 429 if the cache is full.
   */
  async prepare(userId: bigint): Promise<void> {
    const known = this.#pages.get(userId);
    if (known) return known.reading ?? undefined;
    const page: Page = { excluded: new Map(), reading: null, changedMeanwhile: false };
    this.#pages.set(userId, page);
    page.reading = this.#fill(userId, page);
    return page.reading;
  }

  isPrepared(userId: bigint): boolean {
    return this.#pages.get(userId)?.reading === null;
  }

  /** Users whom this user has blocked or avoids, newest last; empty if not loaded. */
  excludedBy(userId: bigint): Iterable<bigint> {
    return this.#pages.get(userId)?.excluded.keys() ?? [];
  }

  /** Whether either excludes the other. Both must be loaded. */
  isExcluded(one: bigint, other: bigint): boolean {
    return this.#excludes(one, other) || this.#excludes(other, one);
  }

  changed({ userId, otherId, kind, on }: { userId: bigint; otherId: bigint; kind: ExclusionKind; on: boolean }): void {
    const page = this.#pages.get(userId);
    if (!page) return;
    page.changedMeanwhile = true;
    const sizeBefore = page.excluded.size;
    const before = page.excluded.get(otherId) ?? 0;
    const after = on ? before | bits[kind] : before & ~bits[kind];
    if (after === 0) page.excluded.delete(otherId);
    else page.excluded.set(otherId, after);
    if (!page.reading) this.#entries += page.excluded.size - sizeBefore;
  }

  /** Reloads all users one by one, since the bus may have missed changes. The known exclusions apply meanwhile. */
  async readAgain(): Promise<void> {
    for (const [userId, page] of this.#pages) {
      if (page.reading) page.changedMeanwhile = true;
      else await this.#refresh(userId, page);
    }
  }

  gone(userId: bigint): void {
    const page = this.#pages.get(userId);
    this.#pages.delete(userId);
    if (page && !page.reading) this.#entries -= page.excluded.size;
  }

  #excludes(one: bigint, other: bigint): boolean {
    return this.#pages.get(one)?.excluded.has(other) ?? false;
  }

  async #refresh(userId: bigint, page: Page): Promise<void> {
    let read: Exclusions;
    do {
      page.changedMeanwhile = false;
      read = await this.#read(userId);
    } while (page.changedMeanwhile);
    if (this.#pages.get(userId) !== page) return;
    this.#entries -= page.excluded.size;
    replaceAll(page, read);
    this.#entries += page.excluded.size;
  }

  async #fill(userId: bigint, page: Page): Promise<void> {
    try {
      do {
        page.changedMeanwhile = false;
        replaceAll(page, await this.#read(userId));
      } while (page.changedMeanwhile);
      if (this.#entries + page.excluded.size > this.#entriesMax) throw slowDown(fullRetrySeconds, "the server is full");
    } catch (error) {
      if (this.#pages.get(userId) === page) this.#pages.delete(userId);
      throw error;
    }
    page.reading = null;
    if (this.#pages.get(userId) === page) this.#entries += page.excluded.size;
  }
}

function replaceAll({ excluded }: Page, read: Exclusions): void {
  excluded.clear();
  for (const { otherId, kind } of read) excluded.set(otherId, (excluded.get(otherId) ?? 0) | bits[kind]);
}

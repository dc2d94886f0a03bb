import { slowDown } from "#lib/errors.ts";

const fullRetrySeconds = 5;

interface Page {
  readonly blocked: Set<bigint>;
  /** Null once it was read for the first time. */
  reading: Promise<void> | null;
  /** Since it was begun to be read last. */
  changedMeanwhile: boolean;
}

/** The blocks of everybody who searches, in memory: whether two people may be matched is asked without waiting. */
export class BlockCache {
  readonly #read: (userId: bigint) => Promise<readonly bigint[]>;
  readonly #entriesMax: number;
  readonly #pages = new Map<bigint, Page>();
  #entries = 0;

  constructor(options: { read: (userId: bigint) => Promise<readonly bigint[]>; entriesMax: number }) {
    this.#read = options.read;
    this.#entriesMax = options.entriesMax;
  }

  /**
   * Resolves when whom this person blocked is known here; until they are gone it stays so.
   *
   * @throws EndpointError 429 where nothing more fits.
   */
  async prepare(userId: bigint): Promise<void> {
    const known = this.#pages.get(userId);
    if (known) return known.reading ?? undefined;
    const page: Page = { blocked: new Set(), reading: null, changedMeanwhile: false };
    this.#pages.set(userId, page);
    page.reading = this.#fill(userId, page);
    return page.reading;
  }

  isPrepared(userId: bigint): boolean {
    return this.#pages.get(userId)?.reading === null;
  }

  /** Whom this person blocked; nobody where they are not prepared. */
  blockedBy(userId: bigint): Iterable<bigint> {
    return this.#pages.get(userId)?.blocked ?? [];
  }

  /** Whether either of the two blocked the other; both are prepared. */
  isExcluded(one: bigint, other: bigint): boolean {
    return this.#hasBlocked(one, other) || this.#hasBlocked(other, one);
  }

  /** A block, or the end of one, was stored. */
  changed(userId: bigint, otherId: bigint, isBlocked: boolean): void {
    const page = this.#pages.get(userId);
    if (!page) return;
    page.changedMeanwhile = true;
    const before = page.blocked.size;
    if (isBlocked) page.blocked.add(otherId);
    else page.blocked.delete(otherId);
    if (!page.reading) this.#entries += page.blocked.size - before;
  }

  /** Blocks may have been missed: all are read again, one person after the other, and those that are known hold meanwhile. */
  async readAgain(): Promise<void> {
    for (const [userId, page] of this.#pages) {
      if (page.reading) page.changedMeanwhile = true;
      else await this.#refresh(userId, page);
    }
  }

  /** The person's chat session ended. */
  gone(userId: bigint): void {
    const page = this.#pages.get(userId);
    this.#pages.delete(userId);
    if (page && !page.reading) this.#entries -= page.blocked.size;
  }

  #hasBlocked(one: bigint, other: bigint): boolean {
    return this.#pages.get(one)?.blocked.has(other) ?? false;
  }

  async #refresh(userId: bigint, page: Page): Promise<void> {
    let ids: readonly bigint[];
    do {
      page.changedMeanwhile = false;
      ids = await this.#read(userId);
    } while (page.changedMeanwhile);
    if (this.#pages.get(userId) !== page) return;
    this.#entries += ids.length - page.blocked.size;
    page.blocked.clear();
    for (const id of ids) page.blocked.add(id);
  }

  async #fill(userId: bigint, page: Page): Promise<void> {
    try {
      do {
        page.changedMeanwhile = false;
        const ids = await this.#read(userId);
        page.blocked.clear();
        for (const id of ids) page.blocked.add(id);
      } while (page.changedMeanwhile);
      if (this.#entries + page.blocked.size > this.#entriesMax) throw slowDown(fullRetrySeconds, "nothing more fits");
    } catch (error) {
      if (this.#pages.get(userId) === page) this.#pages.delete(userId);
      throw error;
    }
    page.reading = null;
    if (this.#pages.get(userId) === page) this.#entries += page.blocked.size;
  }
}

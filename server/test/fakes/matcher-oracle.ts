import type { Pairing, Seeker } from "#calls/matcher.ts";

interface Waiter {
  readonly seeker: Seeker;
  readonly sinceMs: number;
  /** Until when only the own country and zone will do; 0 for people who are not balanced. */
  readonly heldUntilMs: number;
}
interface Remembered {
  readonly partner: bigint;
  readonly atMs: number;
  readonly isApart: boolean;
}
type Bar = "excluded" | "timed" | null;

const remembered = 8;
const patienceMs = 5_000;

/** The rules of matching once more, by brute force over plain objects: what the tests hold the matcher against. */
export class MatcherOracle {
  readonly #waiting = new Map<bigint, Waiter>();
  readonly #memory = new Map<bigint, Remembered[]>();
  readonly #blocks = new Set<string>();
  /** Compatible pairs that are barred, or were while both waited. */
  #barred = new Set<string>();
  /** Pairs that are free to meet and still wait, and since when. */
  #freeSinceMs = new Map<string, number>();

  block(a: bigint, b: bigint): void {
    this.#blocks.add(pairKey(a, b));
  }
  isExcluded(a: bigint, b: bigint): boolean {
    return this.#blocks.has(pairKey(a, b));
  }

  get waiting(): ReadonlyMap<bigint, Waiter> {
    return this.#waiting;
  }

  cancel(userId: bigint): boolean {
    return this.#waiting.delete(userId);
  }

  separate(a: bigint, b: bigint, untilMs: number): void {
    this.#remember(a, { partner: b, atMs: untilMs, isApart: true });
    this.#remember(b, { partner: a, atMs: untilMs, isApart: true });
  }

  /** The start of the partner that a start must find now, null where it must find nobody. */
  start(seeker: Seeker, nowMs: number, since = nowMs): number | null {
    const before = this.#waiting.get(seeker.userId);
    const sinceMs = Math.min(since, nowMs, before?.sinceMs ?? Infinity);
    const isSame = before !== undefined && JSON.stringify(plain(before.seeker)) === JSON.stringify(plain(seeker));
    if (isSame && sinceMs === before.sinceMs) return null;
    this.#waiting.delete(seeker.userId);
    const holdMs = seeker.filters.country !== -1 ? 0 : this.#pool(seeker).length < 32 ? 1_000 : 300;
    const isHeld = nowMs - sinceMs < holdMs;
    const partners = this.#partnersOf({ seeker, sinceMs, heldUntilMs: 0 }, nowMs, { isHeld, looksMax: 16 });
    this.#waiting.set(seeker.userId, { seeker, sinceMs, heldUntilMs: isHeld ? nowMs + holdMs : 0 });
    return partners[0] ?? null;
  }

  /** Says what is wrong with a pairing, or null; takes the two out. */
  pair({ longer, newer, longerSince, newerSince }: Pairing, nowMs: number): string | null {
    const one = this.#waiting.get(longer);
    const other = this.#waiting.get(newer);
    if (!one || !other || longer === newer) return "somebody was paired who does not wait";
    this.#waiting.delete(longer);
    this.#waiting.delete(newer);
    const isApart = this.#isApart(longer, newer, nowMs);
    this.#remember(longer, { partner: newer, atMs: nowMs, isApart: false });
    this.#remember(newer, { partner: longer, atMs: nowMs, isApart: false });
    if (one.sinceMs !== longerSince || other.sinceMs !== newerSince) return "a start was changed";
    if (longerSince > newerSince) return "the newer one is named as the longer";
    if (!accepts(one.seeker, other.seeker) || !accepts(other.seeker, one.seeker)) return "the two are incompatible";
    if (this.isExcluded(longer, newer)) return "the two are excluded";
    return isApart ? "the two are kept apart" : null;
  }

  /** Whether one of the two could not have found anybody older, or nearer where that counts. To be asked before `pair`. */
  isBest({ longer, newer }: Pairing, nowMs: number): boolean {
    const pair = [this.#waiting.get(longer)!, this.#waiting.get(newer)!] as const;
    return [pair, pair.toReversed()].some(
      ([searcher, partner]) =>
        this.#partnersOf(searcher!, nowMs, { isHeld: false, looksMax: Infinity })[0] === partner!.sinceMs,
    );
  }

  /**
   * A pair that was missed, as text, or null. A pair that was never barred must not wait together at all; one whose bar
   * ended has 1 s, and so has every pair where barred people may have cut a search short.
   */
  missed(nowMs: number, mayBeCut: boolean): string | null {
    const waiters = [...this.#waiting.values()];
    const barred = new Set<string>();
    const free = new Map<string, number>();
    for (const [at, one] of waiters.entries())
      for (const other of waiters.slice(at + 1)) {
        if (!accepts(one.seeker, other.seeker) || !accepts(other.seeker, one.seeker)) continue;
        const key = pairKey(one.seeker.userId, other.seeker.userId);
        const isBarred = this.#bar(one, other, nowMs) !== null || this.#bar(other, one, nowMs) !== null;
        if (isBarred || this.#barred.has(key)) barred.add(key);
        if (!isBarred && !isHeld(one, other, nowMs)) free.set(key, this.#freeSinceMs.get(key) ?? nowMs);
      }
    this.#barred = barred;
    this.#freeSinceMs = free;
    for (const [key, freeSinceMs] of free) {
      const slackMs = mayBeCut || barred.has(key) ? 1_000 : -1;
      if (nowMs - freeSinceMs > slackMs) return `${key} could have met since ${freeSinceMs}`;
    }
    return null;
  }

  /** Starts of the partners somebody may get, the best first. */
  #partnersOf(searcher: Waiter, nowMs: number, looks: { isHeld: boolean; looksMax: number }): number[] {
    const { filters, countryId, zone } = searcher.seeker;
    const compatible = [...this.#waiting.values()]
      .filter(({ seeker }) => seeker.userId !== searcher.seeker.userId)
      .filter(({ seeker }) => accepts(searcher.seeker, seeker) && accepts(seeker, searcher.seeker));
    const levels: ((seeker: Seeker) => boolean)[] = [];
    if (filters.country === -1)
      levels.push(
        (seeker) => seeker.countryId === countryId,
        (seeker) => seeker.zone === zone,
      );
    if (!looks.isHeld) levels.push(() => true);
    for (const isNear of levels) {
      const near = compatible.filter(({ seeker }) => isNear(seeker));
      const starts = firstOfEachList(near, looks.looksMax)
        .filter((waiter) => this.#bar(searcher, waiter, nowMs) === null)
        .map(({ sinceMs }) => sinceMs);
      if (starts.length > 0) return starts.toSorted((one, other) => one - other);
    }
    return [];
  }

  #bar(searcher: Waiter, candidate: Waiter, nowMs: number): Bar {
    const [a, b] = [searcher.seeker.userId, candidate.seeker.userId];
    if (this.isExcluded(a, b)) return "excluded";
    const memory = this.#memory.get(a)?.find(({ partner }) => partner === b);
    if (!memory) return null;
    if (memory.isApart) return nowMs < memory.atMs ? "timed" : null;
    const gapMs = Math.min(600_000, 15_000 * this.#pool(searcher.seeker).length);
    const shorterWaitMs = nowMs - Math.max(searcher.sinceMs, candidate.sinceMs);
    return nowMs - memory.atMs < gapMs && shorterWaitMs < patienceMs ? "timed" : null;
  }

  #isApart(a: bigint, b: bigint, nowMs: number): boolean {
    return this.#memory.get(a)?.some(({ partner, atMs, isApart }) => partner === b && isApart && nowMs < atMs) ?? false;
  }

  /** Who else waits and fits by sex and wish alone. */
  #pool({ userId, sex, filters }: Seeker): Waiter[] {
    return [...this.#waiting.values()].filter(
      ({ seeker }) =>
        seeker.userId !== userId &&
        (filters.sex === 0 || filters.sex === seeker.sex) &&
        (seeker.filters.sex === 0 || seeker.filters.sex === sex),
    );
  }

  #remember(userId: bigint, entry: Remembered): void {
    const others = (this.#memory.get(userId) ?? []).filter(({ partner }) => partner !== entry.partner);
    const kept = others.toSorted((one, other) => other.atMs - one.atMs).slice(0, remembered - 1);
    this.#memory.set(userId, [entry, ...kept]);
  }
}

/** Whether one of them looks near only, and the other is not near. */
function isHeld(one: Waiter, other: Waiter, nowMs: number): boolean {
  return one.seeker.zone !== other.seeker.zone && Math.max(one.heldUntilMs, other.heldUntilMs) > nowMs;
}

function accepts({ filters }: Seeker, other: Seeker): boolean {
  return (
    (filters.sex === 0 || filters.sex === other.sex) && (filters.country <= 0 || filters.country === other.countryId)
  );
}

/** The matcher looks at so many of each sex, wished sex and required country. */
function firstOfEachList(waiters: Waiter[], looksMax: number): Waiter[] {
  const counts = new Map<string, number>();
  return waiters
    .toSorted((one, other) => one.sinceMs - other.sinceMs)
    .filter(({ seeker }) => {
      const list = `${seeker.sex} ${seeker.filters.sex} ${Math.max(0, seeker.filters.country)}`;
      const count = (counts.get(list) ?? 0) + 1;
      counts.set(list, count);
      return count <= looksMax;
    });
}

function plain({ sex, filters, countryId, zone }: Seeker): unknown {
  return [sex, filters.sex, filters.country, countryId, zone];
}

function pairKey(a: bigint, b: bigint): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

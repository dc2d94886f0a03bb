import type { Pairing, Seeker } from "#calls/matcher.ts";

interface Waiter {
  readonly seeker: Seeker;
  /** User id as a number, which is a faster key than a `bigint`. */
  readonly id: number;
  readonly sinceMs: number;
  /** Until when the user is matched only within the own country and zone; 0 if the search is not balanced. */
  readonly heldUntilMs: number;
  /** When the user is matched only with partners who share a language; 0 if never. */
  readonly sharedHold: { readonly fromMs: number; readonly untilMs: number };
  /** How often the user was passed over for another one. */
  passes: number;
}
interface VideoInspections {
  readonly isHeld: boolean;
  readonly isSharedHeld: boolean;
  readonly looksMax: number;
}
/** The partner that a search takes, and the users whom it passes over. */
interface Taken {
  readonly partner: Waiter;
  readonly passed: readonly Waiter[];
}
interface Remembered {
  readonly partner: bigint;
  readonly atMs: number;
  readonly isApart: boolean;
}
type Bar = "excluded" | "timed" | null;

const remembered = 8;
const patienceMs = 5_000;
const noHold = { fromMs: 0, untilMs: 0 };

/** Brute-force implementation of the matching rules over plain objects, with which tests compare the matcher. */
export class MatcherOracle {
  readonly #waiting = new Map<number, Waiter>();
  readonly #memory = new Map<bigint, Remembered[]>();
  /** Starts of the last ten seconds, oldest first. */
  readonly #begun: { seeker: Seeker; second: number }[] = [];
  readonly #idsMax: number;
  // For each pair, indexed by `#pairOf`.
  readonly #isBlocked: Uint8Array;
  /** By pair: the last check at which the two were barred, or had been since both began to wait. */
  readonly #barredAtLook: Uint32Array;
  /** By pair: the last check at which the two were free and waited, and since when. */
  readonly #freeAtLook: Uint32Array;
  readonly #freeSinceMs: Float64Array;
  /** Number of this check, from 1. */
  #look = 1;

  /** @param idsMax the highest user id; the lowest is 1. */
  constructor(idsMax: number) {
    this.#idsMax = idsMax;
    const pairs = (idsMax + 1) ** 2;
    this.#isBlocked = new Uint8Array(pairs);
    this.#barredAtLook = new Uint32Array(pairs);
    this.#freeAtLook = new Uint32Array(pairs);
    this.#freeSinceMs = new Float64Array(pairs);
  }

  block(a: bigint, b: bigint): void {
    this.#isBlocked[this.#pairOf(Number(a), Number(b))] = 1;
  }
  isExcluded(a: bigint, b: bigint): boolean {
    return this.#isBlocked[this.#pairOf(Number(a), Number(b))] === 1;
  }

  /** By user id. */
  get waiting(): ReadonlyMap<number, Waiter> {
    return this.#waiting;
  }

  cancel(userId: bigint): boolean {
    return this.#waiting.delete(Number(userId));
  }

  separate(a: bigint, b: bigint, untilMs: number): void {
    this.#remember(a, { partner: b, atMs: untilMs, isApart: true });
    this.#remember(b, { partner: a, atMs: untilMs, isApart: true });
  }

  /** Id of the partner that this start must find; null if it must find none. */
  start(seeker: Seeker, nowMs: number, since = nowMs): number | null {
    const id = Number(seeker.userId);
    const before = this.#waiting.get(id);
    const sinceMs = Math.min(since, nowMs, before?.sinceMs ?? Infinity);
    const isSame = before !== undefined && JSON.stringify(plain(before.seeker)) === JSON.stringify(plain(seeker));
    if (isSame && sinceMs === before.sinceMs) return null;
    this.#waiting.delete(id);
    const holdMs = seeker.filters.country !== -1 ? 0 : this.#pool(seeker).length < 32 ? 1_000 : 300;
    const isHeld = nowMs - sinceMs < holdMs;
    const second = Math.floor(nowMs / 1_000);
    while (this.#begun[0] && this.#begun[0].second <= second - 10) this.#begun.shift();
    this.#begun.push({ seeker, second });
    const isSharedHeld = nowMs - sinceMs < 500 && namesLanguages(seeker) && this.#suitableSearches(seeker) >= 30;
    const sharedHold = isSharedHeld ? { fromMs: nowMs, untilMs: nowMs + 500 } : noHold;
    const waiter = { seeker, id, sinceMs, heldUntilMs: isHeld ? nowMs + holdMs : 0, sharedHold, passes: 0 };
    const taken = this.#choice(waiter, nowMs, { isHeld, isSharedHeld, looksMax: 16 });
    this.#waiting.set(id, waiter);
    if (taken) this.#passOver(taken);
    return taken?.partner.sinceMs ?? null;
  }

  /** What is wrong with a pair, or null. Removes the two users. */
  pair({ longer, newer, longerSince, newerSince }: Pairing, nowMs: number): string | null {
    const one = this.#waiting.get(Number(longer));
    const other = this.#waiting.get(Number(newer));
    if (!one || !other || longer === newer) return "a user was paired who is not waiting";
    this.#waiting.delete(one.id);
    this.#waiting.delete(other.id);
    const isApart = this.#isApart(longer, newer, nowMs);
    this.#remember(longer, { partner: newer, atMs: nowMs, isApart: false });
    this.#remember(newer, { partner: longer, atMs: nowMs, isApart: false });
    if (one.sinceMs !== longerSince || other.sinceMs !== newerSince) return "a start was changed";
    if (longerSince > newerSince) return "the newer one is named as the longer";
    if (!accepts(one.seeker, other.seeker) || !accepts(other.seeker, one.seeker)) return "the two are incompatible";
    if (this.isExcluded(longer, newer)) return "the two are excluded";
    if (isLeftOut(one.seeker, other.seeker)) return "one leaves out the country of the other";
    return isApart ? "the two are kept apart" : null;
  }

  /** Whether the searching user of the pair prefers no other user. Call before `pair`. */
  isBest({ longer, newer }: Pairing, searcherId: bigint, nowMs: number): boolean {
    const searcher = this.#waiting.get(Number(searcherId))!;
    const isHeld = nowMs < searcher.heldUntilMs;
    const isSharedHeld = nowMs < searcher.sharedHold.untilMs;
    const taken = this.#choice(searcher, nowMs, { isHeld, isSharedHeld, looksMax: Infinity });
    if (taken) this.#passOver(taken);
    const partnerId = searcherId === longer ? newer : longer;
    return taken?.partner.sinceMs === this.#waiting.get(Number(partnerId))!.sinceMs;
  }

  /**
   * A pair that the matcher has missed, as text, or null. Two users who were never barred must not wait together at
   * all. Two whose bar ended may wait together for 1 s. So may any two if barred users may have cut a search short.
   */
  missed(nowMs: number, mayBeCut: boolean): string | null {
    const waiters = [...this.#waiting.values()];
    const lastLook = this.#look;
    this.#look += 1;
    for (const [at, one] of waiters.entries())
      for (const other of waiters.slice(at + 1)) {
        if (!accepts(one.seeker, other.seeker) || !accepts(other.seeker, one.seeker)) continue;
        const pair = this.#pairOf(one.id, other.id);
        const isBarred = this.#bar(one, other, nowMs) !== null || this.#bar(other, one, nowMs) !== null;
        const wasBarred = isBarred || this.#barredAtLook[pair] === lastLook;
        if (wasBarred) this.#barredAtLook[pair] = this.#look;
        if (isBarred || isHeld(one, other, nowMs)) continue;
        if (this.#freeAtLook[pair] !== lastLook) this.#freeSinceMs[pair] = nowMs;
        this.#freeAtLook[pair] = this.#look;
        const freeSinceMs = this.#freeSinceMs[pair]!;
        const slackMs = mayBeCut || wasBarred ? 1_000 : -1;
        if (nowMs - freeSinceMs > slackMs) return `${one.id} and ${other.id} could have met since ${freeSinceMs}`;
      }
    return null;
  }

  #passOver({ passed }: Taken): void {
    for (const waiter of passed) {
      // A barred user cannot be chosen, so being passed over gives that user no priority.
      waiter.passes = Math.min(3, waiter.passes + 1);
    }
  }

  /** The partner that a user would take now; null for none. */
  #choice(searcher: Waiter, nowMs: number, { isHeld, isSharedHeld, looksMax }: VideoInspections): Taken | null {
    const { filters, countryId, zone } = searcher.seeker;
    const compatible = [...this.#waiting.values()]
      .filter(({ id }) => id !== searcher.id)
      .filter(({ seeker }) => accepts(searcher.seeker, seeker) && accepts(seeker, searcher.seeker));
    const isBalanced = filters.country === -1;
    const isNear: ((seeker: Seeker) => boolean)[] = [() => true];
    if (isBalanced) isNear.unshift((seeker) => seeker.zone === zone);
    if (isBalanced && !leavesOut(searcher.seeker, searcher.seeker))
      isNear.unshift((seeker) => seeker.countryId === countryId);
    const isFree = (waiter: Waiter) => this.#bar(searcher, waiter, nowMs) === null;
    const levels = isNear.map((isHere, level) => {
      const here = compatible.filter(({ seeker }) => isHere(seeker));
      const oldest = here.toSorted((one, other) => one.sinceMs - other.sinceMs).slice(0, 16);
      const seen = firstOfEachList(here, looksMax).find(isFree);
      const choice = oldest.map((waiter) => ({ waiter, isFree: isFree(waiter) }));
      return { isFar: isBalanced && level === isNear.length - 1, seen, choice };
    });
    if (!chooses(searcher.seeker)) {
      const found = levels.find(({ isFar, seen }) => seen && !(isFar && isHeld))?.seen;
      return found ? { partner: found, passed: [] } : null;
    }
    return choose(searcher.seeker, levels, { isHeld, isSharedHeld, nowMs });
  }

  #bar(searcher: Waiter, candidate: Waiter, nowMs: number): Bar {
    if (isLeftOut(searcher.seeker, candidate.seeker)) return "excluded";
    if (this.#isBlocked[this.#pairOf(searcher.id, candidate.id)] === 1) return "excluded";
    const { userId } = candidate.seeker;
    const memory = this.#memory.get(searcher.seeker.userId)?.find(({ partner }) => partner === userId);
    if (!memory) return null;
    if (memory.isApart) return nowMs < memory.atMs ? "timed" : null;
    const gapMs = Math.min(600_000, 15_000 * this.#pool(searcher.seeker).length);
    const shorterWaitMs = nowMs - Math.max(searcher.sinceMs, candidate.sinceMs);
    return nowMs - memory.atMs < gapMs && shorterWaitMs < patienceMs ? "timed" : null;
  }

  #isApart(a: bigint, b: bigint, nowMs: number): boolean {
    return this.#memory.get(a)?.some(({ partner, atMs, isApart }) => partner === b && isApart && nowMs < atMs) ?? false;
  }

  /** Waiting users who suit this one by sex and sex filter, whatever their countries. */
  #pool({ userId, sex, filters }: Seeker): Waiter[] {
    return [...this.#waiting.values()].filter(
      ({ seeker }) =>
        seeker.userId !== userId &&
        (filters.sex === 0 || filters.sex === seeker.sex) &&
        (seeker.filters.sex === 0 || seeker.filters.sex === sex),
    );
  }

  /** How many starts of the last ten seconds suit this user by sex and sex filter. */
  #suitableSearches({ sex, filters }: Seeker): number {
    return this.#begun.filter(
      ({ seeker }) =>
        (filters.sex === 0 || filters.sex === seeker.sex) && (seeker.filters.sex === 0 || seeker.filters.sex === sex),
    ).length;
  }

  #pairOf(one: number, other: number): number {
    return Math.min(one, other) * (this.#idsMax + 1) + Math.max(one, other);
  }

  #remember(userId: bigint, entry: Remembered): void {
    const others = (this.#memory.get(userId) ?? []).filter(({ partner }) => partner !== entry.partner);
    const kept = others.toSorted((one, other) => other.atMs - one.atMs).slice(0, remembered - 1);
    this.#memory.set(userId, [entry, ...kept]);
  }
}

interface Level {
  readonly isFar: boolean;
  /** The longest waiting user who is not barred, among those at whom the search looks. */
  readonly seen: Waiter | undefined;
  /** The sixteen longest waiting users. */
  readonly choice: readonly { readonly waiter: Waiter; readonly isFree: boolean }[];
}

interface Choosing {
  readonly isHeld: boolean;
  readonly isSharedHeld: boolean;
  readonly nowMs: number;
}

/** The user with most points of the first level that has one. Levels are in order of preference. */
function choose(seeker: Seeker, levels: readonly Level[], { isHeld, isSharedHeld, nowMs }: Choosing): Taken | null {
  const open = levels.filter(({ isFar }) => !(isFar && isHeld));
  const within = namesLanguages(seeker) ? levels : open;
  const order = within.flatMap((level) =>
    level.choice.map((one) => ({ ...one, level, points: points(seeker, one.waiter.seeker) })),
  );
  const lastAt = order.findIndex(({ waiter, isFree }) => waiter.passes === 3 && isFree);
  const allowed = (lastAt === -1 ? order : order.slice(0, lastAt + 1)).filter(({ isFree }) => isFree);
  const isLeft = (one: { waiter: Waiter; points: number }) => isSharedHeld && isLeftBy(one.waiter, one.points, nowMs);
  const rounds = [
    ...(namesLanguages(seeker) ? levels : []).map((level) => ({ level, pointsMin: 4 })),
    ...open.map((level) => ({ level, pointsMin: 0 })),
  ];
  for (const { level, pointsMin } of rounds) {
    const here = allowed.filter(
      (one) => one.level === level && one.points >= pointsMin && (pointsMin > 0 || !isLeft(one)),
    );
    const most = Math.max(...here.map((one) => one.points));
    const taken = here.find((one) => one.points === most);
    if (taken) {
      const before = order.slice(0, order.indexOf(taken)).map(({ waiter }) => waiter);
      return { partner: taken.waiter, passed: [...new Set(before)] };
    }
    const isFull = level.choice.length === 16 && !level.choice.some(({ isFree }) => isFree);
    if (pointsMin === 0 && isFull && !isSharedHeld && level.seen) return { partner: level.seen, passed: [] };
  }
  return null;
}

/** Whether a user who waits for a common language does not take this one yet. */
function isLeftBy(waiter: Waiter, points: number, nowMs: number): boolean {
  return points < 4 && waiter.passes < 3 && nowMs - waiter.sinceMs < 5_000;
}

function chooses({ talk }: Seeker): boolean {
  return talk !== undefined && talk.prefer === 1 && talk.languages.length + talk.interests.length > 0;
}

function namesLanguages(seeker: Seeker): boolean {
  return chooses(seeker) && seeker.talk!.languages.length > 0;
}

/** Languages: 4 if both chose one, 2 if one chose it and it is the other's interface language. Interests: at most 2. */
function points(one: Seeker, other: Seeker): number {
  const [languages, others] = [one.talk?.languages ?? [], other.talk?.languages ?? []];
  const interests = (one.talk?.interests ?? []).filter((id) => other.talk?.interests.includes(id)).length;
  const haveBoth = languages.length > 0 && others.length > 0;
  const isNamed = haveBoth && languages.some((id) => others.includes(id));
  const isAssumed =
    !haveBoth && [...languages, ...others].includes((languages.length > 0 ? other : one).languageId ?? -1);
  return (isNamed ? 4 : isAssumed ? 2 : 0) + Math.min(2, interests);
}

/** Whether the two may not match yet: one waits for near partners or for a common language. */
function isHeld(one: Waiter, other: Waiter, nowMs: number): boolean {
  const isFar = one.seeker.zone !== other.seeker.zone && Math.max(one.heldUntilMs, other.heldUntilMs) > nowMs;
  const waitsFor = ({ sharedHold }: Waiter, { sinceMs }: Waiter) =>
    sharedHold.untilMs > nowMs && sinceMs > sharedHold.fromMs - 5_000;
  return isFar || waitsFor(one, other) || waitsFor(other, one);
}

function accepts({ filters }: Seeker, other: Seeker): boolean {
  return (
    (filters.sex === 0 || filters.sex === other.sex) && (filters.country <= 0 || filters.country === other.countryId)
  );
}

/** Whether `one` excludes the other user's country. Nobody can exclude the unknown country. */
function leavesOut(one: Seeker, { countryId }: Seeker): boolean {
  return countryId !== 0 && (one.leavesOut ?? []).includes(countryId);
}

function isLeftOut(one: Seeker, other: Seeker): boolean {
  return leavesOut(one, other) || leavesOut(other, one);
}

/** The first users of each list (sex, sex filter, country filter), as far as the matcher looks. */
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

function plain({ sex, filters, countryId, zone, talk, languageId, leavesOut = [] }: Seeker): unknown {
  const sorted = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);
  const tags = talk && [sorted(talk.languages), sorted(talk.interests), talk.prefer];
  return [sex, filters.sex, filters.country, countryId, zone, tags, languageId, sorted(leavesOut)];
}

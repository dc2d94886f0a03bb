import type { Logger } from "pino";
import { Tasks, Timers } from "#lib/tasks.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { MatchGate, MatchPeople, RematchRequests, SearchRequest } from "./match-eligibility.ts";
import type { CallService, RoomEvent, RoomEventConsumer } from "./room-service.ts";
import type { SearchChecks } from "./search-inspection.ts";

export interface RematchOptions {
  bus: Pick<Bus, "social">;
  calls: CallService;
  people: MatchPeople;
  rematchRequests: RematchRequests;
  gate: Pick<MatchGate, "restrictionsOf">;
  checks: SearchChecks;
  clock: Clock;
  logger: Logger;
}

/** One person who waits for another. A renewed wait is a new object, so that what is read for the old one comes to nothing. */
export interface Wait {
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
}

const retryMs = 1_000;
const failed = "meeting again failed";
/** A request can end without anything that happens here: taken back, a day old, or the other's account deleted. */
const checkMs = 15_000;

/** People who wait for one person only, because both want to meet again. At most one wait a person, and no price. */
export class Rematch implements RoomEventConsumer, AsyncDisposable {
  readonly #options: RematchOptions;
  readonly #waits = new Map<bigint, Wait>();
  /** Rooms made here, until they are live or over. */
  readonly #rooms = new Map<string, readonly [bigint, bigint]>();
  readonly #tasks: Tasks;
  readonly #retries: Timers;
  #check: Disposable | null = null;
  #isLeaving = false;
  #stopping = false;

  constructor(options: RematchOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#retries = new Timers(options.clock);
  }

  onRoomEvent({ id, kind }: RoomEvent): void {
    if (kind === "live") this.#becameLive(id);
    if (kind === "ended") this.#rooms.delete(id);
  }

  get size(): number {
    return this.#waits.size;
  }

  has(userId: bigint): boolean {
    return this.#waits.has(userId);
  }

  /** When the person began to wait for this other; null where they do not. */
  sinceOf(userId: bigint, otherId: bigint): number | null {
    const wait = this.#waits.get(userId);
    return wait?.otherId === otherId ? wait.sinceMs : null;
  }

  /** Waits; the room is made at once where the other waits too, otherwise the other hears of it. */
  wait(
    { userId, language, offer, checks = false, traceparent }: SearchRequest,
    { otherId, sinceMs, away }: Pick<Wait, "otherId" | "sinceMs" | "away">,
  ): void {
    const isPaired = this.#begin({ userId, otherId, language, offer, sinceMs, away, checks, traceparent });
    if (!isPaired) this.#tasks.add(failed, () => this.#tellOther(userId, otherId));
  }

  /** Gives the wait away with whoever moves to another process; null where the person does not wait. */
  pack(userId: bigint): Wait | null {
    const wait = this.#waits.get(userId) ?? null;
    this.withdraw(userId);
    return wait;
  }

  /** Goes on with a wait of another process; the other has heard of it. */
  goOn(wait: Wait): void {
    this.#begin(wait);
  }

  /** Takes a newer offer; answers since when the person waits, or null where they do not. */
  renew({ userId, offer, checks }: SearchRequest): number | null {
    const wait = this.#waits.get(userId);
    if (!wait) return null;
    this.#options.checks[checks ? "begin" : "end"](userId);
    this.#waits.set(userId, { ...wait, offer, checks: checks ?? false });
    this.#pair(userId);
    return wait.sinceMs;
  }

  withdraw(userId: bigint): void {
    if (this.#waits.delete(userId)) this.#options.checks.end(userId);
  }

  /** Neither waits for the other any more. */
  part(one: bigint, other: bigint): void {
    if (this.#waits.get(one)?.otherId === other) this.withdraw(one);
    if (this.#waits.get(other)?.otherId === one) this.withdraw(other);
  }

  dropped(userId: bigint): void {
    const wait = this.#waits.get(userId);
    if (wait) this.#waits.set(userId, { ...wait, away: true });
  }

  resumed(userId: bigint): void {
    const wait = this.#waits.get(userId);
    if (!wait) return;
    this.#waits.set(userId, { ...wait, away: false });
    this.#pair(userId);
  }

  /** This process is about to stop: whoever waits does so until they are elsewhere. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Makes no more rooms; resolves when none is half made. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    this.#retries[Symbol.dispose]();
    this.#check?.[Symbol.dispose]();
    await this.#tasks[Symbol.asyncDispose]();
  }

  /** False where the other is still awaited. */
  #begin(wait: Wait): boolean {
    this.#waits.set(wait.userId, wait);
    this.#options.checks[wait.checks ? "begin" : "end"](wait.userId);
    this.#armCheck();
    return this.#pair(wait.userId);
  }

  /** Begins to make the room where the other waits for this person too; false where not. */
  #pair(userId: bigint): boolean {
    const mine = this.#waits.get(userId);
    const theirs = mine && this.#waits.get(mine.otherId);
    if (this.#isLeaving || !mine || !theirs || theirs.otherId !== userId || mine.away || theirs.away) return false;
    const [longer, newer] = mine.sinceMs < theirs.sinceMs ? [mine, theirs] : [theirs, mine];
    this.#tasks.add(failed, () =>
      this.#settle(longer, newer).catch((error: unknown) => {
        this.#options.logger.error({ err: error }, "people who want to meet again could not be brought together");
        this.#retry(userId);
      }),
    );
    return true;
  }

  async #settle(longer: Wait, newer: Wait): Promise<void> {
    const { people, rematchRequests, calls, gate } = this.#options;
    const [longerCard, newerCard, longerMay, newerMay, isWanted] = await Promise.all([
      people.remoteUser(longer.userId, newer.language),
      people.remoteUser(newer.userId, longer.language),
      gate.restrictionsOf(longer.userId),
      gate.restrictionsOf(newer.userId),
      rematchRequests.bothRequested(longer.userId, newer.userId),
    ]);
    const areHere = [longer, newer].every((wait) => this.#waits.get(wait.userId) === wait);
    if (!areHere || this.#stopping) return;
    if (!isWanted) return this.part(longer.userId, newer.userId);
    if (!calls.hasCapacity) return this.#retry(longer.userId);
    // Their looks go on into the room.
    for (const { userId } of [longer, newer]) this.#waits.delete(userId);
    const free = { price: 0, isEnough: 1 } as const;
    const sideOf = ({ userId, sinceMs, traceparent }: Wait) => ({ ...free, userId, sinceMs, traceparent });
    const roomId = calls.create({
      offerer: { ...sideOf(longer), card: longerCard, restrictions: longerMay },
      answerer: { ...sideOf(newer), card: newerCard, restrictions: newerMay },
      preparedOffer: longer.offer,
    });
    this.#rooms.set(roomId, [longer.userId, newer.userId]);
  }

  #retry(userId: bigint): void {
    if (this.#stopping) return;
    this.#retries.after(retryMs, () => void this.#pair(userId));
  }

  #armCheck(): void {
    if (this.#check || this.#stopping || this.#waits.size === 0) return;
    this.#check = this.#options.clock.after(checkMs, () => {
      this.#tasks.add(failed, () =>
        this.#endOutdated().finally(() => {
          this.#check = null;
          this.#armCheck();
        }),
      );
    });
  }

  /** Whoever waits for somebody who cannot be met any more waits no longer, and hears of it. */
  async #endOutdated(): Promise<void> {
    for (const { userId, otherId } of this.#waits.values()) {
      if (await this.#options.rematchRequests.bothRequested(userId, otherId)) continue;
      const person = await this.#personOf(otherId);
      if (this.sinceOf(userId, otherId) === null) continue;
      this.withdraw(userId);
      this.#options.bus.social(userId, { kind: "meet", ...person, state: "over" });
    }
  }

  async #tellOther(userId: bigint, otherId: bigint): Promise<void> {
    const person = await this.#personOf(userId);
    if (this.sinceOf(userId, otherId) === null) return;
    this.#options.bus.social(otherId, { kind: "meet", ...person, state: "waiting" });
  }

  async #personOf(userId: bigint) {
    const { user_id, external_id, nickname, avatar } = await this.#options.people.remoteUser(userId, "en");
    return { userId: user_id, externalId: external_id, nickname, avatar };
  }

  /** Only now have they met: who could not be connected may try again. */
  #becameLive(roomId: string): void {
    const pair = this.#rooms.get(roomId);
    if (!pair) return;
    this.#rooms.delete(roomId);
    this.#tasks.add(failed, () => this.#options.rematchRequests.markFulfilled(...pair));
  }
}

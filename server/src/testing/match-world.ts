import { pino } from "pino";
import { filterPricesDefault, type MatchWish } from "@fava/wire/beans.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import { DirectMedia } from "#adapters/media/direct-media.ts";
import type { CallEventRow, CallLog, CallRow } from "#calls/call-store.ts";
import {
  type MatchBars,
  type MatchFacts,
  type MatchPeople,
  MatchService,
  type MeetWishes,
} from "#calls/match-service.ts";
import { CallService } from "#calls/room-service.ts";
import type { LineRules } from "#ports/line-rules.ts";
import type { MediaRelay } from "#ports/media.ts";
import type { Standing } from "#ports/moderation.ts";
import { TestClock } from "./clock.ts";
import { type Delivered, MemoryBus } from "./memory-bus.ts";
import { passingLines } from "./passing-lines.ts";
import { seededRandom } from "./random.ts";

/** A call log that remembers instead of writing. */
export class MemoryCallLog implements CallLog {
  readonly calls = new Map<string, CallRow & { connectedAtMs: number | null; endReason: string | null }>();
  readonly events: CallEventRow[] = [];
  overloaded = false;

  matched(row: CallRow): void {
    this.calls.set(row.id, { ...row, connectedAtMs: null, endReason: null });
  }

  connected(callId: string, atMs: number): void {
    this.#change(callId, { connectedAtMs: atMs });
  }

  ended(callId: string, end: { reason: string }): void {
    this.#change(callId, { endReason: end.reason });
  }

  event(row: CallEventRow): void {
    this.events.push(row);
  }

  isOverloaded(): boolean {
    return this.overloaded;
  }

  kindsOf(callId: string): string[] {
    return this.events.filter((event) => event.callId === callId).map((event) => event.kind);
  }

  #change(callId: string, change: { connectedAtMs?: number; endReason?: string }): void {
    const row = this.calls.get(callId);
    if (!row) throw new Error("a call that was never matched");
    this.calls.set(callId, { ...row, ...change });
  }
}

const globalWish: MatchWish = { sex: 0, country: 0 };

interface WorldOptions {
  media?: MediaRelay;
  lines?: LineRules;
  roomsMax?: number;
  searchesMax?: number;
  seed?: number;
}

/** Matching and calls without HTTP, sockets and a database; time and people are moved by hand. */
export class MatchWorld implements AsyncDisposable {
  readonly clock = new TestClock();
  readonly bus = new MemoryBus(() => this.clock.monotonicMs());
  readonly log = new MemoryCallLog();
  readonly facts = new Map<bigint, MatchFacts>();
  readonly beans = new Map<bigint, bigint>();
  /** Who blocked whom, and who wants to meet whom again, each as `1 2`. */
  readonly blocked = new Set<string>();
  readonly wishes = new Set<string>();
  /** Of people who are new, or not matched at present. */
  readonly standings = new Map<bigint, Partial<Standing>>();
  /** Whether pictures of calls are looked at. */
  isChecking = true;
  /** Whose blocks were read. */
  readonly prepared = new Set<bigint>();
  readonly bars: MatchBars = {
    prepare: async (userId) => void this.prepared.add(userId),
    isPrepared: (userId) => this.prepared.has(userId),
    isExcluded: (one, other) => this.blocked.has(`${one} ${other}`) || this.blocked.has(`${other} ${one}`),
  };
  readonly matchWishes: MeetWishes = {
    wishEachOther: async (one, other) => this.wishes.has(`${one} ${other}`) && this.wishes.has(`${other} ${one}`),
    wishFulfilled: async (one, other) => {
      this.wishes.delete(`${one} ${other}`);
      this.wishes.delete(`${other} ${one}`);
    },
  };
  readonly people: MatchPeople;
  readonly calls: CallService;
  readonly matches: MatchService;
  /** Awaited by every look at a card, so that a test can act while a pair is being settled. */
  readingCard: () => Promise<void> = async () => {};
  /** Awaited by every start. */
  readingFacts: () => Promise<void> = async () => {};

  constructor(options: WorldOptions = {}) {
    const { clock, bus, log } = this;
    const random = seededRandom(options.seed ?? 1);
    const { lines = passingLines, roomsMax = 1_000 } = options;
    const media = options.media ?? new DirectMedia({ stunUrls: [], clock });
    this.calls = new CallService({ bus, media, log, lines, clock, random, roomsMax });
    this.people = {
      matchFacts: async (userId) => {
        await this.readingFacts();
        return this.#factsOf(userId);
      },
      remoteUser: async (userId, language) => {
        await this.readingCard();
        const { sex, countryId } = this.#factsOf(userId);
        const country = { country_id: countryId, country_name: `${countryId} in ${language}`, country_flag: "" };
        const name = { user_id: Number(userId), external_id: `ext-${userId}`, nickname: `person ${userId}` };
        return { ...name, avatar: "", sex, ...country };
      },
    };
    this.matches = new MatchService({
      bus,
      calls: this.calls,
      people: this.people,
      bars: this.bars,
      wishes: this.matchWishes,
      gate: {
        standing: async (userId) => ({ pausedUntil: null, isNew: false, ...this.standings.get(userId) }),
        isChecking: () => this.isChecking,
      },
      allowances: { spendable: async (userId) => ({ have: this.beans.get(userId) ?? 0n, limit: "balance" }) },
      prices: { filterPrices: () => filterPricesDefault },
      settings: { selectableCountryIds: [1, 2, 3, 18] },
      clock,
      logger: pino({ level: "silent" }),
      searchesMax: options.searchesMax ?? 1_000,
    });
    bus.listener = this.matches;
  }

  /** A person opens the page: a man of country 18 unless said otherwise. */
  async arrive(userId: bigint, facts: Partial<MatchFacts> = {}): Promise<void> {
    this.facts.set(userId, { sex: 1, countryId: 18, zone: 1, complete: true, ...facts });
    this.bus.arrive(userId);
    await this.settled();
  }

  /** Presses start and lets the pair, if there is one, be made. */
  async start(userId: bigint, wish = globalWish, offer: string | null = null) {
    const answer = await this.matches.start({ userId, language: "en", wish, offer });
    await this.settled();
    return answer;
  }

  /** Two people who have just been matched with each other: the one who waited longer first. */
  async matched(one: bigint, other: bigint): Promise<{ id: string; tokens: Map<bigint, string> }> {
    await this.start(one);
    this.clock.advance(1);
    await this.start(other);
    const pushes = [one, other].map((userId) => [userId, this.takeMatch(userId)] as const);
    const tokens = new Map(pushes.map(([userId, push]) => [userId, push.token]));
    return { id: pushes[0]![1].roomId, tokens };
  }

  /** Both have shown the other's picture. */
  async live(one: bigint, other: bigint): Promise<{ id: string; tokens: Map<bigint, string> }> {
    const room = await this.matched(one, other);
    for (const userId of [one, other]) {
      const roomToken = room.tokens.get(userId) ?? "";
      this.matches.roomFrame(userId, { type: "media", roomId: room.id, roomToken, state: "playing" });
    }
    return room;
  }

  /** The match push among what reached the person; everything taken is gone from the inbox. */
  takeMatch(userId: bigint): MatchedPush {
    const push = this.bus.take(userId).find((got) => "code" in got && got.code === 100_001);
    if (!push) throw new Error(`no match push for ${userId}`);
    return push as MatchedPush;
  }

  took(userId: bigint): Delivered[] {
    return this.bus.take(userId);
  }

  /** Everything that only waits for promises has happened. */
  settled(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.matches[Symbol.asyncDispose]();
    this.calls.endAll();
  }

  #factsOf(userId: bigint): MatchFacts {
    const facts = this.facts.get(userId);
    if (!facts) throw new Error(`nobody knows ${userId}`);
    return facts;
  }
}

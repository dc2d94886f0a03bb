import type { Logger } from "pino";
import { speakerOf } from "#lib/speaker.ts";
import { Tasks } from "#lib/tasks.ts";
import type { AvailableBalances } from "#ports/billing.ts";
import type { Clock } from "#ports/clock.ts";
import type { AdoptedRoom } from "#ports/room-claims.ts";
import type { Guests } from "./guests.ts";
import type { MatchGate, MatchPeople } from "./match-eligibility.ts";
import type { AdoptionOutcome, RunningCalls, WrittenCall } from "./room-claims.ts";
import type { CallService, Matched } from "./room-service.ts";

interface CallAdoptionOptions {
  readonly runningCalls: Pick<RunningCalls, "written">;
  readonly calls: Pick<CallService, "adopt" | "stayed" | "leave" | "isIn" | "hasCapacity">;
  /** Whether the person is in a call here, or searches for one. */
  readonly matches: { isBusy(userId: bigint): boolean };
  /** Null where this process is alone. */
  readonly guests: Pick<Guests, "adopt"> | null;
  readonly people: MatchPeople;
  readonly gate: Pick<MatchGate, "restrictionsOf">;
  readonly availableBalances: Pick<AvailableBalances, "spendable">;
  readonly clock: Clock;
  readonly logger: Pick<Logger, "error">;
}

/** Calls whose people are read at the same moment. */
const callsAtOnce = 8;

/**
 * Goes on with calls whose process has died, as far as the database knows them (decision 038): the room is made anew with
 * both awaited, and its people are found wherever they are by now. Who is doing something else has left.
 */
export class CallAdoption implements AsyncDisposable {
  readonly #options: CallAdoptionOptions;
  readonly #tasks: Tasks;

  constructor(options: CallAdoptionOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
  }

  /** What becomes of those of the rooms that had not ended; they are this process's. */
  async goOn(rooms: readonly AdoptedRoom[]): Promise<ReadonlyMap<string, AdoptionOutcome>> {
    const { runningCalls } = this.#options;
    const outcomes = new Map<string, AdoptionOutcome>();
    const epochs = new Map(rooms.map(({ id, epoch }) => [id, epoch]));
    const waiting = (rooms.length === 0 ? [] : await runningCalls.written([...epochs.keys()])).values();
    const goOnWithRest = async () => {
      for (const call of waiting) outcomes.set(call.id, await this.#goOn(call, epochs.get(call.id) ?? 0));
    };
    await Promise.all(Array.from({ length: callsAtOnce }, goOnWithRest));
    return outcomes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tasks[Symbol.asyncDispose]();
  }

  async #goOn(call: WrittenCall, epoch: number): Promise<AdoptionOutcome> {
    const { calls, clock, logger } = this.#options;
    if (call.connected_at === null) return "not_joined";
    if (call.is_blocked) return "left";
    try {
      const [offerer, answerer] = await Promise.all([
        this.#personOf(call, {
          userId: call.offerer_id,
          otherId: call.answerer_id,
          price: call.offerer_price,
          language: call.offerer_language,
          otherLanguage: call.answerer_language,
        }),
        this.#personOf(call, {
          userId: call.answerer_id,
          otherId: call.offerer_id,
          price: call.answerer_price,
          language: call.answerer_language,
          otherLanguage: call.offerer_language,
        }),
      ]);
      if (!calls.hasCapacity) return "restart";
      if ([offerer, answerer].some(({ userId }) => this.#options.matches.isBusy(userId))) return "left";
      const liveMs = Math.max(0, clock.nowMs() - call.connected_at.getTime());
      calls.adopt({ id: call.id, pair: { offerer, answerer, preparedOffer: null }, liveMs, epoch });
      this.#find(call.id, offerer.userId, answerer.userId);
      this.#find(call.id, answerer.userId, offerer.userId);
      return "goes on";
    } catch (error) {
      logger.error({ err: error, callId: call.id }, "a call could not be gone on with");
      return "restart";
    }
  }

  /** From the turn on in which the room is there, so that whoever comes meanwhile is seen by one or the other. */
  #find(roomId: string, userId: bigint, otherId: bigint): void {
    const { guests, calls } = this.#options;
    if (!guests) return;
    this.#tasks.add("somebody in an adopted call was not found", async () => {
      const found = await guests.adopt(userId, { roomId, otherId });
      if (found === "stays") calls.stayed(userId, roomId);
      if (found === "elsewhere" && calls.isIn(userId, roomId)) calls.leave(userId, "left");
    });
  }

  async #personOf(
    { matched_at }: WrittenCall,
    person: { userId: bigint; otherId: bigint; price: number; language: string; otherLanguage: string },
  ): Promise<Matched> {
    const { people, gate, availableBalances } = this.#options;
    const { userId, otherId, price, language, otherLanguage } = person;
    const [card, facts, restrictions, { have }] = await Promise.all([
      people.remoteUser(userId, otherLanguage, otherId),
      people.matchFacts(userId),
      gate.restrictionsOf(userId),
      price === 0 ? { have: 0n } : availableBalances.spendable(userId),
    ]);
    const isEnough = have >= BigInt(price) ? 1 : 0;
    const speaker = speakerOf({ countryId: facts.countryId, language, talk: facts.talk?.languages ?? [] });
    return { userId, card, price, isEnough, sinceMs: matched_at.getTime(), restrictions, speaker };
  }
}

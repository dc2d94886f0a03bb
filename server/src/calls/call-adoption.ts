import type { Logger } from "pino";
import { userLocaleOf } from "#lib/user-locale.ts";
import { Tasks } from "#lib/tasks.ts";
import type { AvailableBalances } from "#ports/billing.ts";
import type { Clock } from "#ports/clock.ts";
import type { AdoptedRoom, Epoch } from "#ports/room-claims.ts";
import type { MatchGate, MatchPeople } from "./match-eligibility.ts";
import type { AdoptionOutcome, RunningCalls, WrittenCall } from "./room-claims.ts";
import type { CallService, Matched } from "./room-service.ts";

interface CallAdoptionOptions {
  readonly runningCalls: Pick<RunningCalls, "written">;
  readonly calls: Pick<CallService, "adopt" | "leave" | "isIn" | "epochIn" | "takenOver" | "hasCapacity">;
  readonly matches: { isBusy(userId: bigint): boolean };
  /** Sends a user's page to this server, which has the user's call; null if this is the only server. */
  readonly callHere:
    | ((userId: bigint, roomId: string, epoch: Epoch) => Promise<"coming" | "elsewhere" | "taken" | "awaited">)
    | null;
  readonly people: MatchPeople;
  readonly gate: Pick<MatchGate, "restrictionsOf">;
  readonly availableBalances: Pick<AvailableBalances, "spendable">;
  readonly clock: Clock;
  readonly logger: Pick<Logger, "error">;
}

const callsAtOnce = 8;

/** Continues calls of dead servers (decision 038). A user who does something else by now has left the call. */
export class CallAdoption implements AsyncDisposable {
  readonly #options: CallAdoptionOptions;
  readonly #tasks: Tasks;

  constructor(options: CallAdoptionOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
  }

  /** Continues or ends rooms that this server owns. Returns the outcome of each room that had not ended. */
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

  /** Sends the user's page to this server. If the user does something else by now, ends the user's part in the room. */
  find(roomId: string, userId: bigint): void {
    const { callHere, calls } = this.#options;
    const epoch = calls.epochIn(userId, roomId);
    if (!callHere || epoch === null) return;
    this.#tasks.add("failed to find a user of a call", async () => {
      const found = await callHere(userId, roomId, epoch);
      if (found === "taken") calls.takenOver(userId, roomId);
      if (found === "elsewhere" && calls.isIn(userId, roomId)) calls.leave(userId, "left");
    });
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
      // The policy may have changed with the restart that ended the call's server.
      if ([offerer, answerer].some(({ restrictions }) => restrictions.ageGate !== null)) return "restart";
      if (!calls.hasCapacity) return "restart";
      if ([offerer, answerer].some(({ userId }) => this.#options.matches.isBusy(userId))) return "left";
      const liveMs = Math.max(0, clock.nowMs() - call.connected_at.getTime());
      calls.adopt({ id: call.id, pair: { offerer, answerer, preparedOffer: null }, liveMs, epoch });
      for (const { userId } of [offerer, answerer]) this.find(call.id, userId);
      return "goes on";
    } catch (error) {
      logger.error({ err: error, callId: call.id }, "failed to continue a call of a dead server");
      return "restart";
    }
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
    const locale = userLocaleOf({ countryId: facts.countryId, language, talk: facts.talk?.languages ?? [] });
    return { userId, card, price, isEnough, sinceMs: matched_at.getTime(), restrictions, locale };
  }
}

import type { Logger } from "pino";
import { socketResumeMs } from "@fava/wire/limits.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import type { Push } from "@fava/wire/pushes.ts";
import type { PauseGuard } from "#db/pause-guard.ts";
import { DeliveryQueues, ReceivedDeliveries } from "#lib/delivery-queues.ts";
import { Periodic } from "#lib/tasks.ts";
import type { Bus, ChatMessage, PassingMessage } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { HubListener } from "#ports/hub-listener.ts";
import { type UserDelivery, NoOwnerError, type Numbered, type Peers, personKey } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { Hub } from "./hub.ts";

/** A user without a home for this long is absent; before, the page may be moving. Longer than `unheardMs`. */
const nowhereMs = 2_500;
const countToldEveryMs = 1_000;
/** A server that is silent for this long cannot be reached, such as one that lost only Redis; its users still count. */
const unheardMs = 2 * countToldEveryMs;
/** The user count of a server that is silent for this long is ignored. */
const countAgeMaxMs = 5 * countToldEveryMs;

interface SiteBusOptions {
  hub: Pick<Hub, "push" | "chat" | "social" | "pass" | "isHere" | "presentCount">;
  peers: Peers;
  pauseGuard: Pick<PauseGuard, "isInDoubt" | "say">;
  clock: Clock;
  logger: Pick<Logger, "warn" | "error">;
}

const nobodyWaits = (): void => undefined;

/**
 * Delivers to the user's socket, or through the user's home, and retries unanswered deliveries (rule PEER-15). All
 * deliveries wait while other servers may own this server's calls.
 */
export class SiteBus implements Bus, Pick<HubListener, "gone">, AsyncDisposable {
  readonly #options: SiteBusOptions;
  readonly #deliveryQueues: DeliveryQueues<UserDelivery>;
  readonly #taken = new ReceivedDeliveries();
  readonly #counts = new Map<ProcessId, { readonly count: number; readonly atMs: number }>();
  readonly #listening: readonly Disposable[];
  readonly #telling: Periodic;

  constructor(options: SiteBusOptions) {
    const { hub, peers, pauseGuard, clock, logger } = options;
    this.#options = options;
    this.#deliveryQueues = new DeliveryQueues({
      clock,
      logger,
      name: "news for a person",
      ageMaxMs: socketResumeMs,
      nowhereMs,
      mayBeUnheard: () => this.#isSomebodyUnheard(),
      ask: (userId, deliveries) =>
        pauseGuard.say(() => peers.ask("deliver", personKey(userId), { from: peers.self, deliveries })),
    });
    this.#listening = [
      peers.serve("deliver", async ({ from, deliveries }, key) => this.#take(key, from, deliveries)),
      peers.onEvent("present", ({ process, count }) => this.#counts.set(process, { count, atMs: clock.monotonicMs() })),
      peers.onGone((process) => this.#counts.delete(process)),
    ];
    this.#telling = new Periodic({
      clock,
      logger,
      name: "how many are here",
      pauseMs: () => countToldEveryMs,
      work: async () => peers.broadcast("present", { process: peers.self, count: hub.presentCount() }),
    });
  }

  push(userId: bigint, push: Push): void {
    this.#send(userId, { type: "push", push });
  }

  chat(userId: bigint, line: ChatMessage): void {
    this.#send(userId, line);
  }

  social(userId: bigint, event: SocialEvent): void {
    this.#send(userId, { type: "social", event });
  }

  pass(userId: bigint, message: PassingMessage): void {
    this.#send(userId, { type: "pass", message });
  }

  confirm(userId: bigint, push: Push): Promise<boolean> {
    return new Promise((resolve) => this.#send(userId, { type: "push", push }, resolve));
  }

  isHere(userId: bigint): boolean {
    return this.#options.hub.isHere(userId);
  }

  async isPresent(userId: bigint): Promise<boolean> {
    return this.isHere(userId) || this.#options.peers.isOwned(personKey(userId));
  }

  presentCount(): number {
    const { hub, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    let sum = hub.presentCount();
    for (const [process, { count, atMs }] of this.#counts) {
      if (nowMs - atMs < countAgeMaxMs) sum += count;
      if (nowMs - atMs >= socketResumeMs) this.#counts.delete(process);
    }
    return sum;
  }

  gone(userId: bigint): void {
    this.#taken.forget(userId);
  }

  /** The newest delivery from each server that the user's chat session has received. */
  takenFor(userId: bigint): readonly (readonly [ProcessId, number])[] {
    return this.#taken.of(userId);
  }

  bringTaken(userId: bigint, taken: readonly (readonly [ProcessId, number])[]): void {
    this.#taken.bring(userId, taken);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const listening of this.#listening) listening[Symbol.dispose]();
    await Promise.all([this.#telling, this.#deliveryQueues].map((part) => part[Symbol.asyncDispose]()));
  }

  /** Whether a server is silent but has not stopped; ignored once its chat sessions can no longer be resumed. */
  #isSomebodyUnheard(): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    const agesMs = [...this.#counts.values()].map(({ atMs }) => nowMs - atMs);
    return agesMs.some((ageMs) => ageMs >= unheardMs && ageMs < socketResumeMs);
  }

  #send(userId: bigint, message: UserDelivery, settle: (isDelivered: boolean) => void = nobodyWaits): void {
    // Keeps the order: earlier deliveries are still in transit, even if the user has moved to this server.
    const mustWait = this.#deliveryQueues.has(userId) || this.#options.pauseGuard.isInDoubt;
    if (!mustWait && this.isHere(userId)) return settle(this.#deliverHere(userId, message));
    this.#deliveryQueues.add(userId, message, settle);
  }

  #deliverHere(userId: bigint, message: UserDelivery): boolean {
    const { hub } = this.#options;
    switch (message.type) {
      case "push":
        return hub.push(userId, message.push);
      case "chat":
        return hub.chat(userId, message);
      case "social":
        return hub.social(userId, message.event);
      case "pass":
        return hub.pass(userId, message.message);
    }
  }

  /** Receives deliveries from another server, or from this one before the user arrived. */
  #take(key: string, from: ProcessId, deliveries: readonly Numbered<UserDelivery>[]): boolean[] {
    const userId = BigInt(key.slice("person:".length));
    if (!this.isHere(userId)) throw new NoOwnerError(`${key} is no longer at this server`);
    return deliveries.map(
      ({ number, message }) => !this.#taken.take(userId, from, number) || this.#deliverHere(userId, message),
    );
  }
}

import type { Logger } from "pino";
import { socketResumeMs } from "@fava/wire/limits.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import type { Push } from "@fava/wire/pushes.ts";
import { Pauses, Periodic, Tasks } from "#lib/tasks.ts";
import type { Bus, ChatMessage, PassingMessage } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { HubListener } from "#ports/hub-listener.ts";
import { type Delivery, NobodyThereError, type Peers, PeerSilentError, personKey } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { Hub } from "./hub.ts";

/** Deliveries to one person elsewhere that wait; one more is nobody's. */
const waitingMax = 500;
/** Deliveries in one question. */
const deliveriesAtOnce = 50;
/** After so long nobody has the session any more that it was meant for. */
const deliveryAgeMaxMs = socketResumeMs;
const retryMs = 200;
/** A person who is nowhere for so long is nowhere: before that they may be on their way, or their process may listen anew. */
const nowhereMs = 1_000;
const countToldEveryMs = 1_000;
/** A process that says nothing for so long has nobody. */
const countAgeMaxMs = 5 * countToldEveryMs;

interface SiteBusOptions {
  hub: Pick<Hub, "push" | "chat" | "social" | "pass" | "isHere" | "presentCount">;
  peers: Peers;
  clock: Clock;
  logger: Pick<Logger, "warn" | "error">;
}

interface Waiting {
  readonly delivery: Delivery;
  readonly atMs: number;
  readonly settle: (isDelivered: boolean) => void;
}

const nobodyWaits = (): void => undefined;

/**
 * The bus of a site of several processes: to the socket here, or over the process that has it (rules PEER-15 and 16).
 * What the other process did not answer is sent again, and taken there once, by its number; to each person in the order
 * in which this process said it.
 */
export class SiteBus implements Bus, Pick<HubListener, "gone">, AsyncDisposable {
  readonly #options: SiteBusOptions;
  readonly #tasks: Tasks;
  readonly #pauses: Pauses;
  /** What is on its way to people elsewhere, oldest first. */
  readonly #outboxes = new Map<bigint, Waiting[]>();
  /** Number of the last delivery to somebody here, by the process that sent it. */
  readonly #taken = new Map<bigint, Map<ProcessId, number>>();
  /** People at other processes, and when these said so. */
  readonly #counts = new Map<ProcessId, { readonly count: number; readonly atMs: number }>();
  readonly #listening: readonly Disposable[];
  readonly #telling: Periodic;
  #deliveries = 0;

  constructor(options: SiteBusOptions) {
    const { hub, peers, clock, logger } = options;
    this.#options = options;
    this.#tasks = new Tasks({ logger });
    this.#pauses = new Pauses(clock);
    this.#listening = [
      peers.serve("deliver", async ({ from, deliveries }, key) => this.#take(key, from, deliveries)),
      peers.onTold("present", ({ process, count }) => this.#counts.set(process, { count, atMs: clock.monotonicMs() })),
      peers.onGone((process) => this.#counts.delete(process)),
    ];
    this.#telling = new Periodic({
      clock,
      logger,
      name: "how many are here",
      pauseMs: () => countToldEveryMs,
      work: async () => peers.tell("present", { process: peers.self, count: hub.presentCount() }),
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
      else this.#counts.delete(process);
    }
    return sum;
  }

  gone(userId: bigint): void {
    this.#taken.delete(userId);
  }

  /** Sends what waits once more, and no oftener. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const listening of this.#listening) listening[Symbol.dispose]();
    this.#pauses[Symbol.dispose]();
    await Promise.all([this.#telling, this.#tasks].map((part) => part[Symbol.asyncDispose]()));
  }

  #send(userId: bigint, message: Delivery["message"], settle: (isDelivered: boolean) => void = nobodyWaits): void {
    const outbox = this.#outboxes.get(userId);
    // What is on its way already comes first, wherever the person has gone to meanwhile.
    if (!outbox && this.isHere(userId)) return settle(this.#deliverHere(userId, message));
    if (outbox && outbox.length >= waitingMax) {
      this.#options.logger.warn({ userId: String(userId) }, "too much is on its way to a person at another process");
      return settle(false);
    }
    const number = (this.#deliveries += 1);
    const waiting = { delivery: { number, message }, atMs: this.#options.clock.monotonicMs(), settle };
    if (outbox) return void outbox.push(waiting);
    this.#outboxes.set(userId, [waiting]);
    this.#tasks.add("a person at another process was not told", () => this.#empty(userId));
  }

  #deliverHere(userId: bigint, message: Delivery["message"]): boolean {
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

  /** Sends until nothing waits for the person. */
  async #empty(userId: bigint): Promise<void> {
    const outbox = this.#outboxes.get(userId) ?? [];
    try {
      while (outbox.length > 0) {
        const batch = outbox.slice(0, deliveriesAtOnce);
        const delivered = await this.#deliverThere(userId, batch);
        outbox.splice(0, batch.length);
        batch.forEach(({ settle }, index) => settle(delivered[index] ?? false));
      }
    } finally {
      this.#outboxes.delete(userId);
      for (const { settle } of outbox) settle(false);
    }
  }

  /** Whether each was delivered; none where the person is nowhere. */
  async #deliverThere(userId: bigint, batch: readonly Waiting[]): Promise<readonly boolean[]> {
    const { peers, clock } = this.#options;
    const deliveries = batch.map(({ delivery }) => delivery);
    const newestMs = batch.at(-1)?.atMs ?? 0;
    let nowhereSinceMs: number | null = null;
    for (;;) {
      try {
        return await peers.ask("deliver", personKey(userId), { from: peers.self, deliveries });
      } catch (error) {
        const nowMs = clock.monotonicMs();
        const isNowhere = error instanceof NobodyThereError;
        if (!isNowhere && !(error instanceof PeerSilentError)) throw error;
        nowhereSinceMs = isNowhere ? (nowhereSinceMs ?? nowMs) : null;
        if (nowhereSinceMs !== null && (this.#pauses.isOver || nowMs - nowhereSinceMs >= nowhereMs)) return [];
        if (this.#pauses.isOver || nowMs - newestMs >= deliveryAgeMaxMs) throw error;
        await this.#pauses.wait(retryMs);
      }
    }
  }

  /** What another process, or this one before the person came here, has for somebody here. */
  #take(key: string, from: ProcessId, deliveries: readonly Delivery[]): boolean[] {
    const userId = BigInt(key.slice("person:".length));
    if (!this.isHere(userId)) throw new NobodyThereError(`${key} is not here any more`);
    const taken = this.#taken.get(userId) ?? new Map<ProcessId, number>();
    this.#taken.set(userId, taken);
    return deliveries.map(({ number, message }) => {
      if (number <= (taken.get(from) ?? 0)) return true;
      taken.set(from, number);
      return this.#deliverHere(userId, message);
    });
  }
}

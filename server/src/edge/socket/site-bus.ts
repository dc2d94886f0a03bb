import type { Logger } from "pino";
import { socketResumeMs } from "@fava/wire/limits.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import type { Push } from "@fava/wire/pushes.ts";
import type { PauseGuard } from "#db/pause-guard.ts";
import { Outboxes, TakenNumbers } from "#lib/outboxes.ts";
import { Periodic } from "#lib/tasks.ts";
import type { Bus, ChatMessage, PassingMessage } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { HubListener } from "#ports/hub-listener.ts";
import { type Delivered, NobodyThereError, type Numbered, type Peers, personKey } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { Hub } from "./hub.ts";

/**
 * A person who is nowhere for so long is nowhere: before that they may be on their way, or their process may listen anew.
 * Longer than `unheardMs`, so that by then it is known whether a process cannot be reached.
 */
const nowhereMs = 2_500;
const countToldEveryMs = 1_000;
/** A process that says nothing for so long cannot be reached, as one that has lost Redis alone: its people are there. */
const unheardMs = 2 * countToldEveryMs;
/** A process that says nothing for so long has nobody. */
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
 * The bus of a site of several processes: to the socket here, or over the process that has it (rule PEER-15).
 * What the other process did not answer is sent again, and taken there once, by its number; to each person in the order
 * in which this process said it. While others may have this process's calls all that it says waits.
 */
export class SiteBus implements Bus, Pick<HubListener, "gone">, AsyncDisposable {
  readonly #options: SiteBusOptions;
  /** What is on its way to people elsewhere. */
  readonly #outboxes: Outboxes<Delivered>;
  /** Of deliveries to people here. */
  readonly #taken = new TakenNumbers();
  /** People at other processes, and when these said so. */
  readonly #counts = new Map<ProcessId, { readonly count: number; readonly atMs: number }>();
  readonly #listening: readonly Disposable[];
  readonly #telling: Periodic;

  constructor(options: SiteBusOptions) {
    const { hub, peers, pauseGuard, clock, logger } = options;
    this.#options = options;
    this.#outboxes = new Outboxes({
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
      if (nowMs - atMs >= socketResumeMs) this.#counts.delete(process);
    }
    return sum;
  }

  gone(userId: bigint): void {
    this.#taken.forget(userId);
  }

  /** The newest delivery of each process that the person's chat session has. */
  takenFor(userId: bigint): readonly (readonly [ProcessId, number])[] {
    return this.#taken.of(userId);
  }

  /** What a chat session that comes from another process has. */
  bringTaken(userId: bigint, taken: readonly (readonly [ProcessId, number])[]): void {
    this.#taken.bring(userId, taken);
  }

  /** Sends what waits once more, and no oftener. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const listening of this.#listening) listening[Symbol.dispose]();
    await Promise.all([this.#telling, this.#outboxes].map((part) => part[Symbol.asyncDispose]()));
  }

  /** Whether a process is silent that has not said goodbye. For longer than a chat session can be resumed nobody waits. */
  #isSomebodyUnheard(): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    const agesMs = [...this.#counts.values()].map(({ atMs }) => nowMs - atMs);
    return agesMs.some((ageMs) => ageMs >= unheardMs && ageMs < socketResumeMs);
  }

  #send(userId: bigint, message: Delivered, settle: (isDelivered: boolean) => void = nobodyWaits): void {
    // What is on its way already comes first, wherever the person has gone to meanwhile.
    const mustWait = this.#outboxes.has(userId) || this.#options.pauseGuard.isInDoubt;
    if (!mustWait && this.isHere(userId)) return settle(this.#deliverHere(userId, message));
    this.#outboxes.add(userId, message, settle);
  }

  #deliverHere(userId: bigint, message: Delivered): boolean {
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

  /** What another process, or this one before the person came here, has for somebody here. */
  #take(key: string, from: ProcessId, deliveries: readonly Numbered<Delivered>[]): boolean[] {
    const userId = BigInt(key.slice("person:".length));
    if (!this.isHere(userId)) throw new NobodyThereError(`${key} is not here any more`);
    return deliveries.map(
      ({ number, message }) => !this.#taken.take(userId, from, number) || this.#deliverHere(userId, message),
    );
  }
}

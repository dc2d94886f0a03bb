import { sql } from "kysely";
import type { Logger } from "pino";
import { typingRepeatMs } from "@fava/wire/limits.ts";
import { Tasks } from "#lib/tasks.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import { areFriends, isHidden } from "./directory-store.ts";
import type { Db } from "./message-store.ts";

/** Sooner than this after the last one, typing is not passed on: a browser tells it every `typingRepeatMs`. */
const quietMs = typingRepeatMs / 3;

interface TypingOptions {
  db: Db;
  bus: Pick<Bus, "pass">;
  /** Whom a person is in a call with; null outside of one. */
  otherInCall: (userId: bigint) => bigint | null;
  clock: Clock;
  logger: Logger;
}

/** Passes on that a person writes to a friend, or to the other of their call. Listens to the hub; disposing waits for what is under way. */
export class TypingIndicators implements AsyncDisposable {
  readonly #options: TypingOptions;
  /** When people last wrote; one entry for each chat session at most. */
  readonly #lastMs = new Map<bigint, number>();
  readonly #tasks: Tasks;

  constructor(options: TypingOptions) {
    this.#options = options;
    // Nobody misses it for long.
    const logger = { error: (details: object, failed: string) => options.logger.warn(details, failed) };
    this.#tasks = new Tasks({ logger });
  }

  typing(userId: bigint, externalId: string): void {
    const nowMs = this.#options.clock.monotonicMs();
    const lastMs = this.#lastMs.get(userId);
    if (lastMs !== undefined && nowMs - lastMs < quietMs) return;
    this.#lastMs.set(userId, nowMs);
    this.#tasks.add("typing was not passed on", () => this.#pass(userId, externalId));
  }

  gone(userId: bigint): void {
    this.#lastMs.delete(userId);
  }

  /** Resolves when everything heard so far is passed on. */
  settled(): Promise<void> {
    return this.#tasks.idle();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#tasks[Symbol.asyncDispose]();
  }

  async #pass(userId: bigint, externalId: string): Promise<void> {
    const { db, bus, otherInCall } = this.#options;
    const inCall = otherInCall(userId);
    const [one, other] = [sql.ref("writer.id"), sql.ref("reader.id")];
    const { rows } = await sql<{ reader: bigint; external_id: string }>`
      select reader.id as reader, writer.external_id
      from users as writer, users as reader
      where writer.id = ${userId} and reader.external_id = ${externalId}
        and (reader.id = ${inCall} or ${areFriends(one, other)}) and not ${isHidden(one, other)}`.execute(db);
    const [found] = rows;
    if (found) bus.pass(found.reader, { type: "typing", externalId: found.external_id });
  }
}

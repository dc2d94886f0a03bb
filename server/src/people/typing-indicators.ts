import { sql } from "kysely";
import type { Logger } from "pino";
import { typingRepeatMs } from "@fava/wire/limits.ts";
import { Tasks } from "#lib/tasks.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import { areFriends, isHidden } from "./directory-store.ts";
import type { Db } from "./message-store.ts";

/** Drops indicators that follow within this time. A browser sends one every `typingRepeatMs`. */
const quietMs = typingRepeatMs / 3;

interface TypingOptions {
  db: Db;
  bus: Pick<Bus, "pass">;
  otherInCall: (userId: bigint) => bigint | null;
  clock: Clock;
  logger: Logger;
}

export class TypingIndicators implements AsyncDisposable {
  readonly #options: TypingOptions;
  /** One entry per user: when the last indicator was passed on. */
  readonly #lastMs = new Map<bigint, number>();
  readonly #tasks: Tasks;

  constructor(options: TypingOptions) {
    this.#options = options;
    // Losing an indicator is harmless, so failures are only warnings.
    const logger = { error: (details: object, failed: string) => options.logger.warn(details, failed) };
    this.#tasks = new Tasks({ logger });
  }

  typing(userId: bigint, externalId: string): void {
    const nowMs = this.#options.clock.monotonicMs();
    const lastMs = this.#lastMs.get(userId);
    if (lastMs !== undefined && nowMs - lastMs < quietMs) return;
    this.#lastMs.set(userId, nowMs);
    this.#tasks.add("failed to forward typing", () => this.#pass(userId, externalId));
  }

  gone(userId: bigint): void {
    this.#lastMs.delete(userId);
  }

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

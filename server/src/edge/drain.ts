import type { Logger } from "pino";
import type { DatabaseLeases } from "#db/leases.ts";
import type { Processes } from "#db/processes.ts";
import { RetryPauses } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { Hub } from "./socket/hub.ts";

/** Grace period for proxies to read from `/readyz` that this server stops, and to send new sockets to others. */
const noticeMs = 1_500;
/** This server asks one page after the other to move: at most this interval apart, and all within `moveSpreadMs`. */
const moveStepMsMax = 10;
const moveSpreadMs = 5_000;
/** A page that has not moved by then loses its socket, and resumes at another server. */
const moveWithinMs = 15_000;
const lookEveryMs = 250;
/** Timeout of work that was under way when the stop began. */
const stepMsMax = 5_000;

interface DrainOptions {
  hub: Pick<Hub, "refuseMore" | "userIds" | "move" | "cut" | "presentCount">;
  matches: { leave(): void };
  calls: { readonly roomCount: number };
  passing: () => number;
  open: () => ProcessId | null;
  processes: Pick<Processes, "drain" | "areOthers">;
  leases: Pick<DatabaseLeases, "letGo">;
  clock: Clock;
  logger: Pick<Logger, "info" | "error">;
  /** How long to wait until other servers have the users and calls; 0: not at all. */
  drainMs: number;
}

/** Creates no room and releases its leases; pages resume at other servers, which take the calls (decision 055). */
export class Drain implements Disposable {
  readonly #options: DrainOptions;
  readonly #pauses: RetryPauses;
  #isDraining = false;

  constructor(options: DrainOptions) {
    this.#options = options;
    this.#pauses = new RetryPauses(options.clock);
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  get roomsWaitedFor(): number {
    return this.#isDraining ? this.#options.calls.roomCount : 0;
  }

  /** Resolves when no user and no call is left, no other server is alive, or `drainMs` have passed. */
  async run(): Promise<void> {
    const { hub, matches, calls, passing, open, processes, leases, clock, logger, drainMs } = this.#options;
    if (drainMs === 0) return;
    const beganAtMs = clock.monotonicMs();
    await this.#inTime("take-over of dead servers", processes.drain());
    if (!(await this.#areOthers())) return;
    this.#isDraining = true;
    matches.leave();
    const lettingGo = leases.letGo();
    logger.info({ people: hub.presentCount(), rooms: calls.roomCount }, "draining");
    await this.#pauses.wait(noticeMs);
    hub.refuseMore();
    // All to one server if it is known, so that both users of a call are at the same server again.
    await this.#inTurn((userId) => hub.move(userId, open() ?? undefined));
    const cutAtMs = clock.monotonicMs() + moveWithinMs;
    let isCut = false;
    while (hub.presentCount() > 0 || calls.roomCount > 0 || (passing() > 0 && !isCut)) {
      const nowMs = clock.monotonicMs();
      if (this.#pauses.isOver || nowMs - beganAtMs >= drainMs || !(await this.#areOthers())) break;
      if (!isCut && nowMs >= cutAtMs) {
        isCut = true;
        await this.#inTurn((userId) => hub.cut(userId));
      }
      await this.#pauses.wait(lookEveryMs);
    }
    await this.#inTime("work of leases", lettingGo);
    const tookMs = Math.round(clock.monotonicMs() - beganAtMs);
    logger.info({ people: hub.presentCount(), rooms: calls.roomCount, tookMs }, "drained");
  }

  [Symbol.dispose](): void {
    this.#pauses[Symbol.dispose]();
  }

  async #inTime(step: string, ending: Promise<void>): Promise<void> {
    const late = this.#pauses.wait(stepMsMax).then(() => "late" as const);
    if ((await Promise.race([ending, late])) === "late" && !this.#pauses.isOver)
      this.#options.logger.error({ step, limitMs: stepMsMax }, "step of the drain timed out");
  }

  /** Spreads the work over time: each user costs another server a handshake and a request. */
  async #inTurn(work: (userId: bigint) => void): Promise<void> {
    const userIds = this.#options.hub.userIds();
    const stepMs = Math.min(moveStepMsMax, moveSpreadMs / userIds.length);
    let dueMs = this.#options.clock.monotonicMs();
    for (const userId of userIds) {
      work(userId);
      dueMs += stepMs;
      const leftMs = dueMs - this.#options.clock.monotonicMs();
      if (leftMs > 0) await this.#pauses.wait(leftMs);
    }
  }

  /** Assumes that others are alive if the database does not answer. */
  async #areOthers(): Promise<boolean> {
    try {
      return await this.#options.processes.areOthers();
    } catch (error) {
      this.#options.logger.error({ err: error }, "failed to check for other servers");
      return true;
    }
  }
}

import type { Logger } from "pino";
import type { DatabaseLeases } from "#db/leases.ts";
import type { Processes } from "#db/processes.ts";
import { Pauses } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { Hub } from "./socket/hub.ts";

/** Until every proxy has read at `/readyz` that this server stops, and sends no socket here that another one is to take. */
const noticeMs = 1_500;
/** Pages are told one after the other, so many milliseconds apart, and everybody within the second figure. */
const moveStepMsMax = 10;
const moveSpreadMs = 5_000;
/** A page that is still here then does not know how to move, or cannot: it loses its socket, and resumes elsewhere. */
const moveWithinMs = 15_000;
const lookEveryMs = 250;
/** What was under way at the stop's beginning: it is left behind then. */
const stepMsMax = 5_000;

interface DrainOptions {
  hub: Pick<Hub, "refuseMore" | "userIds" | "move" | "cut" | "presentCount">;
  /** Begins no room from here on. */
  matches: { leave(): void };
  calls: { readonly roomCount: number };
  /** How many sockets of other servers' people go through this one. */
  passing: () => number;
  /** The server at which people are to search; null: nobody knows, or wherever they are. */
  open: () => ProcessId | null;
  processes: Pick<Processes, "drain" | "areOthers">;
  leases: Pick<DatabaseLeases, "letGo">;
  clock: Clock;
  logger: Pick<Logger, "info" | "error">;
  /** How long people and their calls are waited for; 0: not at all. */
  drainMs: number;
}

/**
 * How one of several servers stops without ending a call (decision 055): it is not ready any more, begins no room and gives
 * up its leases; the pages of its people go on at other servers, and bring their calls along.
 */
export class Drain implements Disposable {
  readonly #options: DrainOptions;
  readonly #pauses: Pauses;
  #isDraining = false;

  constructor(options: DrainOptions) {
    this.#options = options;
    this.#pauses = new Pauses(options.clock);
  }

  /** From the moment on at which others are to take what this server had. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Calls that no other server has yet. */
  get roomsWaitedFor(): number {
    return this.#isDraining ? this.#options.calls.roomCount : 0;
  }

  /** Resolves when nobody and no call is here any more, nobody else could have them, or the time for it is over. */
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
    // To one and the same server where that is known, so that the two of a call are at one again.
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

  /** Waits no longer. */
  [Symbol.dispose](): void {
    this.#pauses[Symbol.dispose]();
  }

  async #inTime(step: string, ending: Promise<void>): Promise<void> {
    const late = this.#pauses.wait(stepMsMax).then(() => "late" as const);
    if ((await Promise.race([ending, late])) === "late" && !this.#pauses.isOver)
      this.#options.logger.error({ step, limitMs: stepMsMax }, "a step of the drain did not end in time");
  }

  /** Not all in the same moment: each of them is a handshake and a question at another server. */
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

  /** A database that does not answer says nothing about them. */
  async #areOthers(): Promise<boolean> {
    try {
      return await this.#options.processes.areOthers();
    } catch (error) {
      this.#options.logger.error({ err: error }, "it is not known whether other servers are there");
      return true;
    }
  }
}

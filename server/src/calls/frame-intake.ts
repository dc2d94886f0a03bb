import type { Logger } from "pino";
import { badInput, type EndpointError } from "#lib/errors.ts";
import type { Clock } from "#ports/clock.ts";
import {
  ClassifierBusyError,
  type FrameClassifier,
  type FrameQuestion,
  FrameUnreadableError,
  type FrameVerdict,
} from "#ports/frame-classifier.ts";
import type { InspectionSettings } from "./inspection-settings.ts";

/**
 * Why a frame that arrived was not judged. `no_ticket`: nobody asked for it; `busy`: too many frames wait; `failed`: the
 * classifier failed on it, or the server before it knew whose it was; `overtaken`: a newer one arrived first; `lost`: it did not reach the server that judges it.
 */
export const unlookedReasons = ["late", "no_ticket", "unreadable", "busy", "failed", "overtaken", "lost"] as const;
export type UnlookedReason = (typeof unlookedReasons)[number];

interface FrameIntakeOptions {
  readonly classifier: FrameClassifier | null;
  readonly settings: Pick<InspectionSettings, "overloadWaitMs" | "overloadForMs">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly logger: Logger;
}

const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);

/** Takes what browsers send for tickets, has it judged, and counts what became of it since the start of the process. */
export class FrameIntake {
  readonly counts = { judged: 0, unreadable: 0, busy: 0 };
  readonly unlooked: Record<UnlookedReason, number> = {
    late: 0,
    no_ticket: 0,
    unreadable: 0,
    busy: 0,
    failed: 0,
    overtaken: 0,
    lost: 0,
  };
  readonly #options: FrameIntakeOptions;
  /** When the classifier refused a frame last, of the monotonic clock. */
  #busyAtMs = -Infinity;
  /** When the server failed on a frame last before it knew whose it was, of the monotonic clock. */
  #failedAtMs = -Infinity;

  constructor(options: FrameIntakeOptions) {
    this.#options = options;
  }

  /** The classifier has more frames than it can judge: a frame waits for long, or one was refused lately. */
  isOverloaded(): boolean {
    const { classifier, clock, settings } = this.#options;
    if (clock.monotonicMs() - this.#busyAtMs < settings.overloadForMs) return true;
    return (classifier?.backlog().oldestMs ?? 0) > settings.overloadWaitMs;
  }

  /** The server failed on a frame before it knew whose it was, as while the database is away. */
  failed(): void {
    this.unlooked.failed += 1;
    this.#failedAtMs = this.#options.clock.monotonicMs();
  }

  /** Whether `failed` was called at `atMs` of the monotonic clock or later. */
  hasFailedSince(atMs: number): boolean {
    return this.#failedAtMs >= atMs;
  }

  /** @throws EndpointError 400 `frame` for bytes that do not begin like a JPEG picture. */
  requireJpeg(bytes: Buffer): void {
    if (!bytes.subarray(0, jpegStart.length).equals(jpegStart)) throw this.unreadable();
  }

  /** `busy`: we have too much to do, or cannot judge at present; `unreadable`: these bytes are no picture. */
  async judge(bytes: Buffer, question: FrameQuestion): Promise<FrameVerdict | "busy" | "unreadable"> {
    const { classifier, clock, logger } = this.#options;
    if (!classifier) return "busy";
    try {
      const verdict = await classifier.classify(bytes, question);
      this.counts.judged += 1;
      return verdict;
    } catch (error) {
      if (error instanceof FrameUnreadableError) return "unreadable";
      const isBusy = error instanceof ClassifierBusyError;
      this.counts.busy += 1;
      this.unlooked[isBusy ? "busy" : "failed"] += 1;
      // One that cannot judge at all has no backlog.
      if (isBusy && classifier.isReady()) this.#busyAtMs = clock.monotonicMs();
      if (!isBusy) logger.error({ err: error }, "the classifier failed on a frame");
      return "busy";
    }
  }

  /** The answer to bytes that are no picture. */
  unreadable(): EndpointError {
    this.counts.unreadable += 1;
    this.unlooked.unreadable += 1;
    return badInput("not a picture", "frame");
  }

  /** The answer to a frame for which no ticket is out, or only one that was given too long ago. */
  refused(reason: "late" | "no_ticket"): EndpointError {
    this.unlooked[reason] += 1;
    return badInput(reason === "late" ? "the frame is too late" : "no such ticket", "ticket");
  }
}

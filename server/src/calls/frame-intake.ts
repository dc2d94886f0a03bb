import type { Logger } from "pino";
import { badInput, type EndpointError } from "#lib/errors.ts";
import {
  ClassifierBusyError,
  type FrameClassifier,
  type FrameQuestion,
  FrameUnreadableError,
  type FrameVerdict,
} from "#ports/frame-classifier.ts";

const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);

/** Takes what browsers send for tickets, has it judged, and counts what became of it since the start of the process. */
export class FrameIntake {
  readonly counts = { judged: 0, unreadable: 0, busy: 0 };
  readonly #options: { classifier: FrameClassifier | null; logger: Logger };

  constructor(options: { classifier: FrameClassifier | null; logger: Logger }) {
    this.#options = options;
  }

  /** @throws EndpointError 400 `frame` for bytes that do not begin like a JPEG picture. */
  requireJpeg(bytes: Buffer): void {
    if (!bytes.subarray(0, jpegStart.length).equals(jpegStart)) throw this.unreadable();
  }

  /** `busy`: we have too much to do, or cannot judge at present; `unreadable`: these bytes are no picture. */
  async judge(bytes: Buffer, question: FrameQuestion): Promise<FrameVerdict | "busy" | "unreadable"> {
    const { classifier, logger } = this.#options;
    if (!classifier) return "busy";
    try {
      const verdict = await classifier.classify(bytes, question);
      this.counts.judged += 1;
      return verdict;
    } catch (error) {
      if (error instanceof FrameUnreadableError) return "unreadable";
      this.counts.busy += 1;
      if (error instanceof ClassifierBusyError) return "busy";
      logger.error({ err: error }, "a picture could not be judged");
      // A picture on which a working classifier fails is as good as none.
      return classifier.isReady() ? "unreadable" : "busy";
    }
  }

  /** The answer to bytes that are no picture. */
  unreadable(): EndpointError {
    this.counts.unreadable += 1;
    return badInput("not a picture", "frame");
  }
}

import type { Logger } from "pino";
import type { InterfaceLanguage } from "@fava/wire/languages.ts";
import { forbidden, refused } from "#lib/errors.ts";
import type { Clock } from "#ports/clock.ts";
import { type Translation, type Translator, TranslatorError } from "#ports/translator.ts";
import { type Db, receivedText } from "./message-store.ts";

/** Requests at once; a translator needs a processor for each. */
const runningMax = 8;
/** Failures in a row after which no request is sent for `pauseMs`. */
const failuresMax = 5;
const pauseMs = 30_000;

interface TranslationServiceOptions {
  /** Null: the operator has configured none. */
  translator: Translator | null;
  db: Db;
  clock: Clock;
  logger: Pick<Logger, "warn">;
}

/** Translates texts for their readers. Stores and logs neither a text nor its translation. */
export class TranslationService {
  readonly #options: TranslationServiceOptions;
  #running = 0;
  #failures = 0;
  #pausedUntilMs = 0;

  constructor(options: TranslationServiceOptions) {
    this.#options = options;
  }

  /**
   * Translates a message that another user wrote to the reader.
   * @throws EndpointError 403 `not_met` for any other message, a covered and an erased one; 406 `not_translated`.
   */
  async message(readerId: bigint, messageId: bigint, target: InterfaceLanguage): Promise<Translation> {
    const text = await receivedText(this.#options.db, { readerId, messageId });
    if (text === null) throw forbidden("not_met");
    return this.text(text, target);
  }

  /** @throws EndpointError 406 `not_translated`. */
  async text(text: string, target: InterfaceLanguage): Promise<Translation> {
    const { translator, clock } = this.#options;
    if (!translator || clock.nowMs() < this.#pausedUntilMs || this.#running >= runningMax)
      throw refused("not_translated");
    this.#running += 1;
    try {
      const found = await translator.translate(text, target);
      this.#failures = 0;
      return found;
    } catch (error) {
      if (!(error instanceof TranslatorError)) throw error;
      if (error.why === "unreachable") this.#failed(error);
      throw refused("not_translated");
    } finally {
      this.#running -= 1;
    }
  }

  #failed(error: TranslatorError): void {
    const { clock, logger } = this.#options;
    this.#failures += 1;
    if (this.#failures >= failuresMax) this.#pausedUntilMs = clock.nowMs() + pauseMs;
    logger.warn({ error: error.message, failures: this.#failures }, "failed to translate a text");
  }
}

import type { Logger } from "pino";
import type { CaseRule } from "@fava/wire/moderation.ts";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import { RetryPauses, retry, Tasks } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import { type AgeHint, type CaseSignal, type Moderation, reasonOfRule, type SoftwareRule } from "#ports/moderation.ts";

export interface ModerationNotifierOptions {
  moderation: Moderation;
  clock: Clock;
  logger: Logger;
}

type FoundInCall = Omit<CaseSignal, "rule" | "reasonId"> & { readonly rule: SoftwareRule };

const dayMs = 86_400_000;
/** After this many codes in a user's video within a day, the user cannot write in calls for `codeMuteMs`. */
const codesMax = 3;
const codeMuteMs = 3_600_000;
const retryDelaysMs = [1_000, 5_000, 20_000] as const;
/** Retry interval while the database is unavailable. Only a full queue or a stop of the server drops findings. */
const outageDelayMs = 2_000;
const waitingMax = 1_000;
const lost = "dropped a finding of a call";

/** Sends the findings of the inspection to moderation asynchronously, with a few retries if the database fails. */
export class ModerationNotifier implements AsyncDisposable {
  readonly #options: ModerationNotifierOptions;
  readonly #tasks: Tasks;
  readonly #pauses: RetryPauses;
  #isStopping = false;

  constructor(options: ModerationNotifierOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#pauses = new RetryPauses(options.clock);
  }

  open(signal: FoundInCall): void {
    const reasonId = reasonOfRule[signal.rule];
    this.#tell("open", async (moderation) => void (await moderation.open({ ...signal, reasonId })));
  }

  /** Opens a case from frames that the partner's browser sent of the user. */
  openByView(signal: FoundInCall & { callId: string }, senderId: bigint): void {
    const reasonId = reasonOfRule[signal.rule];
    this.#tell("open", async (moderation) => void (await moderation.openByView({ ...signal, reasonId }, senderId)));
  }

  suspend(signal: FoundInCall): void {
    const reasonId = reasonOfRule[signal.rule];
    this.#tell("suspend", (moderation) => moderation.suspend({ ...signal, reasonId }));
  }

  hintAge(hint: AgeHint): void {
    this.#tell("hint", (moderation) => moderation.hintAge(hint));
  }

  passed(userId: bigint): void {
    this.#tell("passed", (moderation) => moderation.callPassed(userId));
  }

  /** Records a finding that has no consequence yet. */
  note(userId: bigint, rule: CaseRule, detail: object): void {
    const noticed = { userId, rule, dryRun: true, withinMs: dayMs, detail };
    this.#tell("note", async (moderation) => void (await moderation.note(noticed)));
  }

  /** Counts a code in the video. The third one in a day mutes the user's chat and opens a case. */
  code(signal: Omit<FoundInCall, "rule">): void {
    const rule = "code_in_picture";
    const { subjectId: userId } = signal;
    let count: number | null = null;
    this.#tell("note", async (moderation) => {
      count ??= await moderation.note({ userId, rule, dryRun: false, withinMs: dayMs });
      if (count < codesMax) return;
      await moderation.muteChat(userId, { rule, untilMs: this.#options.clock.nowMs() + codeMuteMs });
      await moderation.open({ ...signal, rule, reasonId: reasonOfRule[rule] });
    });
  }

  /** Resolves when moderation has received all findings so far, or the retries have ended. */
  settled(): Promise<void> {
    return this.#tasks.idle();
  }

  /** Retries the remaining findings one last time. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    this.#pauses[Symbol.dispose]();
    await this.#tasks[Symbol.asyncDispose]();
  }

  #tell(what: string, tell: (moderation: Moderation) => Promise<void>): void {
    if (this.#tasks.size >= waitingMax) {
      this.#options.logger.error({ what }, "dropped a finding of a call, moderation is too slow");
      return;
    }
    this.#tasks.add(lost, () => this.#try(what, tell));
  }

  async #try(what: string, tell: (moderation: Moderation) => Promise<void>): Promise<void> {
    const { moderation, logger } = this.#options;
    let tries = 0;
    const delayMs = (error: unknown) => {
      if (this.#isStopping) return null;
      const nextMs = error instanceof DatabaseUnavailableError ? outageDelayMs : retryDelaysMs[tries++];
      if (nextMs === undefined) return null;
      logger.error({ err: error, what }, "failed to send a finding to moderation, retrying");
      return nextMs;
    };
    try {
      await retry(() => tell(moderation), { pauses: this.#pauses, delayMs });
    } catch (error) {
      logger.error({ err: new Error("given up", { cause: error }), what }, lost);
    }
  }
}

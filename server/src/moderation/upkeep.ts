import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { signalsKeptMs } from "@fava/wire/limits.ts";
import { isNotHeld } from "#db/holds.ts";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";
import type { AppealAnswers } from "./appeal-answers.ts";
import { deleteExpiredClaims } from "./case-store.ts";
import { lapseSeconds } from "./decisions.ts";
import type { EvidenceStore } from "./evidence-store.ts";
import type { SampledFrames } from "./sampled-frames.ts";
import { eraseOldNotices } from "./notice-store.ts";
import type { PendingCredits } from "./sanctions.ts";
import { forgetHandovers } from "./shift.ts";

export interface UpkeepOptions {
  db: Kysely<Database>;
  clock: Clock;
  logger: Pick<Logger, "error">;
  evidence: EvidenceStore;
  pendingCredits: PendingCredits;
  answers: Pick<AppealAnswers, "forgetOld">;
  sampled: Pick<SampledFrames, "eraseDue">;
}

/** Runs what is due by time; idempotent. Pauses, mutes and provisional bans store their own end and need no upkeep. */
export async function runModerationUpkeep({
  db,
  clock,
  logger,
  evidence,
  pendingCredits,
  answers,
  sampled,
}: UpkeepOptions): Promise<void> {
  const at = new Date(clock.nowMs());
  const parts = [
    () => lapseSeconds(db, at),
    () => evidence.eraseDue(),
    () => sampled.eraseDue(),
    () => pendingCredits.retry(),
    () => answers.forgetOld(),
    () => deleteExpiredClaims(db, at),
    () => forgetSignals(db, at),
    () => eraseOldNotices(db, at),
    () => forgetHandovers(db, at),
  ];
  for (const part of parts) {
    await part().catch((error: unknown) => logger.error({ err: error }, "failed to run a part of moderation upkeep"));
  }
}

async function forgetSignals(db: Kysely<Database>, at: Date): Promise<void> {
  await db
    .deleteFrom("signals")
    .where("at", "<", new Date(at.getTime() - signalsKeptMs))
    .where(isNotHeld("signals.user_id", at))
    .execute();
}

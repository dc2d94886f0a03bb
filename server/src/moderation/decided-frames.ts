import type { Kysely } from "kysely";
import { operations } from "@fava/wire/moderation.ts";
import { reasons } from "@fava/wire/reasons.ts";
import type { Database } from "#db/schema.ts";
import type { FrameVerdict } from "#ports/frame-classifier.ts";

/** Scores of a frame that is evidence of a decided case about nudity. */
export interface DecidedFrame {
  readonly caseId: bigint;
  readonly rule: string;
  /** Whether a moderator warned or banned the user. */
  readonly isConfirmed: boolean;
  readonly scores: FrameVerdict["scores"];
  readonly openNsfw?: number;
}

const framesMax = 100_000;

/** Of the latest cases, up to 100,000 frames that are not erased. Reads stored scores and opens no picture. */
export async function decidedFrames(db: Kysely<Database>): Promise<readonly DecidedFrame[]> {
  const rows = await db
    .selectFrom("cases")
    .innerJoin("evidence", "evidence.case_id", "cases.id")
    .select(["cases.id", "cases.operation", "cases.rule", "evidence.facts"])
    .where("cases.state", "=", "decided")
    .where("cases.reason_id", "=", reasons.pornography.id)
    .where("cases.operation", "in", [operations.reject, operations.warn, operations.forbid])
    .where("evidence.kind", "=", "frame")
    .where("evidence.erased_at", "is", null)
    .orderBy("cases.id", "desc")
    .orderBy("evidence.id")
    .limit(framesMax)
    .execute();
  return rows.flatMap(({ id, operation, rule, facts }) => {
    const { scores, openNsfw } = JSON.parse(facts) as Partial<Pick<FrameVerdict, "scores" | "openNsfw">>;
    const isConfirmed = operation !== operations.reject;
    return scores ? [{ caseId: id, rule, isConfirmed, scores, ...(openNsfw !== undefined && { openNsfw }) }] : [];
  });
}

import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";

export interface ImageDecision {
  at: Date;
  /** Null: software. */
  actorId: bigint | null;
  ownerId: bigint;
  publicId: string;
  /** Why it was rejected; null: it was approved. */
  reasonId: number | null;
  /** What software found. */
  detail?: object;
}

/** Writes down what a person or software decided about a picture, in the log that nobody changes (rule IMG-67). */
export async function writeImageDecision(db: Kysely<Database>, decision: ImageDecision): Promise<void> {
  const { at, actorId, ownerId, publicId, reasonId, detail } = decision;
  await db
    .insertInto("audit_log")
    .values({
      at,
      actor_id: actorId,
      kind: reasonId === null ? "image_approve" : "image_reject",
      subject_id: ownerId,
      reason_id: reasonId,
      case_id: null,
      detail: JSON.stringify({ image: publicId, ...detail }),
    })
    .execute();
}

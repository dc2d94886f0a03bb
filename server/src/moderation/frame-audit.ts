import { type Kysely, sql } from "kysely";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { auditAnswersKeptMs, auditedFramesMin } from "@fava/wire/limits.ts";
import type { AuditAnswer } from "@fava/wire/moderation.ts";
import { type ReportReason, reasons } from "@fava/wire/reasons.ts";
import type { Database } from "#db/schema.ts";
import { badInput } from "#lib/errors.ts";
import { shareAtMost } from "#lib/proportions.ts";
import type { Clock } from "#ports/clock.ts";
import type { Moderation } from "#ports/moderation.ts";
import { writeAudit } from "./audit.ts";
import type { Viewer } from "./ban-policy.ts";
import { claimsOn, claimToDecide, claimView, releaseClaim, requireClaim } from "./case-store.ts";
import type { EvidenceStore } from "./evidence-store.ts";
import type { SampledFrames, WaitingFrame } from "./sampled-frames.ts";

interface FrameAuditOptions {
  db: Kysely<Database>;
  clock: Clock;
  evidence: Pick<EvidenceStore, "seal">;
  sampled: SampledFrames;
  moderation: Pick<Moderation, "open">;
}

const reasonOfAnswer: Partial<Record<AuditAnswer, ReportReason>> = {
  nudity: reasons.pornography.id,
  minor: reasons.minor.id,
};

/** Moderators look at random frames that no model flagged, without learning whose they are (rules SAFE-604 to 606). */
export class FrameAudit {
  readonly #options: FrameAuditOptions;

  constructor(options: FrameAuditOptions) {
    this.#options = options;
  }

  /** The waiting frames in random order, except those of the viewer. */
  async list(viewer: Viewer): Promise<OutputOf<Endpoints["adminSampleList"]>> {
    const { db, sampled } = this.#options;
    const frames = (await sampled.waiting()).filter(({ subjectId }) => subjectId !== viewer.userId);
    const items = frames.map(({ publicId }) => itemOf(publicId));
    const claims = await claimsOn(db, items, this.#now());
    return {
      rows: frames.map(({ publicId }) => ({
        id: publicId,
        claim: claimView(claims.get(itemOf(publicId)), viewer.userId),
      })),
    };
  }

  /**
   * Claims the frame, logs the look and returns a signed address, valid for a minute.
   * @throws EndpointError 400 for an unknown frame; 403 `claimed`.
   */
  async look(viewer: Viewer, publicId: string): Promise<string> {
    const { db, evidence } = this.#options;
    await this.#frame(viewer, publicId);
    const at = this.#now();
    await claimToDecide(db, itemOf(publicId), { moderatorId: viewer.userId, at });
    const detail = { sample: publicId };
    await writeAudit(db, { at, actorId: viewer.userId, kind: "look", subjectId: null, detail });
    return evidence.seal.address({ publicId, moderatorId: viewer.userId }, at.getTime());
  }

  /**
   * Stores the answer and erases the frame. Nudity and suspected minors open a case, which is about the user.
   * @throws EndpointError 400 for an unknown frame; 403 `not_claimed` if the moderator has not looked at it.
   */
  async answer(viewer: Viewer, publicId: string, answer: AuditAnswer): Promise<void> {
    const { db, sampled } = this.#options;
    const frame = await this.#frame(viewer, publicId);
    const at = this.#now();
    await requireClaim(db, itemOf(publicId), { moderatorId: viewer.userId, at });
    const reasonId = reasonOfAnswer[answer];
    const caseId = reasonId === undefined ? null : await this.#open(frame, reasonId);
    await sampled.answer(frame, answer);
    const subjectId = caseId === null ? null : frame.subjectId;
    const entry = { at, actorId: viewer.userId, kind: "audit", subjectId, caseId } as const;
    await writeAudit(db, { ...entry, detail: { sample: publicId, answer } });
    await releaseClaim(db, itemOf(publicId), viewer.userId);
  }

  async #open({ publicId, at, subjectId, callId, facts }: WaitingFrame, reasonId: ReportReason): Promise<bigint> {
    const { sampled, moderation } = this.#options;
    const bytes = await sampled.bytesOf(publicId);
    const evidence = bytes ? [{ kind: "frame", view: "own", at, bytes, facts } as const] : [];
    return moderation.open({ subjectId, rule: "random_frame", reasonId, callId, evidence });
  }

  async #frame(viewer: Viewer, publicId: string): Promise<WaitingFrame> {
    const frame = await this.#options.sampled.byPublicId(publicId);
    if (!frame || frame.subjectId === viewer.userId) throw badInput("no such frame", "id");
    return frame;
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

/** What 52 weeks of the audit say about unflagged frames; `share_max` is null if too few were looked at. */
export async function auditFigures(
  db: Kysely<Database>,
  nowMs: number,
): Promise<OutputOf<Endpoints["transparency"]>["audit"]> {
  const since = new Date(nowMs - auditAnswersKeptMs);
  const { rows } = await sql<{ looked: bigint; explicit: bigint }>`
    select count(*) as looked, count(*) filter (where answer = 'nudity') as explicit
    from sampled_frames where looked_at > ${since}`.execute(db);
  const [looked, explicit] = [Number(rows[0]?.looked ?? 0n), Number(rows[0]?.explicit ?? 0n)];
  return { looked, explicit, share_max: looked < auditedFramesMin ? null : shareAtMost(explicit, looked) };
}

function itemOf(publicId: string): string {
  return `sample:${publicId}`;
}

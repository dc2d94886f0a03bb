import type { FastifyInstance, FastifyReply } from "fastify";
import type { Kysely } from "kysely";
import { roles } from "@fava/wire/people.ts";
import type { Database } from "#db/schema.ts";
import { badInput } from "#lib/errors.ts";
import type { Clock } from "#ports/clock.ts";
import { writeAudit } from "./audit.ts";
import { requireCaseAccess, type Viewer } from "./ban-policy.ts";
import { caseFacts } from "./case-store.ts";
import type { EvidenceStore } from "./evidence-store.ts";
import type { SampledFrames } from "./sampled-frames.ts";

/** Shows evidence to moderators: one frame at a time, for a minute. Logs each access (rule CASE-52). */
export class EvidenceAccess {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #evidence: EvidenceStore;
  readonly #sampled: Pick<SampledFrames, "bytesOf">;

  constructor(options: {
    db: Kysely<Database>;
    clock: Clock;
    evidence: EvidenceStore;
    sampled: Pick<SampledFrames, "bytesOf">;
  }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#evidence = options.evidence;
    this.#sampled = options.sampled;
  }

  /**
   * Logs the access and returns a signed address of the frame, valid for a minute.
   * @throws EndpointError 400 if there is no such frame; 403 if the viewer may not see the case.
   */
  async look(viewer: Viewer, publicId: string): Promise<string> {
    const row = await this.#evidence.byPublicId(publicId);
    const about = row && (await caseFacts(this.#db, row.case_id));
    if (!row || !about) throw badInput("no such evidence", "id");
    requireCaseAccess(viewer, about);
    if (row.kind !== "frame" || row.blob_key === null) throw badInput("no such evidence", "id");
    const nowMs = this.#clock.nowMs();
    const entry = { at: new Date(nowMs), actorId: viewer.userId, subjectId: about.subjectId, caseId: about.id };
    await writeAudit(this.#db, { ...entry, kind: "look", detail: { evidence: publicId } });
    return this.#evidence.seal.address({ publicId, moderatorId: viewer.userId }, nowMs);
  }

  /** The bytes of a frame of a case or of the audit; null for an invalid address, or if the moderator of the address has lost the role. */
  async picture(publicId: string, query: { by?: unknown; until?: unknown; sign?: unknown }): Promise<Buffer | null> {
    const opened = this.#evidence.seal.opened(publicId, query, this.#clock.nowMs());
    if (!opened || !(await this.#isModerator(opened.moderatorId))) return null;
    const row = await this.#evidence.byPublicId(opened.publicId);
    if (!row) return this.#sampled.bytesOf(opened.publicId);
    return row.kind === "frame" ? this.#evidence.bytesOf(row) : null;
  }

  async #isModerator(userId: bigint): Promise<boolean> {
    const user = await this.#db.selectFrom("users").select("role").where("id", "=", userId).executeTakeFirst();
    return user !== undefined && user.role >= roles.moderator;
  }
}

/** The headers keep browsers from storing the frame or treating it as anything but a picture (rule CASE-52). */
export function evidenceRoute(app: FastifyInstance, desk: Pick<EvidenceAccess, "picture">): void {
  app.get<{ Params: { id: string }; Querystring: { by?: unknown; until?: unknown; sign?: unknown } }>(
    "/admin/evidence/:id",
    async ({ params: { id }, query }, reply) => {
      const bytes = await desk.picture(id, query);
      return guarded(reply, bytes ? 200 : 404).send(bytes ?? { code: 404, data: null, msg: "no such evidence" });
    },
  );
}

function guarded(reply: FastifyReply, status: 200 | 404): FastifyReply {
  if (status === 200) void reply.type("image/jpeg");
  return reply
    .code(status)
    .header("x-content-type-options", "nosniff")
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer")
    .header("cross-origin-resource-policy", "same-origin")
    .header("content-security-policy", "default-src 'none'; sandbox");
}

import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import { evidenceKeptMs } from "@fava/wire/limits.ts";
import type { TextCover } from "@fava/wire/messages.ts";
import type { Queue } from "@fava/wire/reasons.ts";
import { isNotHeld } from "#db/holds.ts";
import type { Database } from "#db/schema.ts";
import { blobKeyOf } from "#lib/blob-key.ts";
import { Seal } from "#lib/seal.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";
import type { EvidenceItem, EvidenceLine } from "#ports/moderation.ts";
import { type Random, randomId } from "#ports/random.ts";

interface EvidenceStoreOptions {
  db: Kysely<Database>;
  blobs: Blobs;
  clock: Clock;
  random: Random;
  serverSecret: ServerSecret;
  logger: Pick<Logger, "error">;
}

/** The text of a reported message at the time of the report, since the message may disappear from the conversation. */
export interface EvidenceMessage {
  readonly kind: "message";
  readonly at: Date;
  readonly text: string;
  /** The kind of cover under which it was delivered; null for none. */
  readonly cover: TextCover["kind"] | null;
}

export interface EvidenceNote {
  readonly kind: "note";
  readonly at: Date;
  readonly text: string;
  readonly reportId: bigint;
}

export interface EvidenceRow {
  id: bigint;
  public_id: string;
  kind: string;
  view: string | null;
  at: Date;
  blob_key: string | null;
  facts: string;
  erase_at: Date;
  report_id: bigint | null;
}

type Item = EvidenceItem | EvidenceMessage | EvidenceNote;

/** Limit per case and kind, so that many frames do not displace reported lines. */
const piecesMax = 60;
const kinds = 3;
const batchRows = 200;

/** Evidence of cases: encrypted in blob storage, and erased in time (rules CASE-51, CASE-52, CASE-53, CASE-55). */
export class EvidenceStore {
  readonly seal: EvidenceSeal;
  readonly #options: EvidenceStoreOptions;

  constructor(options: EvidenceStoreOptions) {
    this.#options = options;
    this.seal = new EvidenceSeal(options);
  }

  /**
   * Adds evidence, without duplicates and up to the limit. For the restricted queue it stores no frame, only hashes,
   * scores, notes, and lines that are themselves the offence.
   */
  async add(about: { caseId: bigint; queue: Queue }, items: readonly Item[]): Promise<void> {
    for (const item of items) await this.#addOne(about, item);
  }

  of(caseId: bigint): Promise<EvidenceRow[]> {
    return this.#options.db
      .selectFrom("evidence")
      .select(["id", "public_id", "kind", "view", "at", "blob_key", "facts", "erase_at", "report_id"])
      .where("case_id", "=", caseId)
      .where("erased_at", "is", null)
      .orderBy("at")
      .orderBy("id")
      .limit(piecesMax * kinds)
      .execute();
  }

  async hadFrames(caseId: bigint): Promise<boolean> {
    const frame = await this.#options.db
      .selectFrom("evidence")
      .select("id")
      .where("case_id", "=", caseId)
      .where("kind", "=", "frame")
      .limit(1)
      .executeTakeFirst();
    return frame !== undefined;
  }

  /** The decrypted bytes; null if they are missing or fail the authenticity check. */
  async bytesOf({ public_id, blob_key }: Pick<EvidenceRow, "public_id" | "blob_key">): Promise<Buffer | null> {
    const sealed = blob_key === null ? null : await this.#options.blobs.get(blob_key);
    if (!sealed) return null;
    try {
      return this.seal.open(public_id, sealed);
    } catch (error) {
      this.#options.logger.error({ err: error, evidence: public_id }, "failed to decrypt evidence");
      return null;
    }
  }

  async linesOf(row: Pick<EvidenceRow, "public_id" | "blob_key">): Promise<readonly EvidenceLine[]> {
    const bytes = await this.bytesOf(row);
    return bytes ? (JSON.parse(bytes.toString("utf8")) as EvidenceLine[]) : [];
  }

  async noteOf(reportId: bigint, caseId: bigint): Promise<string | null> {
    const row = await this.#options.db
      .selectFrom("evidence")
      .select(["public_id", "blob_key"])
      .where("case_id", "=", caseId)
      .where("report_id", "=", reportId)
      .where("erased_at", "is", null)
      .executeTakeFirst();
    const bytes = row && (await this.bytesOf(row));
    return bytes ? bytes.toString("utf8") : null;
  }

  byPublicId(publicId: string) {
    return this.#options.db
      .selectFrom("evidence")
      .select(["id", "public_id", "case_id", "kind", "blob_key"])
      .where("public_id", "=", publicId)
      .where("erased_at", "is", null)
      .executeTakeFirst();
  }

  /**
   * Erases due evidence of decided cases, unless a user who still exists waits for an appeal, or a hold keeps the data of
   * the user or of a reporter. Idempotent.
   */
  async eraseDue(): Promise<void> {
    const { db, blobs, clock } = this.#options;
    const at = new Date(clock.nowMs());
    for (;;) {
      const { rows } = await sql<{ id: bigint; blob_key: string | null }>`
        select evidence.id, evidence.blob_key from evidence join cases on cases.id = evidence.case_id
        where evidence.erased_at is null and evidence.erase_at <= ${at} and cases.state = 'decided'
          and not exists (
            select from appeals join bans on bans.id = appeals.ban_id join users on users.id = appeals.user_id
            where bans.case_id = cases.id and appeals.state = 'received' and users.erased_at is null
          )
          and ${isNotHeld("cases.subject_id", at)}
          and not exists (
            select from reports where reports.case_id = cases.id and not ${isNotHeld("reports.reporter_id", at)}
          )
        order by evidence.id limit ${batchRows}`.execute(db);
      for (const { id, blob_key } of rows) {
        if (blob_key !== null) await blobs.delete(blob_key);
        await db
          .updateTable("evidence")
          .set({ blob_key: null, facts: "{}", erased_at: at })
          .where("id", "=", id)
          .execute();
      }
      if (rows.length < batchRows) return;
    }
  }

  async #addOne({ caseId, queue }: { caseId: bigint; queue: Queue }, item: Item): Promise<void> {
    const { db, blobs, random, clock } = this.#options;
    const publicId = randomId(random);
    const isOffence = item.kind === "lines" && item.isOffence === true;
    const isKept = queue !== "restricted" || item.kind === "note" || isOffence;
    const sealed = isKept ? this.seal.seal(publicId, contentOf(item)) : null;
    const blobKey = sealed && blobKeyOf(sealed, "sealed");
    const kind = item.kind === "message" ? "lines" : item.kind;
    const view = item.kind === "frame" ? item.view : null;
    const facts = factsOf(item);
    const reportId = item.kind === "note" ? item.reportId : null;
    // The row precedes the blob, because a blob without a row would never be erased.
    const { rows } = await sql`
      insert into evidence (public_id, case_id, kind, view, at, blob_key, facts, erase_at, report_id)
      select ${publicId}, ${caseId}, ${kind}, ${view}, ${item.at}, ${blobKey}, ${JSON.stringify(facts)},
        ${new Date(clock.nowMs() + evidenceKeptMs)}, ${reportId}
      where (
          select count(*) from evidence
          where case_id = ${caseId} and erased_at is null and kind = ${kind}
        ) < ${piecesMax}
        and not exists (
          select from evidence
          where case_id = ${caseId} and kind = ${kind} and view is not distinct from ${view}
            and (report_id = ${reportId} or ${reportId}::bigint is null and at = ${item.at})
        )
      returning id`.execute(db);
    if (sealed && rows.length > 0) await blobs.put(sealed, "sealed");
  }
}

function factsOf(item: Item): object {
  if (item.kind === "message") return { message: true, ...(item.cover && { cover: item.cover }) };
  return item.kind === "frame" ? item.facts : {};
}

function contentOf(item: Item): Buffer {
  if (item.kind === "frame") return item.bytes;
  if (item.kind === "lines") return Buffer.from(JSON.stringify(item.lines), "utf8");
  return Buffer.from(item.text, "utf8");
}

const idShape = /^[\w-]{22}$/;
const byShape = /^\d{1,18}$/;
const untilShape = /^\d{13}$/;
const signShape = /^[0-9a-f]{64}$/;
const addressMs = 60_000;

interface Opened {
  readonly publicId: string;
  readonly moderatorId: bigint;
}

class EvidenceSeal extends Seal {
  readonly #secret: ServerSecret;

  constructor({ serverSecret, random }: { serverSecret: ServerSecret; random: Random }) {
    super({ serverSecret, random, purpose: "evidence/v1" });
    this.#secret = serverSecret;
  }

  address({ publicId, moderatorId }: Opened, nowMs: number): string {
    const [by, until] = [String(moderatorId), String(nowMs + addressMs)];
    const sign = this.#secret.mac(signedText(publicId, by, until)).toString("hex");
    return `/admin/evidence/${publicId}?by=${by}&until=${until}&sign=${sign}`;
  }

  /** What a signed address opens; null for an invalid or expired one. */
  opened(publicId: string, query: { by?: unknown; until?: unknown; sign?: unknown }, nowMs: number): Opened | null {
    const { by, until, sign } = query;
    if (typeof by !== "string" || typeof until !== "string" || typeof sign !== "string") return null;
    if (!idShape.test(publicId) || !byShape.test(by) || !untilShape.test(until) || !signShape.test(sign)) return null;
    if (Number(until) <= nowMs) return null;
    if (!this.#secret.isMacOf(signedText(publicId, by, until), Buffer.from(sign, "hex"))) return null;
    return { publicId, moderatorId: BigInt(by) };
  }
}

function signedText(publicId: string, by: string, until: string): string {
  return `evidence-look/v1\0${publicId}\0${by}\0${until}`;
}

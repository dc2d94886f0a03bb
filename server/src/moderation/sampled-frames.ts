import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import { auditAnswersKeptMs, sampledFrameKeptMs } from "@fava/wire/limits.ts";
import type { AuditAnswer } from "@fava/wire/moderation.ts";
import type { Database } from "#db/schema.ts";
import { blobKeyOf } from "#lib/blob-key.ts";
import { Seal } from "#lib/seal.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";
import type { EvidenceFrame, UnflaggedFrame } from "#ports/moderation.ts";
import { type Random, randomId } from "#ports/random.ts";

interface SampledFramesOptions {
  db: Kysely<Database>;
  blobs: Blobs;
  clock: Clock;
  random: Random;
  serverSecret: ServerSecret;
  logger: Pick<Logger, "error">;
}

/** A frame with its random number, an integer of at least 0. The lowest numbers of a day are its sample. */
export interface DrawnFrame extends UnflaggedFrame {
  readonly draw: number;
}

/** A sampled frame that no moderator has answered. */
export interface WaitingFrame {
  readonly id: bigint;
  readonly publicId: string;
  readonly at: Date;
  readonly blobKey: string;
  readonly subjectId: bigint;
  readonly callId: string;
  readonly facts: EvidenceFrame["facts"];
}

type StoredFrame =
  | (WaitingFrame & { readonly day: number; readonly isErasable: false })
  | (Pick<WaitingFrame, "id" | "blobKey"> & { readonly isErasable: true });

interface Source {
  readonly subjectId: string;
  readonly callId: string;
  readonly facts: EvidenceFrame["facts"];
}

export const dayMs = 86_400_000;
/** After this time every server has stored its frames of the day before. */
const closesAfterMs = 300_000;

/**
 * Random frames for the weekly audit: encrypted, without a readable reference to their user, and erased after the
 * answer, after seven days, or with the account (rules SAFE-601 to SAFE-603).
 */
export class SampledFrames {
  readonly #options: SampledFramesOptions;
  readonly #bytes: Seal;
  readonly #sources: Seal;

  constructor(options: SampledFramesOptions) {
    this.#options = options;
    this.#bytes = new Seal({ ...options, purpose: "sampled-frame/v1" });
    this.#sources = new Seal({ ...options, purpose: "sampled-frame-source/v1" });
  }

  /**
   * Adds frames to the sample of a day, and erases all of the day but the `size` with the lowest numbers.
   * @returns the number that a further frame must be below.
   */
  async keep(day: number, size: number, drawn: readonly DrawnFrame[]): Promise<number> {
    const { db, blobs } = this.#options;
    const added = drawn.map((frame) => this.#sealed(frame));
    const { surplus, below } = await db.transaction().execute(async (trx) => {
      // Two servers that add at once would each see only their own frames.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`sampled frames ${day}`}, 0))`.execute(trx);
      const rows = added.map(({ row }) => ({ ...row, day }));
      if (rows.length > 0) await trx.insertInto("sampled_frames").values(rows).execute();
      const { rows: kept } = await sql<{ id: bigint; draw: number }>`
        select id, draw from sampled_frames where day = ${day} order by draw, id limit ${size}`.execute(trx);
      const surplus = await trx
        .deleteFrom("sampled_frames")
        .where("day", "=", day)
        .where("id", "not in", [0n, ...kept.map(({ id }) => id)])
        .returning("blob_key")
        .execute();
      return { surplus, below: kept.length < size ? Infinity : (kept.at(-1)?.draw ?? 0) };
    });
    const gone = new Set(surplus.map(({ blob_key }) => blob_key));
    // The row precedes the blob, because a blob without a row would never be erased.
    for (const { row, bytes } of added) if (!gone.has(row.blob_key)) await blobs.put(bytes, "sealed");
    const own = added.map(({ row }) => row.blob_key);
    for (const key of gone) if (key !== null && !own.includes(key)) await blobs.delete(key);
    await this.#deleteRowless(own.filter((key) => !gone.has(key)));
    return below;
  }

  /** Another server may have erased a row, and its blob in vain, before this server stored the blob. */
  async #deleteRowless(keys: readonly string[]): Promise<void> {
    const { db, blobs } = this.#options;
    if (keys.length === 0) return;
    const rows = await db.selectFrom("sampled_frames").select("blob_key").where("blob_key", "in", keys).execute();
    const kept = new Set(rows.map(({ blob_key }) => blob_key));
    for (const key of keys) if (!kept.has(key)) await blobs.delete(key);
  }

  /** The waiting frames of past days in random order, without those of deleted accounts. */
  async waiting(): Promise<WaitingFrame[]> {
    const { nowMs } = this.#now();
    const today = Math.floor((nowMs - closesAfterMs) / dayMs);
    return (await this.#stored()).flatMap((frame) => (frame.isErasable || frame.day >= today ? [] : [frame]));
  }

  async byPublicId(publicId: string): Promise<WaitingFrame | null> {
    return (await this.waiting()).find((frame) => frame.publicId === publicId) ?? null;
  }

  /** The decrypted bytes; null if the frame is erased or fails the authenticity check. */
  async bytesOf(publicId: string): Promise<Buffer | null> {
    const frame = await this.byPublicId(publicId);
    const sealed = frame && (await this.#options.blobs.get(frame.blobKey));
    if (!sealed) return null;
    try {
      return this.#bytes.open(publicId, sealed);
    } catch (error) {
      this.#options.logger.error({ err: error, frame: publicId }, "failed to decrypt a sampled frame");
      return null;
    }
  }

  /** Stores the answer and erases the frame. */
  async answer({ id, blobKey }: Pick<WaitingFrame, "id" | "blobKey">, answer: AuditAnswer): Promise<void> {
    const { db, blobs } = this.#options;
    await blobs.delete(blobKey);
    await db
      .updateTable("sampled_frames")
      .set({ answer, looked_at: this.#now().at, blob_key: null, source: null })
      .where("id", "=", id)
      .execute();
  }

  /** Erases frames that waited too long, or whose accounts are deleted or unreadable, and old answers. Idempotent. */
  async eraseDue(): Promise<void> {
    const { db, blobs } = this.#options;
    for (const { id, blobKey, isErasable } of await this.#stored()) {
      if (!isErasable) continue;
      await blobs.delete(blobKey);
      await db.deleteFrom("sampled_frames").where("id", "=", id).execute();
    }
    const answeredBefore = new Date(this.#now().nowMs - auditAnswersKeptMs);
    await db.deleteFrom("sampled_frames").where("looked_at", "<=", answeredBefore).execute();
  }

  async #stored(): Promise<StoredFrame[]> {
    const { db } = this.#options;
    const rows = await db
      .selectFrom("sampled_frames")
      .select(["id", "public_id", "day", "at", "blob_key", "source"])
      .where("looked_at", "is", null)
      .orderBy("draw")
      .orderBy("id")
      .execute();
    const frames = rows.flatMap(({ id, public_id: publicId, day, at, blob_key: blobKey, source }) => {
      if (blobKey === null || source === null) return [];
      return [{ id, publicId, day, at, blobKey, source: this.#sourceOf(publicId, source) }];
    });
    const people = frames.flatMap(({ source }) => source?.subjectId ?? []);
    const present =
      people.length === 0
        ? []
        : await db.selectFrom("users").select("id").where("id", "in", people).where("deleted_at", "is", null).execute();
    const ids = new Set(present.map(({ id }) => id));
    const dueMs = this.#now().nowMs - sampledFrameKeptMs;
    return frames.map(({ source, ...frame }) =>
      source && frame.at.getTime() > dueMs && ids.has(source.subjectId)
        ? { ...frame, ...source, isErasable: false }
        : { id: frame.id, blobKey: frame.blobKey, isErasable: true },
    );
  }

  #sealed({ subjectId, callId, draw, frame }: DrawnFrame) {
    const publicId = randomId(this.#options.random);
    const bytes = this.#bytes.seal(publicId, frame.bytes);
    const source: Source = { subjectId: String(subjectId), callId, facts: frame.facts };
    const sealedSource = this.#sources.seal(publicId, Buffer.from(JSON.stringify(source)));
    const row = { public_id: publicId, draw, at: frame.at, blob_key: blobKeyOf(bytes, "sealed"), source: sealedSource };
    return { bytes, row };
  }

  /** Null after a change of the server's secret: nobody can learn whose frame it is. */
  #sourceOf(publicId: string, sealed: Buffer): Pick<WaitingFrame, "subjectId" | "callId" | "facts"> | null {
    try {
      const source = JSON.parse(this.#sources.open(publicId, sealed).toString("utf8")) as Source;
      return { ...source, subjectId: BigInt(source.subjectId) };
    } catch (error) {
      this.#options.logger.error({ err: error, frame: publicId }, "failed to decrypt the source of a sampled frame");
      return null;
    }
  }

  #now(): { nowMs: number; at: Date } {
    const nowMs = this.#options.clock.nowMs();
    return { nowMs, at: new Date(nowMs) };
  }
}

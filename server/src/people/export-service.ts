import type { FastifyInstance } from "fastify";
import type { Kysely } from "kysely";
import PQueue from "p-queue";
import type { Logger } from "pino";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { exportKeptMs, exportLinkMs } from "@fava/wire/limits.ts";
import type { MailOutbox } from "#db/mail-outbox.ts";
import type { Database } from "#db/schema.ts";
import { blobKeyOf } from "#lib/blob-key.ts";
import { slowDown } from "#lib/errors.ts";
import { takeFromLimit } from "#lib/take-from-limit.ts";
import { RetryPauses, retry } from "#lib/tasks.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import { type Blobs, BlobsUnavailableError } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";
import type { ReadReplica } from "#db/replica.ts";
import type { LiveSession } from "#ports/handlers.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import * as store from "./export-store.ts";
import type { ReadNote } from "./export-queries.ts";
import { writeExport } from "./export-writer.ts";

export interface ExportServiceOptions {
  db: Kysely<Database>;
  jobs: Kysely<Database>;
  replica: Pick<ReadReplica, "read">;
  blobs: Blobs;
  moderation: { evidence: { noteOf: ReadNote } };
  sessions: { isOpen(sessionId: string): Promise<boolean> };
  clock: Clock;
  limits: Limits;
  serverSecret: ServerSecret;
  self: ProcessId;
  mails: Pick<MailOutbox, "addresses">;
  logger: Pick<Logger, "error">;
}

type ExportView = OutputOf<Endpoints["userExport"]>;
type Asking = Pick<LiveSession, "id" | "userId">;
type Job = store.ExportRun & { language: string };

const atOnceMax = 2;
const waitingMax = 100;
const fullWaitSeconds = 300;
/** An export that runs longer counts as failed, since its server must have crashed. */
const givenUpMs = 3_600_000;
const storageRetryMs = 5_000;

/** Exports of users' data: prepared in the background, kept for a week (rules DATA-30, DATA-32). */
export class ExportService implements AsyncDisposable {
  readonly addresses: ExportAddresses;
  readonly #options: ExportServiceOptions;
  readonly #preparing = new PQueue({ concurrency: atOnceMax });
  readonly #pauses: RetryPauses;
  #stopping = false;

  constructor(options: ExportServiceOptions) {
    this.#options = options;
    this.#pauses = new RetryPauses(options.clock);
    this.addresses = new ExportAddresses(options);
  }

  /** Marks exports of crashed servers as failed. */
  recover(): Promise<void> {
    return store.failAbandoned(this.#options.db);
  }

  /** The state of the user's export. The address of a ready file works for an hour, while the session lasts. */
  async status(session: Asking): Promise<ExportView> {
    const row = await store.exportOf(this.#options.db, session.userId);
    if (!row) return { state: "none" };
    if (row.state === "preparing") return { state: "preparing", percent: row.percent };
    if (row.state === "failed") return { state: "failed" };
    const { file_key, size_bytes, until, begun_at } = row;
    if (file_key === null || size_bytes === null || until === null || until <= this.#now()) return { state: "none" };
    return {
      state: "ready",
      name: exportName(begun_at),
      size_bytes,
      url: this.addresses.signed(file_key, {
        sessionId: session.id,
        untilMs: Math.min(until.getTime(), this.#options.clock.nowMs() + exportLinkMs),
      }),
      until: until.getTime(),
    };
  }

  /**
   * Starts an export that replaces the previous one, or returns the one that is being prepared. `language`: of the
   * explanations in the file.
   * @throws EndpointError 429 if this user starts too many exports, or too many wait.
   */
  async begin(session: Asking, language: string): Promise<ExportView> {
    const { db, limits, self } = this.#options;
    const { userId } = session;
    const before = await store.exportOf(db, userId);
    if (before?.state === "preparing") return this.status(session);
    if (this.#stopping || this.#preparing.size >= waitingMax) {
      throw slowDown(fullWaitSeconds, "too many exports");
    }
    await takeFromLimit(limits, "exportByUser", String(userId));
    const job = { userId, begunAt: this.#now(), language };
    // If deleting fails, the row still names the file, so that a later run deletes it.
    if (before?.file_key) await this.#options.blobs.delete(before.file_key);
    if (await store.beginExport(db, job, self)) void this.#preparing.add(() => this.#prepare(job));
    return this.status(session);
  }

  async file(key: string, query: ExportQuery): Promise<{ name: string; bytes: Buffer } | null> {
    const sessionId = this.addresses.sessionOf(key, query);
    if (sessionId === null || !(await this.#options.sessions.isOpen(sessionId))) return null;
    const begunAt = await store.begunAtOfFile(this.#options.db, key, this.#now());
    const bytes = begunAt && (await this.#options.blobs.get(key));
    return bytes ? { name: exportName(begunAt), bytes } : null;
  }

  async forget(userId: bigint): Promise<void> {
    const { db, blobs } = this.#options;
    const row = await store.exportOf(db, userId);
    if (row?.file_key) await blobs.delete(row.file_key);
    // Another server may have stored a file after the row was read.
    for (const key of await store.takeExportOf(db, userId)) await blobs.delete(key);
  }

  async tidy(): Promise<void> {
    const { db, clock, blobs } = this.#options;
    await store.failBegunBefore(db, new Date(clock.nowMs() - givenUpMs));
    const at = this.#now();
    for (const key of await store.staleFiles(db, at)) {
      await blobs.delete(key);
      await store.forgetStaleFile(db, key, at);
    }
  }

  idle(): Promise<void> {
    return this.#preparing.onIdle();
  }

  /** Exports that run or wait become failed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    this.#pauses[Symbol.dispose]();
    await this.idle();
  }

  async #prepare(job: Job): Promise<void> {
    const { db, logger } = this.#options;
    const isAway = (error: unknown) => error instanceof BlobsUnavailableError && !this.#stopping;
    try {
      const delayMs = (error: unknown) => (isAway(error) ? storageRetryMs : null);
      if (!this.#stopping) return await retry(() => this.#write(job), { pauses: this.#pauses, delayMs });
    } catch (error) {
      logger.error({ err: error, userId: String(job.userId) }, "failed to write an export");
    }
    await store
      .changeRun(db, job, { state: "failed" })
      .catch((lost: unknown) => logger.error({ err: lost }, "failed to mark an export as failed"));
  }

  async #write(job: Job): Promise<void> {
    const { db, jobs, replica, blobs, moderation, mails } = this.#options;
    const { userId, language, begunAt } = job;
    const onPercent = async (percent: number) => {
      const goesOn = await store.changeRun(db, job, { percent });
      if (!goesOn || this.#stopping) throw new Error("the export was stopped");
    };
    const order = { userId, at: begunAt, language, onPercent };
    const readNote: ReadNote = (reportId, caseId) => moderation.evidence.noteOf(reportId, caseId);
    // The replica must have caught up with the request, so that the export has everything up to it.
    const bytes = await replica.read(
      jobs,
      (reader) => writeExport({ db: reader, blobs, readNote, addresses: mails.addresses }, order),
      {
        upToNow: true,
      },
    );
    const key = blobKeyOf(bytes, "zip");
    // The row names the key before the file exists, so that a crash leaves no unknown file.
    if (!(await store.changeRun(db, job, { file_key: key }))) return;
    await blobs.put(bytes, "zip");
    const until = new Date(this.#options.clock.nowMs() + exportKeptMs);
    const isKept = await store.changeRun(db, job, { state: "ready", percent: 100, size_bytes: bytes.length, until });
    if (!isKept) await blobs.delete(key);
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

function exportName(begunAt: Date): string {
  return `fava-${begunAt.toISOString().slice(0, 10)}.zip`;
}

interface ExportQuery {
  by?: unknown;
  until?: unknown;
  sign?: unknown;
}

const signShape = /^[0-9a-f]{64}$/;

/** Signed addresses of export files. Each works only while the session that requested it lasts. */
class ExportAddresses {
  readonly #secret: ServerSecret;
  readonly #clock: Clock;

  constructor(options: { serverSecret: ServerSecret; clock: Clock }) {
    this.#secret = options.serverSecret;
    this.#clock = options.clock;
  }

  signed(key: string, { sessionId, untilMs }: { sessionId: string; untilMs: number }): string {
    const until = String(untilMs);
    const sign = this.#secret.mac(signedText({ key, by: sessionId, until })).toString("hex");
    return `/media/exports/${key}?${new URLSearchParams({ by: sessionId, until, sign }).toString()}`;
  }

  /** The session that requested this address; null if the address is forged or expired. */
  sessionOf(key: string, { by, until, sign }: ExportQuery): string | null {
    if (typeof by !== "string" || typeof until !== "string" || typeof sign !== "string") return null;
    if (!/^\d{1,15}$/.test(until) || !signShape.test(sign)) return null;
    if (!this.#secret.isMacOf(signedText({ key, by, until }), Buffer.from(sign, "hex"))) return null;
    return Number(until) > this.#clock.nowMs() ? by : null;
  }
}

function signedText({ key, by, until }: { key: string; by: string; until: string }): string {
  return `export/v2\0${key}\0${by}\0${until}`;
}

/** Serves an export to anyone with its signed address, as a download that browsers do not display. */
export function exportRoute(app: FastifyInstance, exports: Pick<ExportService, "file">): void {
  app.get<{ Params: { key: string }; Querystring: ExportQuery }>(
    "/media/exports/:key",
    async ({ params, query }, reply) => {
      const file = await exports.file(params.key, query);
      reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
      if (!file) return reply.code(404).send({ code: 404, data: null, msg: "no such export" });
      return reply
        .type("application/zip")
        .header("content-disposition", `attachment; filename="${file.name}"`)
        .send(file.bytes);
    },
  );
}

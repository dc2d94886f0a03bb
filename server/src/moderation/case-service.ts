import { type Kysely, sql } from "kysely";
import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { claimMs } from "@fava/wire/limits.ts";
import type { TextCover } from "@fava/wire/messages.ts";
import { type CaseDetail, type CaseLine, type CaseRow, decisionKinds, type DeskPerson } from "@fava/wire/moderation.ts";
import { roles } from "@fava/wire/people.ts";
import { knownReportReason } from "@fava/wire/reasons.ts";
import type { Database } from "#db/schema.ts";
import { badInput, forbidden } from "#lib/errors.ts";
import { hashDistance } from "@fava/wire/picture-hash.ts";
import { waitingCountOf } from "#people/image-service.ts";
import { requireQuestion, waitingQuestions } from "#people/text-question-service.ts";
import type { Clock } from "#ports/clock.ts";
import type { AgeAsks } from "./age-asks.ts";
import { noticesFor } from "./notice-service.ts";
import { requireOpenNotice } from "./notice-store.ts";
import { recordColumns } from "./reporter-records.ts";
import { requireOpenAppeal, waitingFor } from "./appeal-service.ts";
import { logRestricted } from "./audit.ts";
import { accessDenialOf, requireCaseAccess, type Viewer } from "./ban-policy.ts";
import {
  type CaseFacts,
  caseFacts,
  casePage,
  caseRow,
  claimView,
  releaseClaim,
  hasDecidedBefore,
  readBackground,
  takeClaim,
  waitingCount,
} from "./case-store.ts";
import { startOfDay } from "./decision-log.ts";
import type { EvidenceRow, EvidenceStore } from "./evidence-store.ts";
import { noteOnShift } from "./shift.ts";

export type DeskReader = Viewer & { readonly language: string };

interface CaseServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  evidence: EvidenceStore;
  ageAsks: Pick<AgeAsks, "mayAsk">;
  person: (reader: DeskReader, userId: bigint) => Promise<DeskPerson>;
  images: { photosOf(userId: bigint): Promise<readonly { readonly url: string }[]> };
  mask: (text: string) => string;
  inspection: () => OutputOf<Endpoints["adminDesk"]>["inspection"];
}

type Db = Kysely<Database>;
type ListInput = ParsedInputOf<Endpoints["adminReportList"]>;

const reportsShownMax = 200;

/** Cases as moderators read and claim them (rules CASE-40, CASE-41). */
export class CaseService {
  readonly #options: CaseServiceOptions;

  constructor(options: CaseServiceOptions) {
    this.#options = options;
  }

  /** @throws EndpointError 400 for an invalid cursor; 403 `role` for the restricted queue. */
  async list(viewer: Viewer, input: Pick<ListInput, "box" | "order" | "cursor">) {
    const { db } = this.#options;
    const at = this.#now();
    if (input.box === "restricted") {
      if (viewer.role < roles.administrator) throw forbidden("role");
      await logRestricted(db, viewer.userId, { at, caseId: null, act: "list" });
    }
    return casePage(db, viewer, { ...input, at });
  }

  /**
   * @throws EndpointError 400 for an unknown case; 403 if the case is about the reader or a colleague, or is
   * restricted.
   */
  async read(reader: DeskReader, caseId: bigint): Promise<CaseDetail> {
    const { db, evidence, ageAsks, person } = this.#options;
    const at = this.#now();
    const about = await this.#visible(reader, caseId, "read");
    await logReading(db, reader, { about, at });
    const row = await caseRow(db, reader, { id: caseId, at });
    if (!row) throw badInput("no such case", "id");
    const pieces = await evidence.of(caseId);
    const facts = await readFacts(db, caseId);
    const closedFor = closedBecause(reader, about, row);
    const mayAskAge = closedFor === null && (await ageAsks.mayAsk(about));
    return {
      ...row,
      call: await callOf(db, about),
      moments: momentsOf(pieces),
      check:
        facts.explicit === null ? null : { explicit: facts.explicit, model: facts.model ?? "", shadow: facts.shadow },
      estimated_age: facts.estimatedAge,
      ...(await this.#texts(pieces)),
      erase_at: pieces.reduce<number | null>((last, { erase_at }) => Math.max(last ?? 0, erase_at.getTime()), null),
      reports: await this.#reports(caseId, pieces),
      subject: await person(reader, about.subjectId),
      background: (await evidence.hadFrames(caseId)) ? null : await this.#background(about),
      closed_because: closedFor,
      ...(mayAskAge && { may_ask_age: true }),
      first: facts.first,
    };
  }

  /**
   * Claims, renews or releases an item. Returns the claim in force, which may be another moderator's.
   * @throws EndpointError 400 for an unknown item; 403 if the viewer may not decide it, since the claim would only
   * block others.
   */
  async claim(viewer: Viewer, item: string, on: boolean): Promise<OutputOf<Endpoints["adminClaim"]>> {
    const { db } = this.#options;
    if (!on) {
      await releaseClaim(db, item, viewer.userId);
      return { claim: null };
    }
    const at = this.#now();
    const [, kind, id] = /^(case|image|appeal|text|notice):([\w-]{1,64})$/.exec(item) ?? [];
    if (kind === undefined || id === undefined) throw badInput("no such item", "item");
    if (kind === "case") refuseFirst(viewer, await this.#visible(viewer, caseIdOf(id, "item"), "claim"));
    else if (kind === "text") await requireQuestion(db, viewer, id);
    else if (kind === "notice") await requireOpenNotice(db, viewer, { id, at });
    else if (!(await exists(db, kind, id))) throw badInput("no such item", "item");
    if (kind === "appeal") await requireOpenAppeal(db, viewer, { id, at });
    return { claim: claimView(await takeClaim(db, item, { moderatorId: viewer.userId, at }), viewer.userId) };
  }

  /** Counts of the desk's queues. `decided_today` begins at midnight UTC. An open desk asks often: this is its shift. */
  async numbers(viewer: Viewer): Promise<OutputOf<Endpoints["adminDesk"]>> {
    const { db, inspection } = this.#options;
    const at = this.#now();
    await noteOnShift(db, viewer, at);
    return { ...(await deskNumbers(db, viewer, at)), inspection: inspection() };
  }

  async #visible(viewer: Viewer, caseId: bigint, act: "read" | "claim"): Promise<CaseFacts> {
    const { db } = this.#options;
    const about = await caseFacts(db, caseId);
    if (!about) throw badInput("no such case", act === "read" ? "id" : "item");
    requireCaseAccess(viewer, about);
    if (about.queue === "restricted") await logRestricted(db, viewer.userId, { at: this.#now(), caseId, act });
    return about;
  }

  async #texts(pieces: readonly EvidenceRow[]): Promise<Pick<CaseDetail, "lines" | "message">> {
    const { evidence, mask } = this.#options;
    const lines: CaseDetail["lines"] = [];
    let message: CaseDetail["message"] = null;
    for (const piece of pieces) {
      if (piece.kind !== "lines") continue;
      const { message: isMessage, cover } = JSON.parse(piece.facts) as MessageFacts;
      if (isMessage) {
        const bytes = await evidence.bytesOf(piece);
        const covered = cover && { cover };
        if (bytes) message = { at: piece.at.getTime(), text: mask(bytes.toString("utf8")), ...covered };
      } else {
        for (const line of await evidence.linesOf(piece)) lines.push(shownLine(line, mask));
      }
    }
    return { lines: withoutRepeats(lines), message };
  }

  async #background({ id: caseId, subjectId }: CaseFacts): Promise<CaseDetail["background"]> {
    const photos = await this.#options.images.photosOf(subjectId);
    const known = await readBackground(this.#options.db, { caseId, subjectId });
    return { ...known, photos: photos.map(({ url }) => url) };
  }

  /** The reports of a case without their reporters. Contact data in the notes is masked. */
  async #reports(caseId: bigint, pieces: readonly EvidenceRow[]): Promise<CaseDetail["reports"]> {
    const { db, evidence, mask } = this.#options;
    const notes = new Map<bigint, string>();
    for (const piece of pieces) {
      if (piece.kind !== "note" || piece.report_id === null) continue;
      const bytes = await evidence.bytesOf(piece);
      if (bytes) notes.set(piece.report_id, mask(bytes.toString("utf8")));
    }
    const reports = await reportsOf(db, caseId);
    return reports.map(({ id, ...report }) => ({ ...report, note: notes.get(id) ?? "" }));
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

/** The case of this number, if the viewer may see it. */
export async function casesByNumber(
  db: Db,
  viewer: Viewer,
  { number, at }: { number: string; at: Date },
): Promise<CaseRow[]> {
  const caseId = caseIdOf(number, "text");
  const about = await caseFacts(db, caseId);
  if (!about || accessDenialOf(viewer, about) !== null) return [];
  if (about.queue === "restricted") await logRestricted(db, viewer.userId, { at, caseId, act: "list" });
  const row = await caseRow(db, viewer, { id: caseId, at });
  return row ? [row] : [];
}

/** @throws EndpointError 403 `own_case` if the viewer gave the first opinion or answered the appeal. */
function refuseFirst(viewer: Viewer, about: CaseFacts): void {
  if (about.state === "second" && hasDecidedBefore(about, viewer.userId)) throw forbidden("own_case");
}

export function caseIdOf(text: string, field: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw badInput("no such case", field);
  return BigInt(text);
}

interface MessageFacts {
  readonly message?: true;
  readonly cover?: TextCover["kind"];
}

/** Masks contact data, except in the original text of the reported user's own withheld lines. */
function shownLine({ withheld, ...line }: CaseLine, mask: (text: string) => string): CaseLine {
  const shown = { ...line, text: mask(line.text) };
  if (!withheld) return shown;
  const original = line.from === "person" ? withheld.original : mask(withheld.original);
  return { ...shown, withheld: { ...withheld, original } };
}

/** Several reports of one call contain the same lines, each with another line marked as reported; keeps these. */
function withoutRepeats(lines: CaseDetail["lines"]): CaseDetail["lines"] {
  const known = new Map<string, CaseLine>();
  for (const line of lines) {
    const key = `${line.at} ${line.from} ${line.withheld?.original ?? line.text}`;
    if (line.reported || !known.has(key)) known.set(key, line);
  }
  return [...known.values()].toSorted((one, other) => one.at - other.at);
}

function closedBecause(reader: Viewer, about: CaseFacts, { claim }: CaseRow): CaseDetail["closed_because"] {
  if (about.state === "decided") return "decided";
  if (about.state === "second" && hasDecidedBefore(about, reader.userId)) return "first_decider";
  return claim && !claim.mine ? "claimed" : null;
}

async function exists(db: Db, kind: string, id: string): Promise<boolean> {
  if (kind === "image") {
    return (await db.selectFrom("images").select("id").where("public_id", "=", id).executeTakeFirst()) !== undefined;
  }
  if (!/^\d{1,18}$/.test(id)) return false;
  return (await db.selectFrom("appeals").select("id").where("id", "=", BigInt(id)).executeTakeFirst()) !== undefined;
}

async function callOf(db: Db, { id, callId }: Pick<CaseFacts, "id" | "callId">): Promise<CaseDetail["call"]> {
  if (callId === null) return null;
  const call = await db
    .selectFrom("calls")
    .select(["matched_at", "ended_at"])
    .where("id", "=", callId)
    .executeTakeFirst();
  if (call) return { id: callId, at: call.matched_at.getTime(), live: call.ended_at === null };
  const { call_at } = await db.selectFrom("cases").select("call_at").where("id", "=", id).executeTakeFirstOrThrow();
  return call_at && { id: callId, at: call_at.getTime(), live: false };
}

async function readFacts(db: Db, caseId: bigint) {
  const row = await db
    .selectFrom("cases")
    .leftJoin("users", "users.id", "cases.decided_by")
    .select(["explicit", "model", "shadow", "asked_reason_id", "asked_note", "lapses_at", "decided_at", "nickname"])
    .select("estimated_age")
    .where("cases.id", "=", caseId)
    .executeTakeFirstOrThrow();
  const { asked_reason_id, lapses_at, decided_at } = row;
  const isAsked = asked_reason_id !== null && lapses_at !== null && decided_at !== null;
  const first: CaseDetail["first"] = isAsked
    ? {
        at: decided_at.getTime(),
        by: row.nickname ?? "",
        hours: 0,
        reason_id: asked_reason_id,
        note: row.asked_note,
        lapses_at: lapses_at.getTime(),
      }
    : null;
  const { explicit, model, shadow, estimated_age: estimatedAge } = row;
  return { explicit, model, shadow, estimatedAge, first };
}

async function reportsOf(db: Db, caseId: bigint) {
  const { rows } = await sql<{ id: bigint; at: Date; reason_id: number; judged: bigint; right: bigint }>`
    select id, at, reason_id, ${recordColumns(sql.ref("one.reporter_id"))}
    from reports as one where case_id = ${caseId} order by id limit ${reportsShownMax}`.execute(db);
  return rows.map(({ id, at, reason_id, judged, right }) => ({
    id,
    at: at.getTime(),
    reason_id: knownReportReason(reason_id),
    judged: Number(judged),
    right: Number(right),
  }));
}

/** Logs one reading per moderator, case and claim length, since an open page reloads the case repeatedly. */
async function logReading(db: Db, viewer: Viewer, { about, at }: { about: CaseFacts; at: Date }): Promise<void> {
  await sql`
    insert into audit_log (at, actor_id, kind, subject_id, case_id, detail)
    select ${at}, ${viewer.userId}, 'look', ${about.subjectId}, ${about.id}, '{"case":true}'
    where not exists (
      select from audit_log
      where actor_id = ${viewer.userId} and at > ${new Date(at.getTime() - claimMs)} and kind = 'look'
        and case_id = ${about.id} and detail = '{"case":true}'
    )`.execute(db);
}

async function deskNumbers(
  db: Kysely<Database>,
  viewer: Viewer,
  at: Date,
): Promise<Omit<OutputOf<Endpoints["adminDesk"]>, "inspection">> {
  const { rows } = await sql<{ decided_today: bigint }>`
    select count(*) as decided_today from audit_log
    where actor_id = ${viewer.userId} and at >= ${startOfDay(at)} and kind = any(${decisionKinds})`.execute(db);
  const { seconds, appeals } = await waitingFor(db, viewer);
  return {
    reports: await waitingCount(db, viewer, { queue: "reports", at }),
    avatars: await waitingCountOf(db, "avatar"),
    photos: await waitingCountOf(db, "photo"),
    appeals: seconds.length + appeals.length,
    texts: (await waitingQuestions(db, viewer)).waiting,
    notices: (await noticesFor(db, viewer, at)).length,
    restricted: viewer.role >= roles.administrator ? await waitingCount(db, viewer, { queue: "restricted", at }) : 0,
    decided_today: Number(rows[0]?.decided_today ?? 0n),
  };
}

type Moment = CaseDetail["moments"][number];

/** Two frames captured within this time show the same moment. */
const togetherMs = 1_000;
const phashShape = /^[0-9a-f]{16}$/;
/** Unrelated frames differ in about half of the 64 bits. */
const unrelatedBits = 32;

interface Frame {
  readonly publicId: string;
  readonly atMs: number;
  readonly phash: string | null;
  readonly explicit: number | null;
}

/** Groups frames by moment: the frame that the user's page sent, beside the one that the partner received. */
function momentsOf(rows: readonly EvidenceRow[]): Moment[] {
  const frames = (view: "own" | "received") =>
    rows.filter((row) => row.kind === "frame" && row.view === view && row.blob_key !== null).map(frameOf);
  const received = frames("received");
  const moments = frames("own").map((own) => momentOf(own, takeNearest(received, own.atMs)));
  for (const other of received) moments.push(momentOf(null, other));
  return moments.toSorted((one, other) => one.at - other.at);
}

/** Similarity of two frames, 0 to 1; null without a hash. */
export function agreementOf(one: string | null, other: string | null): number | null {
  if (one === null || other === null) return null;
  return Math.max(0, 1 - hashDistance(one, other) / unrelatedBits);
}

function momentOf(own: Frame | null, received: Frame | null): Moment {
  return {
    at: (own ?? received)?.atMs ?? 0,
    own: own?.publicId ?? null,
    received: received?.publicId ?? null,
    explicit: own?.explicit ?? null,
    agreement: own && received ? agreementOf(own.phash, received.phash) : null,
  };
}

function takeNearest(frames: Frame[], atMs: number): Frame | null {
  let nearest = -1;
  for (const [index, frame] of frames.entries()) {
    const distance = Math.abs(frame.atMs - atMs);
    const best = frames[nearest];
    if (distance <= togetherMs && (!best || distance < Math.abs(best.atMs - atMs))) nearest = index;
  }
  return nearest < 0 ? null : (frames.splice(nearest, 1)[0] ?? null);
}

function frameOf({ public_id, at, facts }: EvidenceRow): Frame {
  const { phash, explicit } = JSON.parse(facts) as { phash?: unknown; explicit?: unknown };
  return {
    publicId: public_id,
    atMs: at.getTime(),
    phash: typeof phash === "string" && phashShape.test(phash) ? phash : null,
    explicit: typeof explicit === "number" ? explicit : null,
  };
}

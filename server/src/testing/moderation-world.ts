import { pino } from "pino";
import type { BanNotice } from "@fava/wire/codes.ts";
import type { DeskPerson } from "@fava/wire/moderation.ts";
import type { roles } from "@fava/wire/people.ts";
import type { SignedInContext } from "#ports/handlers.ts";
import { CaseDesk } from "#moderation/case-desk.ts";
import { giveBack, takeClaim } from "#moderation/case-store.ts";
import { Decisions } from "#moderation/decisions.ts";
import { EvidenceDesk } from "#moderation/evidence-desk.ts";
import { moderationHandlers } from "#moderation/moderation-routes.ts";
import { type Enforced, ModerationService } from "#moderation/moderation-service.ts";
import { banNotice } from "#people/ban-notice.ts";
import { SessionKeys } from "#people/session-keys.ts";
import type { CaseSignal, EvidenceFrame, EvidenceLines } from "#ports/moderation.ts";
import { TestClock } from "./clock.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { memoryBlobs } from "./memory-blobs.ts";
import { MemoryBus } from "./memory-bus.ts";
import { seededRandom } from "./random.ts";

const serverSecret = "secret of the moderation tests, long enough";

type Role = (typeof roles)[keyof typeof roles];

/** What moderation had others do, in its order: `cut 5`, `notice 5`, `end 5`, `beans call-1 6`. */
export type Carried = string;

/** Cases over a database of their own, with people, calls and reports that the test makes up. */
export class ModerationWorld {
  readonly database: TestDatabase;
  readonly clock = new TestClock();
  readonly random = seededRandom(11);
  readonly bus = new MemoryBus(() => this.clock.monotonicMs());
  readonly blobs = new Map<string, Buffer>();
  readonly carried: Carried[] = [];
  /** Calls that go on: whoever is in one, with the other side. */
  readonly inCall = new Map<bigint, { callId: string; otherId: bigint }>();
  isLedgerDown = false;
  readonly serverSecret = serverSecret;
  readonly logger = pino({ level: "silent" });
  readonly enforced: Enforced;
  readonly moderation: ModerationService;
  readonly cases: ReturnType<typeof casesOver>;
  #made = 0;

  static async open(): Promise<ModerationWorld> {
    return new ModerationWorld(await createTestDatabase());
  }

  private constructor(database: TestDatabase) {
    this.database = database;
    this.enforced = {
      banNotice: (userId) => this.#notice(userId),
      endSessions: async (userId) => void this.carried.push(`end ${userId}`),
      cutCall: (userId) => {
        this.carried.push(`cut ${userId}`);
        return this.inCall.get(userId) ?? null;
      },
      returnBeans: async (callId, toUserId) => {
        if (this.isLedgerDown) throw new Error("the ledger does not answer");
        this.carried.push(`beans ${callId} ${toUserId}`);
      },
    };
    this.moderation = new ModerationService(this.parts);
    this.bus.listener = { arrived: (userId) => this.moderation.warnings.arrived(userId) };
    this.cases = casesOver({ ...this.parts, moderation: this.moderation });
  }

  get db() {
    return this.database.db;
  }

  /** What services of moderation are made from. */
  get parts() {
    const { db, clock, random, bus, logger, enforced } = this;
    return { db, clock, random, bus, logger, enforced, serverSecret, blobs: memoryBlobs(this.blobs) };
  }

  /** What upkeep works on. */
  get upkept() {
    const { evidence, owed } = this.moderation;
    return { evidence, owed };
  }

  /** A new person, a month old, on a device of their own. */
  async person(
    change: {
      nickname?: string;
      role?: Role;
      sex?: 0 | 1 | 2;
      device?: string;
      ageMs?: number;
      language?: string;
    } = {},
  ): Promise<bigint> {
    this.#made += 1;
    const { nickname = `person ${this.#made}`, role = 0, sex = 1, language = "en" } = change;
    const createdAt = new Date(this.clock.nowMs() - (change.ageMs ?? 30 * 86_400_000));
    const { id } = await this.db
      .insertInto("users")
      .values({
        user_no: String(30_000_000 + this.#made),
        external_id: `ext-${this.#made}`,
        nickname,
        sex,
        birthday: "2000-01-01",
        country_id: 18,
        role,
        avatar_key: "",
        language,
        created_at: createdAt,
        last_login_at: createdAt,
        last_login_ip: "",
        device_id: change.device ?? `device-${this.#made}`,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  }

  moderator(nickname?: string): Promise<bigint> {
    return this.person({ role: 2, ...(nickname !== undefined && { nickname }) });
  }

  administrator(nickname?: string): Promise<bigint> {
    return this.person({ role: 3, ...(nickname !== undefined && { nickname }) });
  }

  /** A call of the two that began a minute ago and is over. */
  async call(one: bigint, other: bigint): Promise<string> {
    this.#made += 1;
    const id = `call-${this.#made}`;
    const at = new Date(this.clock.nowMs() - 60_000);
    await this.db
      .insertInto("calls")
      .values({
        id,
        offerer_id: one,
        answerer_id: other,
        offerer_price: 0,
        answerer_price: 0,
        matched_at: at,
        connected_at: at,
        ended_at: new Date(this.clock.nowMs()),
        end_reason: "left",
      })
      .execute();
    return id;
  }

  /** The moderator works on an item from here on, unless somebody else does. */
  async claim(moderatorId: bigint, item: string): Promise<void> {
    await takeClaim(this.db, item, { moderatorId, at: this.#at() });
  }

  /** Does something with an item that the moderator works on meanwhile, as the desk does. */
  async withClaim<Result>(moderatorId: bigint, item: string, work: () => Promise<Result>): Promise<Result> {
    await this.claim(moderatorId, item);
    try {
      return await work();
    } finally {
      await giveBack(this.db, item, moderatorId);
    }
  }

  /** Somebody new reports the person; answers the case. */
  async reported(
    subjectId: bigint,
    { by, reasonId = 4 }: { by?: bigint; reasonId?: CaseSignal["reasonId"] } = {},
  ): Promise<bigint> {
    const reporter_id = by ?? (await this.person());
    const callId = await this.call(reporter_id, subjectId);
    const caseId = await this.moderation.report({ subjectId, reasonId, callId }, async (trx) => {
      const at = new Date(this.clock.nowMs());
      const row = { reporter_id, reported_id: subjectId, reason_id: reasonId, call_id: callId, message_id: null, at };
      return (await trx.insertInto("reports").values(row).returning("id").executeTakeFirstOrThrow()).id;
    });
    if (caseId === null) throw new Error("a report without a case");
    return caseId;
  }

  /** What software noticed about somebody in a call with somebody new. */
  async flag(subjectId: bigint, change: Partial<CaseSignal> = {}): Promise<CaseSignal> {
    const otherId = await this.person();
    return {
      subjectId,
      rule: "explicit_picture_sure",
      reasonId: 4,
      callId: await this.call(subjectId, otherId),
      evidence: [this.frame()],
      judgement: { explicit: 0.93, model: "marker 1", shadow: false, thresholds: { sure: 0.8 } },
      ...change,
    };
  }

  frame(change: Partial<EvidenceFrame> = {}): EvidenceFrame {
    const facts = { phash: "ffff0000ffff0000", explicit: 0.93 };
    return { kind: "frame", view: "own", at: this.#at(), bytes: Buffer.from("jpeg bytes"), facts, ...change };
  }

  lines(...texts: string[]): EvidenceLines {
    const at = this.#at();
    return { kind: "lines", at, lines: texts.map((text) => ({ at: at.getTime(), from: "person", text })) };
  }

  /** The case with all that it holds. */
  caseRow(caseId: bigint) {
    return this.db.selectFrom("cases").selectAll().where("id", "=", caseId).executeTakeFirstOrThrow();
  }

  /** The case that waits about somebody. */
  async caseOf(subjectId: bigint): Promise<bigint | undefined> {
    const row = await this.db
      .selectFrom("cases")
      .select("id")
      .where("subject_id", "=", subjectId)
      .where("state", "<>", "decided")
      .executeTakeFirst();
    return row?.id;
  }

  bansOf(userId: bigint) {
    return this.db.selectFrom("bans").selectAll().where("user_id", "=", userId).orderBy("id").execute();
  }

  strikesOf(userId: bigint) {
    return this.db.selectFrom("strikes").selectAll().where("user_id", "=", userId).orderBy("id").execute();
  }

  /** Kinds of what was written down about somebody, the oldest first. */
  async auditOf(subjectId: bigint): Promise<string[]> {
    const rows = await this.db
      .selectFrom("audit_log")
      .select("kind")
      .where("subject_id", "=", subjectId)
      .orderBy("id")
      .execute();
    return rows.map(({ kind }) => kind);
  }

  /** The context of somebody's calls, with the role that the database has. */
  async contextOf(userId: bigint, language = "en"): Promise<SignedInContext> {
    const { role } = await this.db
      .selectFrom("users")
      .select("role")
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    const session = { id: `s${userId}`, userId, externalId: `ext-${userId}`, role, profileComplete: true };
    return { session, ip: "127.0.0.1", userAgent: "test", language };
  }

  /** What was carried out since the last look. */
  tookCarried(): Carried[] {
    return this.carried.splice(0);
  }

  /** Somebody at the desk, as its services know them. */
  async viewer(userId: bigint) {
    const { session, language } = await this.contextOf(userId);
    return { userId, role: session.role, language };
  }

  async #notice(userId: bigint): Promise<BanNotice | null> {
    this.carried.push(`notice ${userId}`);
    return banNotice(this.db, userId, { keys: new SessionKeys(serverSecret), at: this.#at() });
  }

  #at(): Date {
    return new Date(this.clock.nowMs());
  }
}

/** The desk's part of cases, as the product puts it together. */
function casesOver(parts: ModerationWorld["parts"] & { moderation: ModerationService }) {
  const { evidence } = parts.moderation;
  const desk = new CaseDesk({
    ...parts,
    evidence,
    person: async (_reader, userId) => deskPerson(userId),
    requireAppeal: async () => undefined,
    mask: (text) => text.replaceAll(/\d/g, "*"),
    inspection: () => "on",
  });
  const decisions = new Decisions(parts);
  const looks = new EvidenceDesk({ ...parts, evidence });
  return { desk, decisions, looks, handlers: moderationHandlers({ desk, decisions, looks }) };
}

/** The panel of a person in a world without one: nothing but the id is true. */
function deskPerson(userId: bigint): DeskPerson {
  return {
    user_id: Number(userId),
    user_no: "",
    nickname: "",
    avatar: "",
    sex: 0,
    age: null,
    country_name: "",
    country_flag: "",
    language: "en",
    role: 0,
    about: "",
    location: "",
    joined_at: 0,
    calls_7d: 0,
    skipped_share: null,
    strikes: [],
    next_hours: 24,
    ban: null,
    labels: [],
    same: [],
    earlier: [],
    images: [],
  };
}

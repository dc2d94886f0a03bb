import type { Kysely, Transaction } from "kysely";
import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { noticePicturesMax } from "@fava/wire/limits.ts";
import { type DeskFace, nudityReasonId } from "@fava/wire/moderation.ts";
import { type NoticeKind, noticeOperations } from "@fava/wire/notices.ts";
import type { MailOutbox } from "#db/mail-outbox.ts";
import type { Database } from "#db/schema.ts";
import { addressGroup } from "#lib/address-group.ts";
import { avatarAddress } from "#lib/avatar-address.ts";
import { badInput, refused } from "#lib/errors.ts";
import { Seal } from "#lib/seal.ts";
import { visibleText } from "#lib/visible-text.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import type { ImageService } from "#people/image-service.ts";
import type { Clock } from "#ports/clock.ts";
import type { MailFacts } from "#ports/mails.ts";
import type { Random } from "#ports/random.ts";
import { logRestricted, writeAudit } from "./audit.ts";
import { accessDenialOf, requireCaseAccess, type Viewer } from "./ban-policy.ts";
import { claimsOn, claimView, lockSubject, openOrJoin, releaseClaim, requireClaim } from "./case-store.ts";
import * as store from "./notice-store.ts";
import type { NoticeRecord } from "./notice-store.ts";
import { copiesOf, keyInAddress } from "./noticed-images.ts";
import { enqueueNotices } from "./outbox-service.ts";

export interface NoticeServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  serverSecret: ServerSecret;
  mails: Pick<MailOutbox, "add">;
  images: Pick<ImageService, "addresses" | "bytes" | "removeNoticed">;
  profileChanged: (userId: bigint) => void;
  /** The restrictions of a user have changed. */
  changed: (userId: bigint) => void;
}

type Written = Omit<ParsedInputOf<Endpoints["noticeAdd"]>, "user_id" | "language" | "good_faith">;
type Status = OutputOf<Endpoints["noticeStatus"]>;
type Detail = OutputOf<Endpoints["adminNotice"]>;
type Operate = Pick<ParsedInputOf<Endpoints["adminNoticeOperate"]>, "operation" | "pictures" | "text">;

/** What is encrypted of a notice. */
interface Sealed extends Omit<Written, "kind" | "hash"> {
  readonly answers: { question: string; text: string }[];
  /** Of the mail with the decision. */
  readonly language: string;
}

const tokenShape = /^(\d{1,18})\.([\w-]{43})$/;

/** Open notices that the viewer may see. The desk's list and its count both use this. */
export async function noticesFor(db: Kysely<Database>, viewer: Viewer, at: Date): Promise<NoticeRecord[]> {
  const rows = await store.openNotices(db, viewer, at);
  return rows.filter(
    ({ kind, subject_id, role }) =>
      accessDenialOf(viewer, {
        subjectId: subject_id ?? 0n,
        subjectRole: role ?? 0,
        queue: store.queueOfNotice(kind),
      }) === null,
  );
}

/**
 * Notices about content by anybody, without an account (rules NOTICE-1, NOTICE-2, NOTICE-3, NOTICE-4). A picture named by its address is
 * hidden at once. A hash only shows likely copies to a moderator: it hides and removes nothing.
 */
export class NoticeService {
  readonly #options: NoticeServiceOptions;
  readonly #seal: Seal;

  constructor(options: NoticeServiceOptions) {
    this.#options = options;
    this.#seal = new Seal({ ...options, purpose: "notice/v1" });
  }

  /**
   * Stores a notice, or finds the same one.
   * @throws EndpointError 400 with the field for a missing name or address; 406 `invisible_text`.
   */
  async add(
    written: Written,
    { ip, language }: { ip: string; language: string },
  ): Promise<{ no: string; token: string }> {
    const { db, profileChanged, serverSecret } = this.#options;
    const at = this.#now();
    const { kind, hash, ...rest } = written;
    const words = { ...rest, text: visibleText(written.text.trim(), "text"), signature: written.signature.trim() };
    if (kind !== "minor") visibleText(words.signature, "signature");
    if (kind !== "minor" && words.email === "") throw badInput("missing address for the answer", "email");
    const isAnonymous = words.signature === "" && words.email === "";
    // Two strangers may send the same short anonymous notice, and must not see each other's answers.
    const same = JSON.stringify([kind, hash, words, isAnonymous ? addressGroup(ip) : ""]);
    const same_as = serverSecret.mac(macText("same", same)).toString("hex");
    const sameAs = serverSecret.storedMacs(macText("same", same)).map((mac) => mac.toString("hex"));
    const hidden: bigint[] = [];
    const id = await db.transaction().execute(async (trx) => {
      const known = () => trx.selectFrom("notices").select("id").where("same_as", "in", sameAs).executeTakeFirst();
      const earlier = await known();
      if (earlier) return earlier.id;
      const sealed = this.#sealed(same_as, { ...words, answers: [], language });
      const added = await trx
        .insertInto("notices")
        .values({ kind, same_as, sealed, phash: hash || null, at, due_at: store.noticeDueAt(kind, at) })
        .onConflict((conflict) => conflict.column("same_as").doNothing())
        .returning("id")
        .executeTakeFirst();
      if (!added) {
        const concurrent = await known();
        if (!concurrent) throw new Error("a notice was neither stored nor found");
        return concurrent.id;
      }
      const key = keyInAddress(words.picture);
      const pictures = key === null ? [] : await store.linkPictures(trx, added.id, { key, at });
      hidden.push(...pictures.map(({ user_id }) => user_id));
      const subject_id = (await accountOf(trx, words.account)) ?? pictures[0]?.user_id ?? null;
      await trx.updateTable("notices").set({ subject_id }).where("id", "=", added.id).execute();
      return added.id;
    });
    for (const userId of new Set(hidden)) profileChanged(userId);
    return { no: numberOf(id), token: this.#tokenOf(id) };
  }

  /** @throws EndpointError 400 for an invalid token. */
  async status(token: string): Promise<Status> {
    const { db } = this.#options;
    const notice = await store.noticeById(db, this.#idOf(token));
    if (!notice) throw badInput("no such notice", "token");
    return {
      no: numberOf(notice.id),
      kind: notice.kind,
      state: notice.state,
      at: notice.at.getTime(),
      due_at: notice.due_at.getTime(),
      is_hidden: await store.isHiding(db, notice.id),
      question: notice.question,
      decided_at: notice.decided_at?.getTime() ?? null,
      reason: notice.reason,
    };
  }

  /** @throws EndpointError 400 for an invalid token; 406 `already_decided` unless a question is open. */
  async answer(token: string, written: string): Promise<Status> {
    const text = visibleText(written.trim(), "text");
    const id = this.#idOf(token);
    await this.#options.db.transaction().execute(async (trx) => {
      const notice = await locked(trx, id);
      const words = notice && this.#opened(notice);
      if (!notice || notice.state !== "asked" || !words || notice.same_as === null) throw refused("already_decided");
      const answers = [...words.answers, { question: notice.question, text }];
      const sealed = this.#sealed(notice.same_as, { ...words, answers });
      await trx.updateTable("notices").set({ state: "received", question: "", sealed }).where("id", "=", id).execute();
    });
    return this.status(token);
  }

  async list(viewer: Viewer): Promise<OutputOf<Endpoints["adminNoticeList"]>> {
    const { db } = this.#options;
    const at = this.#now();
    const notices = await noticesFor(db, viewer, at);
    const claims = await claimsOn(
      db,
      notices.map(({ id }) => `notice:${id}`),
      at,
    );
    if (notices.some(({ kind }) => kind === "minor"))
      await logRestricted(db, viewer.userId, { at, caseId: null, act: "list" });
    return {
      rows: notices.map((notice) => rowOf(notice, claimView(claims.get(`notice:${notice.id}`), viewer.userId))),
      waiting: notices.length,
    };
  }

  /** @throws EndpointError 400 for an unknown notice; 403 `role`, `colleague` or `own_case`. */
  async info(viewer: Viewer, id: string): Promise<Detail> {
    const { db } = this.#options;
    const at = this.#now();
    const notice = await this.#visible(db, viewer, id);
    if (notice.kind === "minor") await logRestricted(db, viewer.userId, { at, caseId: null, act: "read" });
    const claims = await claimsOn(db, [`notice:${notice.id}`], at);
    const claim = claimView(claims.get(`notice:${notice.id}`), viewer.userId);
    const words = this.#opened(notice);
    return {
      ...rowOf(notice, claim),
      written: words && writtenIn(words),
      question: notice.question,
      pictures: (await this.#pictures(db, notice)).map(({ picture, isNamed, distance }) => ({
        id: picture.public_id,
        url: this.#options.images.addresses.signed(picture.blob_key),
        person: faceOf({ ...picture, id: picture.user_id }),
        is_named: isNamed,
        is_hidden: picture.hidden_at !== null,
        distance,
      })),
      closed_because: notice.decided_at !== null ? "decided" : claim && !claim.mine ? "claimed" : null,
    };
  }

  /**
   * Decides a notice once, or asks its sender a question. Upholding removes the chosen pictures, keeps them from being
   * uploaded again, opens a case about each owner and the named account, and notifies the owners.
   * @throws EndpointError 400 for an unknown notice, or a picture that is neither named nor a likely copy; 403 as
   * `info`, `not_claimed` or `claimed`; 406 `already_decided`.
   */
  async operate(viewer: Viewer, id: string, { operation, pictures, text }: Operate): Promise<void> {
    const { db, images, profileChanged, changed } = this.#options;
    const at = this.#now();
    const reason = visibleText(text.trim(), "text");
    const about = await this.#visible(db, viewer, id);
    const chosen = pictures === "" ? [] : pictures.split(",");
    const touched = await db.transaction().execute(async (trx) => {
      const notice = await locked(trx, about.id);
      if (!notice || notice.decided_at !== null) throw refused("already_decided");
      await requireClaim(trx, `notice:${notice.id}`, { moderatorId: viewer.userId, at });
      if (notice.kind === "minor") await logRestricted(trx, viewer.userId, { at, caseId: null, act: "decide" });
      const isAsked = operation === noticeOperations.ask;
      // Moderators read a person's entries: a notice about a suspected minor is for administrators.
      const subjectId = notice.kind === "minor" ? null : notice.subject_id;
      const entry = { at, actorId: viewer.userId, subjectId, kind: "notice" as const, note: isAsked ? "" : reason };
      await writeAudit(trx, { ...entry, detail: { notice: notice.id, operation, pictures: chosen } });
      if (isAsked) {
        await trx
          .updateTable("notices")
          .set({ state: "asked", question: reason })
          .where("id", "=", notice.id)
          .execute();
        await releaseClaim(trx, `notice:${notice.id}`, viewer.userId);
        return { owners: [], shown: [], subjects: [] };
      }
      const isUpheld = operation === noticeOperations.uphold;
      const upheld = isUpheld ? await this.#uphold(trx, notice, { chosen, viewer, at }) : { owners: [], subjects: [] };
      const state: MailFacts["notice"]["outcome"] = isUpheld ? "upheld" : "unfounded";
      const decision = { state, reason, question: "", decided_at: at, decided_by: viewer.userId };
      await trx.updateTable("notices").set(decision).where("id", "=", notice.id).execute();
      await this.#mailDecision(trx, notice, { outcome: state, reason });
      const shown = await store.showPictures(trx, notice.id);
      await releaseClaim(trx, `notice:${notice.id}`, viewer.userId);
      return { ...upheld, shown };
    });
    for (const userId of touched.owners) await images.bytes.clear(userId);
    for (const userId of new Set([...touched.owners, ...touched.shown])) profileChanged(userId);
    for (const userId of touched.subjects) changed(userId);
  }

  /** To the address in the notice. Its sender may have no account (rule NOTICE-3). */
  async #mailDecision(
    trx: Transaction<Database>,
    notice: NoticeRecord,
    decision: Pick<MailFacts["notice"], "outcome" | "reason">,
  ): Promise<void> {
    const { email: to = "", language = "en" } = this.#opened(notice) ?? {};
    if (to === "") return;
    const facts = { ...decision, no: numberOf(notice.id), link: `/notice#${this.#tokenOf(notice.id)}` };
    const mail = { template: "notice", matter: `notice:${notice.id}`, facts, userId: null } as const;
    await this.#options.mails.add(trx, { ...mail, to, language });
  }

  async #uphold(
    trx: Transaction<Database>,
    notice: NoticeRecord,
    { chosen, viewer, at }: { chosen: readonly string[]; viewer: Viewer; at: Date },
  ): Promise<{ owners: bigint[]; subjects: bigint[] }> {
    const { images } = this.#options;
    const candidates = await this.#pictures(trx, notice);
    const removed = chosen.map((publicId) => {
      const found = candidates.find(({ picture }) => picture.public_id === publicId);
      if (!found) throw badInput("no such picture", "pictures");
      const { user_id, role } = found.picture;
      requireCaseAccess(viewer, { subjectId: user_id, subjectRole: role, queue: store.queueOfNotice(notice.kind) });
      return found.picture;
    });
    const owners = [...new Set(removed.map(({ user_id }) => user_id))].toSorted(ascending);
    const { subject_id } = notice;
    const subjects = [...new Set([...owners, ...(subject_id === null ? [] : [subject_id])])].toSorted(ascending);
    const reasonId = store.noticeReasons[notice.kind];
    for (const subjectId of subjects) {
      await lockSubject(trx, subjectId);
      const signal = { subjectId, rule: "notice", reasonId, callId: null, evidence: [] } as const;
      const { caseId } = await openOrJoin(trx, signal, at);
      const detail = { rule: "notice", notice: notice.id };
      await writeAudit(trx, { at, actorId: null, kind: "flag", subjectId, caseId, reasonId, detail });
    }
    for (const owner of owners) {
      const ids = removed.filter(({ user_id }) => user_id === owner).map(({ id }) => id);
      await images.removeNoticed(trx, owner, { ids, reasonId: pictureReasonOf(notice.kind) });
    }
    await enqueueNotices(
      trx,
      owners.map((userId) => ({ userId, kind: "notice", about: notice.id })),
      at,
    );
    return { owners, subjects };
  }

  /** The named pictures, then likely copies of these and of the sent hash among all stored pictures. */
  async #pictures(db: Kysely<Database>, notice: NoticeRecord) {
    if (notice.decided_at !== null) return [];
    const named = await store.namedPictures(db, notice.id);
    const namedPictures = await store.picturesOf(db, [...named]);
    const hashes = [notice.phash, ...namedPictures.map(({ phash }) => phash)].filter((hash) => hash !== null);
    const copies = (await copiesOf(db, hashes)).filter(({ id }) => !named.has(id));
    const copyPictures = await store.picturesOf(
      db,
      copies.map(({ id }) => id),
    );
    const distances = new Map(copies.map(({ id, distance }) => [id, distance]));
    return [
      ...namedPictures.map((picture) => ({ picture, isNamed: true, distance: null })),
      ...copyPictures
        .map((picture) => ({ picture, isNamed: false, distance: distances.get(picture.id) ?? null }))
        .toSorted((one, other) => (one.distance ?? 0) - (other.distance ?? 0)),
    ].slice(0, noticePicturesMax);
  }

  async #visible(db: Kysely<Database>, viewer: Viewer, id: string): Promise<NoticeRecord> {
    const notice = /^\d{1,18}$/.test(id) ? await store.noticeById(db, BigInt(id)) : undefined;
    if (!notice) throw badInput("no such notice", "id");
    store.requireNoticeAccess(viewer, notice);
    return notice;
  }

  #sealed(sameAs: string, words: Sealed): Buffer {
    return this.#seal.seal(sameAs, Buffer.from(JSON.stringify(words), "utf8"));
  }

  #opened({ same_as, sealed }: Pick<NoticeRecord, "same_as" | "sealed">): Sealed | null {
    if (same_as === null || sealed === null) return null;
    return JSON.parse(this.#seal.open(same_as, sealed).toString("utf8")) as Sealed;
  }

  #tokenOf(id: bigint): string {
    return `${id}.${this.#options.serverSecret.mac(macText("token", String(id))).toString("base64url")}`;
  }

  /** @throws EndpointError 400 for an invalid token. */
  #idOf(token: string): bigint {
    const [, id, mac] = tokenShape.exec(token) ?? [];
    if (id === undefined || mac === undefined) throw badInput("no such notice", "token");
    if (!this.#options.serverSecret.isMacOf(macText("token", id), Buffer.from(mac, "base64url"))) {
      throw badInput("no such notice", "token");
    }
    return BigInt(id);
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

/** "Someone else's picture" for rights of others, nudity otherwise. */
const othersPictureId = 4;

function pictureReasonOf(kind: NoticeKind): number {
  return kind === "rights" || kind === "illegal" ? othersPictureId : nudityReasonId;
}

function ascending(one: bigint, other: bigint): number {
  return one < other ? -1 : Number(one > other);
}

function writtenIn(words: Sealed): NonNullable<Detail["written"]> {
  const { text, account, name, seen, picture, signature, email, answers } = words;
  return { text, account, name, seen, picture, signature, email, answers };
}

function numberOf(id: bigint): string {
  return `N-${id}`;
}

async function locked(trx: Transaction<Database>, id: bigint): Promise<NoticeRecord | undefined> {
  await trx.selectFrom("notices").select("id").where("id", "=", id).forUpdate().execute();
  return store.noticeById(trx, id);
}

async function accountOf(trx: Transaction<Database>, number: string): Promise<bigint | null> {
  if (number === "") return null;
  const user = await trx
    .selectFrom("users")
    .select("id")
    .where("user_no", "=", number)
    .where("official", "=", false)
    .executeTakeFirst();
  return user?.id ?? null;
}

function rowOf(
  notice: NoticeRecord,
  claim: Detail["claim"],
): Omit<Detail, "written" | "question" | "pictures" | "closed_because"> {
  const { subject_id, user_no, nickname, avatar_key } = notice;
  const isKnown = subject_id !== null && user_no !== null && nickname !== null;
  return {
    id: String(notice.id),
    no: numberOf(notice.id),
    kind: notice.kind,
    state: notice.state,
    at: notice.at.getTime(),
    due_at: notice.due_at.getTime(),
    person: isKnown ? faceOf({ id: subject_id, user_no, nickname, avatar_key: avatar_key ?? "" }) : null,
    claim,
  };
}

function faceOf(row: { id: bigint; user_no: string; nickname: string; avatar_key: string }): DeskFace {
  return {
    user_id: Number(row.id),
    user_no: row.user_no,
    nickname: row.nickname,
    avatar: avatarAddress(row.avatar_key),
  };
}

function macText(purpose: "token" | "same", text: string): string {
  return `notice-${purpose}/v1\0${text}`;
}

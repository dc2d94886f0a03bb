import type { Kysely } from "kysely";
import { ageOn } from "@fava/wire/age.ts";
import {
  type BanHours,
  type CaseRow,
  type DeskFace,
  type DeskPerson,
  labelIds,
  nudityReasonId,
  type resettable,
} from "@fava/wire/moderation.ts";
import { roles, type Sex } from "@fava/wire/people.ts";
import { knownBanReason } from "@fava/wire/reasons.ts";
import type { Database } from "#db/schema.ts";
import { avatarAddress } from "#lib/avatar-address.ts";
import { countryName } from "#lib/country-name.ts";
import { badInput, forbidden } from "#lib/errors.ts";
import { flagAddress } from "#people/country-service.ts";
import type { ProfileService } from "#people/profile-service.ts";
import type { Clock } from "#ports/clock.ts";
import { type Moderation, reasonOfRule } from "#ports/moderation.ts";
import { type AuditKind, writeAudit } from "./audit.ts";
import { nextHours, type Viewer } from "./ban-policy.ts";
import { casesByNumber } from "./case-service.ts";
import * as store from "./person-store.ts";
import { changeRole } from "./role-change.ts";

export interface DeskServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  images: Images;
  profileChanged: (userId: bigint) => void;
  refreshSession: (userId: bigint) => void;
  moderation: Pick<Moderation, "open">;
  profiles: Pick<ProfileService, "liftAgeRefusal">;
}

export interface DeskViewer extends Viewer {
  readonly language: string;
}

type Person = NonNullable<Awaited<ReturnType<typeof store.personById>>>;

/** The share of short calls is shown only from this many calls on. */
const callsForShareMin = 10;

/** What moderators see of a user, and what they can do besides deciding cases. */
export class DeskService {
  readonly #options: DeskServiceOptions;

  constructor(options: DeskServiceOptions) {
    this.#options = options;
  }

  /**
   * What a moderator sees of a user, without network addresses and reporters.
   * @throws EndpointError 400 for an unknown user and the official account; 403 `own_case` or `colleague` if a
   * moderator reads a member of the desk (rule DESK-9).
   */
  async person(viewer: DeskViewer, userId: bigint): Promise<DeskPerson> {
    const { db, clock } = this.#options;
    const nowMs = clock.nowMs();
    const now = new Date(nowMs);
    const person = await this.#readable(viewer, userId);
    const [calls, strikes, ban, labels, same, earlier, images] = await Promise.all([
      store.callsOf(db, userId, nowMs),
      store.strikesOf(db, userId, now),
      store.banOf(db, userId, now),
      store.labelsOf(db, userId),
      this.#linkedAccounts(userId),
      store.earlierDecisionsOf(db, userId, viewer),
      store.imagesOf(db, userId),
    ]);
    return {
      ...face(person),
      sex: person.sex as Sex,
      age: person.birthday === null ? null : ageOn(person.birthday, nowMs),
      country_name: countryName(person.country_id, viewer.language),
      country_flag: flagAddress(person.country_id),
      language: person.language,
      role: person.role,
      about: person.about,
      location: person.location,
      joined_at: person.created_at.getTime(),
      calls_7d: calls.calls,
      skipped_share: calls.calls < callsForShareMin ? null : calls.skipped / calls.calls,
      strikes: strikes.map((strike) => ({
        at: strike.at.getTime(),
        expires_at: strike.expires_at.getTime(),
        reason_id: knownBanReason(strike.reason_id),
      })),
      next_hours: nextHours(strikes.length) satisfies BanHours,
      ban: ban
        ? { until: ban.until?.getTime() ?? null, reason_id: ban.reason_id, is_provisional: ban.is_provisional }
        : null,
      labels: knownLabels(labels),
      same,
      earlier: earlier.map((row) => ({
        at: row.at.getTime(),
        kind: row.kind,
        reason_id: row.reason_id,
        by: row.nickname,
        note: row.note,
      })),
      images: images.flatMap(({ public_id, kind, status }) =>
        kind === "avatar" || kind === "photo" ? [{ id: public_id, kind, status }] : [],
      ),
    };
  }

  /**
   * Accounts with the same address or device, or with a similar profile.
   * @throws EndpointError as `person`.
   */
  async linkedAccounts(viewer: Viewer, userId: bigint, by: LinkedBy = "traces"): Promise<DeskPerson["same"]> {
    await this.#readable(viewer, userId);
    return this.#linkedAccounts(userId, by);
  }

  async #linkedAccounts(userId: bigint, by: LinkedBy = "traces"): Promise<DeskPerson["same"]> {
    const { db } = this.#options;
    const find = by === "traces" ? store.linkedAccounts : store.similarAccounts;
    const rows = await find(db, userId, this.#now());
    return rows.map((row) => ({
      ...face(row),
      what: row.what,
      is_banned: row.is_banned,
      seen_at: row.seen_at.getTime(),
      open_case: row.open_case === null ? null : String(row.open_case),
    }));
  }

  /** Users by number or nickname prefix, and cases by `R-20418`. */
  async find(viewer: DeskViewer, text: string): Promise<{ people: DeskFace[]; cases: CaseRow[] }> {
    const number = /^r-?(\d{1,15})$/i.exec(text.trim())?.[1];
    const { db } = this.#options;
    if (number !== undefined)
      return { people: [], cases: await casesByNumber(db, viewer, { number, at: this.#now() }) };
    const people = await store.findUsers(db, text);
    return { people: people.map(face), cases: [] };
  }

  /**
   * 1 marks the two accounts as unrelated; 2 opens a case about the linked one.
   * @throws EndpointError 400 if they are not linked.
   */
  async judgeLink(
    viewer: DeskViewer,
    { userId, linkedId, operation }: { userId: bigint; linkedId: bigint; operation: 1 | 2 },
  ): Promise<void> {
    const { db, moderation } = this.#options;
    await this.#mayAct(viewer, linkedId);
    const isLinked = async (by: LinkedBy) =>
      (await this.linkedAccounts(viewer, userId, by)).some(({ user_id }) => user_id === Number(linkedId));
    if (!((await isLinked("traces")) || (await isLinked("profile"))))
      throw badInput("the accounts are not linked", "linked_id");
    if (operation === 2) {
      const caseId = await moderation.open({
        subjectId: linkedId,
        rule: "cluster",
        reasonId: reasonOfRule.cluster,
        callId: null,
        evidence: [],
      });
      await this.#log(viewer, linkedId, { kind: "open_linked", detail: { with: userId, caseId } });
      return;
    }
    const [low_id, high_id] = userId < linkedId ? [userId, linkedId] : [linkedId, userId];
    await db
      .insertInto("unrelated_accounts")
      .values({ low_id, high_id, by_id: viewer.userId, at: this.#now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await this.#log(viewer, userId, { kind: "unrelated", detail: { with: linkedId } });
  }

  async label(
    viewer: DeskViewer,
    userId: bigint,
    { labelId, on }: { labelId: number; on: boolean },
  ): Promise<DeskPerson["labels"]> {
    const { db } = this.#options;
    await this.#mayAct(viewer, userId);
    const changed = on
      ? await db
          .insertInto("person_labels")
          .values({ user_id: userId, label_id: labelId, by_id: viewer.userId, at: this.#now() })
          .onConflict((conflict) => conflict.doNothing())
          .returning("label_id")
          .execute()
      : await db
          .deleteFrom("person_labels")
          .where("user_id", "=", userId)
          .where("label_id", "=", labelId)
          .returning("label_id")
          .execute();
    if (changed.length > 0) await this.#log(viewer, userId, { kind: on ? "label" : "unlabel", detail: { labelId } });
    return knownLabels(await store.labelsOf(db, userId));
  }

  /**
   * Empties a field of the profile. Only administrators may clear birthday and gender; clearing the birthday also lifts
   * a refusal for age (rule DESK-6).
   * @throws EndpointError 403 `role`, `own_case`, `colleague`.
   */
  async reset(viewer: DeskViewer, userId: bigint, { field, note }: { field: Field; note: string }): Promise<void> {
    const person = await this.#mayAct(viewer, userId);
    const isFact = field === "birthday" || field === "sex";
    if (isFact && viewer.role < roles.administrator) throw forbidden("role");
    // The log omits the old value, which may have to disappear. The entry precedes the removal of an avatar, so that a
    // simultaneous sign-in does not import the picture again.
    await this.#log(viewer, userId, { kind: "reset", note, detail: { field } });
    const { db, images, profiles } = this.#options;
    if (field === "avatar") await images.removeAvatar(userId);
    else
      await db.transaction().execute(async (trx) => {
        await trx.updateTable("users").set(emptied(person, field)).where("id", "=", userId).execute();
        if (field === "birthday") await profiles.liftAgeRefusal(trx, userId);
      });
    if (isFact) this.#options.refreshSession(userId);
    this.#options.profileChanged(userId);
  }

  /**
   * Removes a picture. The user cannot upload one removed for nudity again.
   * @throws EndpointError 400 for a picture that is not this user's.
   */
  async deleteImage(
    viewer: DeskViewer,
    userId: bigint,
    { id, reasonId }: { id: string; reasonId: number | null },
  ): Promise<void> {
    await this.#mayAct(viewer, userId);
    const { db, images } = this.#options;
    const image = (await store.imagesOf(db, userId)).find(({ public_id }) => public_id === id);
    if (!image) throw badInput("no such picture", "id");
    await this.#log(viewer, userId, { kind: "image_delete", reasonId, detail: { image: id } });
    if (reasonId === nudityReasonId) await images.barUploads(userId, { publicId: id, reasonId });
    if (image.kind === "avatar" && image.status === "approved") await images.removeAvatar(userId);
    else await images.remove(userId, id);
    this.#options.profileChanged(userId);
  }

  async deleteImages(viewer: DeskViewer, userId: bigint, reasonId: number | null): Promise<void> {
    await this.#mayAct(viewer, userId);
    const { images } = this.#options;
    await this.#log(viewer, userId, { kind: "images_delete", reasonId });
    if (reasonId === nudityReasonId) await images.barUploads(userId, { reasonId });
    await images.removeAll(userId);
    this.#options.profileChanged(userId);
  }

  /**
   * Applies from the user's next request on (rule DESK-8).
   * @throws EndpointError 403 `own_case`, since one administrator must remain; 403 `role` if the viewer has just lost
   * the role. So one of two who demote each other at once stays.
   */
  async setRole(viewer: DeskViewer, userId: bigint, role: 0 | 2 | 3): Promise<void> {
    await this.#known(userId);
    if (userId === viewer.userId) throw forbidden("own_case");
    await this.#options.db.transaction().execute(async (trx) => {
      const locked = await trx
        .selectFrom("users")
        .select(["id", "role"])
        .where("id", "in", [viewer.userId, userId])
        .orderBy("id")
        .forUpdate()
        .execute();
      const roleOf = (id: bigint) => locked.find((user) => user.id === id)?.role ?? 0;
      if (roleOf(viewer.userId) < roles.administrator) throw forbidden("role");
      const change = { actorId: viewer.userId, subjectId: userId, before: roleOf(userId), after: role };
      await changeRole(trx, { ...change, at: this.#now() });
    });
    this.#options.refreshSession(userId);
    this.#options.profileChanged(userId);
  }

  async note(viewer: DeskViewer, userId: bigint, text: string): Promise<void> {
    await this.#mayAct(viewer, userId);
    await this.#log(viewer, userId, { kind: "note", note: text });
  }

  /** Rejects actions on oneself, and a moderator's on a colleague (rule DESK-7). */
  async #mayAct(viewer: DeskViewer, userId: bigint): Promise<Person> {
    const person = await this.#known(userId);
    if (userId === viewer.userId) throw forbidden("own_case");
    if (person.role >= roles.moderator && viewer.role < roles.administrator) throw forbidden("colleague");
    return person;
  }

  async #readable(viewer: Viewer, userId: bigint): Promise<Person> {
    const person = await this.#known(userId);
    if (person.role < roles.moderator || viewer.role >= roles.administrator) return person;
    throw forbidden(userId === viewer.userId ? "own_case" : "colleague");
  }

  async #known(userId: bigint): Promise<Person> {
    const person = await store.personById(this.#options.db, userId);
    if (!person) throw badInput("no such person", "other_id");
    return person;
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }

  #log(
    viewer: DeskViewer,
    subjectId: bigint,
    entry: { kind: AuditKind; reasonId?: number | null; note?: string; detail?: object },
  ): Promise<void> {
    return writeAudit(this.#options.db, { at: this.#now(), actorId: viewer.userId, subjectId, ...entry });
  }
}

function face(row: { id: bigint; user_no: string; nickname: string; avatar_key: string }): DeskFace {
  return {
    user_id: Number(row.id),
    user_no: row.user_no,
    nickname: row.nickname,
    avatar: avatarAddress(row.avatar_key),
  };
}

function knownLabels(ids: readonly number[]): DeskPerson["labels"] {
  return labelIds.filter((id) => ids.includes(id));
}

type LinkedBy = "traces" | "profile";

interface Images {
  removeAvatar(userId: bigint): Promise<void>;
  remove(userId: bigint, publicId: string): Promise<unknown>;
  removeAll(userId: bigint): Promise<void>;
  barUploads(userId: bigint, which: { publicId?: string; reasonId: number }): Promise<void>;
}

type Field = (typeof resettable)[number];

/** A removed nickname becomes the account's number, and the user may choose another one at once. */
function emptied({ user_no }: { user_no: string }, field: Exclude<Field, "avatar">) {
  switch (field) {
    case "nickname":
      return { nickname: user_no, nickname_changed_at: null };
    case "birthday":
      return { birthday: null };
    case "sex":
      return { sex: 0 };
    case "about":
      return { about: "" };
    case "location":
      return { location: "" };
  }
}

import { type Kysely, sql } from "kysely";
import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { countryByCode } from "@fava/wire/countries.ts";
import { holdMs } from "@fava/wire/limits.ts";
import type { AuthorityOutcome } from "@fava/wire/notices.ts";
import type { Database } from "#db/schema.ts";
import { avatarAddress } from "#lib/avatar-address.ts";
import { badInput, forbidden, refused } from "#lib/errors.ts";
import type { Clock } from "#ports/clock.ts";
import { writeAudit } from "./audit.ts";

type Added = Omit<ParsedInputOf<Endpoints["adminAuthorityAdd"]>, "user_id" | "language">;
type Listed = OutputOf<Endpoints["adminAuthorityList"]>;

const rowsMax = 200;

/** The log of authorities' requests (rules AUTHORITY-1, PRIV-7). It sends nothing: an administrator answers by hand. */
export class AuthorityService {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;

  constructor(options: { db: Kysely<Database>; clock: Clock }) {
    this.#db = options.db;
    this.#clock = options.clock;
  }

  async list(administratorId: bigint): Promise<Listed> {
    const at = this.#now();
    const rows = await this.#db
      .selectFrom("authority_requests as request")
      .leftJoin("users", "users.id", "request.subject_id")
      .leftJoin("users as proposer", "proposer.id", "request.proposed_by")
      .selectAll("request")
      .select(["users.user_no", "users.nickname", "users.avatar_key", "proposer.nickname as proposer_name"])
      .orderBy(sql`request.closed_at is not null`)
      .orderBy("request.closed_at", "desc")
      .orderBy(sql`request.due_at asc nulls last`)
      .orderBy("request.id", "desc")
      .limit(rowsMax)
      .execute();
    return {
      rows: rows.map((row) => ({
        id: String(row.id),
        authority: row.authority,
        country: row.country,
        kind: row.kind,
        basis: row.basis,
        received_at: row.received_at.getTime(),
        due_at: row.due_at?.getTime() ?? null,
        person:
          row.subject_id === null
            ? null
            : {
                user_id: Number(row.subject_id),
                user_no: row.user_no ?? "",
                nickname: row.nickname ?? "",
                avatar: avatarAddress(row.avatar_key ?? ""),
              },
        outcome: row.outcome,
        closed_at: row.closed_at?.getTime() ?? null,
        proposed:
          row.proposed_by === null || row.closed_at !== null
            ? null
            : { mine: row.proposed_by === administratorId, name: row.proposer_name ?? "" },
        hold_until: row.hold_until !== null && row.hold_until > at ? row.hold_until.getTime() : null,
      })),
    };
  }

  /** @throws EndpointError 400 with the field for an unknown country or account, or a hold without an account. */
  async add(administratorId: bigint, added: Added): Promise<string> {
    const at = this.#now();
    if (!countryByCode(added.country)) throw badInput("no such country", "country");
    const subject = added.account === "" ? null : await this.#account(added.account);
    if (added.hold === 1 && subject === null) throw badInput("a hold needs an account", "account");
    return this.#db.transaction().execute(async (trx) => {
      const { id } = await trx
        .insertInto("authority_requests")
        .values({
          authority: added.authority,
          country: added.country,
          kind: added.kind,
          basis: added.basis,
          received_at: new Date(added.received),
          due_at: added.due === "" ? null : new Date(added.due),
          subject_id: subject,
          added_at: at,
          added_by: administratorId,
          hold_until: added.hold === 1 ? new Date(at.getTime() + holdMs) : null,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      await this.#log(trx, administratorId, { request: id, did: "add", hold: added.hold });
      return String(id);
    });
  }

  /**
   * Starts or renews the hold, counted from now, or ends it. A closed request may hold as well.
   * @throws EndpointError 400 for an unknown request or one without account.
   */
  async hold(administratorId: bigint, id: string, isOn: boolean): Promise<number | null> {
    const at = this.#now();
    const until = isOn ? new Date(at.getTime() + holdMs) : null;
    await this.#db.transaction().execute(async (trx) => {
      const held = await trx
        .updateTable("authority_requests")
        .set({ hold_until: until })
        .where("id", "=", idOf(id))
        .where("subject_id", "is not", null)
        .returning("id")
        .executeTakeFirst();
      if (!held) throw badInput("no such request with an account", "id");
      await this.#log(trx, administratorId, { request: held.id, did: isOn ? "hold" : "release" });
    });
    return until?.getTime() ?? null;
  }

  /**
   * Closes a request. The first administrator only proposes disclosure; another one closes with it.
   * @throws EndpointError 400 for an unknown request; 403 `own_case` for the second opinion on one's own proposal; 406
   * `already_decided`.
   */
  async close(administratorId: bigint, id: string, outcome: AuthorityOutcome): Promise<"closed" | "proposed"> {
    const at = this.#now();
    return this.#db.transaction().execute(async (trx) => {
      const request = await trx
        .selectFrom("authority_requests")
        .selectAll()
        .where("id", "=", idOf(id))
        .forUpdate()
        .executeTakeFirst();
      if (!request) throw badInput("no such request", "id");
      if (request.closed_at !== null) throw refused("already_decided");
      const isProposal = outcome === "disclosed" && request.proposed_by === null;
      if (outcome === "disclosed" && request.proposed_by === administratorId) throw forbidden("own_case");
      const change = isProposal
        ? { proposed_by: administratorId }
        : { outcome, closed_at: at, closed_by: administratorId };
      await trx.updateTable("authority_requests").set(change).where("id", "=", request.id).execute();
      await this.#log(trx, administratorId, { request: request.id, did: isProposal ? "propose" : "close", outcome });
      return isProposal ? "proposed" : "closed";
    });
  }

  async #account(number: string): Promise<bigint> {
    const user = await this.#db.selectFrom("users").select("id").where("user_no", "=", number).executeTakeFirst();
    if (!user) throw badInput("no such account", "account");
    return user.id;
  }

  #log(db: Kysely<Database>, actorId: bigint, detail: object): Promise<void> {
    return writeAudit(db, { at: this.#now(), actorId, kind: "authority", subjectId: null, detail });
  }

  #now(): Date {
    return new Date(this.#clock.nowMs());
  }
}

function idOf(id: string): bigint {
  if (!/^\d{1,18}$/.test(id)) throw badInput("no such request", "id");
  return BigInt(id);
}

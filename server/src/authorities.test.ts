import { beforeEach, describe, expect, test } from "vitest";
import { accountRestoreMs, evidenceKeptMs, holdMs, publishedCountMin, signalsKeptMs } from "@fava/wire/limits.ts";
import type { AuthorityKind, AuthorityOutcome } from "@fava/wire/notices.ts";
import { heldCount } from "#db/holds.ts";
import { Erasure } from "#people/erasure.ts";
import { deleteExpiredData } from "#people/retention.ts";
import type { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { NoticeWorld } from "#test/fixtures/notice-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { transparencyReport } from "#moderation/statistics.ts";
import { runModerationUpkeep } from "#moderation/upkeep.ts";

const dayMs = 86_400_000;
let notices: NoticeWorld;
let world: ModerationWorld;
let bo: bigint;
let ada: bigint;

beforeEach(async () => {
  notices = await NoticeWorld.open();
  world = notices.cases;
  [bo, ada] = [await world.person({ nickname: "Bo" }), await world.administrator("Ada")];
});

const now = () => new Date(world.clock.nowMs());

async function add(
  change: { kind?: AuthorityKind; account?: string; hold?: 0 | 1; country?: string } = {},
): Promise<string> {
  const request = {
    user_id: Number(ada),
    authority: "Example Police",
    country: "DE",
    kind: "information" as const,
    basis: "Example Act, section 1; file 7",
    received: now().toISOString().slice(0, 10),
    due: "",
    account: "",
    hold: 0 as const,
    ...change,
  };
  return (await notices.authorities.adminAuthorityAdd(await world.contextOf(ada), request)).id;
}

const close = async (by: bigint, id: string, outcome: AuthorityOutcome) =>
  (await notices.authorities.adminAuthorityClose(await world.contextOf(by), { user_id: Number(by), id, outcome }))
    .state;
const list = async (by: bigint) =>
  (await notices.authorities.adminAuthorityList(await world.contextOf(by), { user_id: Number(by) })).rows;
const hold = async (id: string, on: 0 | 1) =>
  (await notices.authorities.adminAuthorityHold(await world.contextOf(ada), { user_id: Number(ada), id, on }))
    .hold_until;

test("records a request with its account, and rejects an unknown country or account", async () => {
  const id = await add({ account: await notices.userNo(bo) });
  expect(await list(ada)).toMatchObject([
    { id, authority: "Example Police", country: "DE", person: { nickname: "Bo" }, outcome: null, hold_until: null },
  ]);
  expect(await refusalOf(add({ country: "QQ" }))).toEqual({ code: 400, data: { field: "country" } });
  expect(await refusalOf(add({ account: "99999999" }))).toEqual({ code: 400, data: { field: "account" } });
  expect(await refusalOf(add({ hold: 1 }))).toEqual({ code: 400, data: { field: "account" } });
});

test("[AUTHORITY-1] discloses only after a second administrator agreed, and closes once", async () => {
  const [id, eve] = [await add(), await world.administrator("Eve")];
  expect(await close(ada, id, "disclosed")).toBe("proposed");
  expect(await refusalOf(close(ada, id, "disclosed"))).toEqual({ code: 403, data: { reason: "own_case" } });
  expect(await list(eve)).toMatchObject([{ outcome: null, proposed: { mine: false, name: "Ada" } }]);
  expect(await close(eve, id, "disclosed")).toBe("closed");
  expect(await list(ada)).toMatchObject([{ outcome: "disclosed", closed_at: world.clock.nowMs(), proposed: null }]);
  expect(await refusalOf(close(eve, id, "refused"))).toEqual({ code: 406, data: { reason: "already_decided" } });
  expect(await close(ada, await add(), "refused")).toBe("closed");
  // The requests are in the audit log, but not among the entries about a person, which moderators read.
  expect(await world.auditOf(bo)).toEqual([]);
});

test("[AUTHORITY-1] closes with one of two agreements that arrive at once", async () => {
  const [id, eve, ida] = [await add(), await world.administrator(), await world.administrator()];
  await close(ada, id, "disclosed");
  const outcomes = await Promise.allSettled([close(eve, id, "disclosed"), close(ida, id, "disclosed")]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("publishes counts by kind, and small ones not at all", async () => {
  for (let added = 0; added < publishedCountMin; added += 1) await add();
  await add({ kind: "removal" });
  world.clock.advance(dayMs);
  expect((await transparencyReport(world.db, world.clock.nowMs())).authorities).toEqual([
    { kind: "information", requests: publishedCountMin },
    { kind: "preservation", requests: null },
    { kind: "removal", requests: null },
    { kind: "emergency", requests: null },
  ]);
});

describe("[PRIV-7] a hold", () => {
  let id: string;
  beforeEach(async () => {
    id = await add({ account: await notices.userNo(bo), hold: 1 });
  });

  /** Renews the hold until `ms` have passed. */
  async function passHeld(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= holdMs - dayMs) {
      world.clock.advance(Math.min(left, holdMs - dayMs));
      await hold(id, 1);
    }
  }

  test("lasts 90 days, and is renewed, ended and counted", async () => {
    expect(await heldCount(world.db, now())).toBe(1);
    world.clock.advance(holdMs);
    expect(await heldCount(world.db, now())).toBe(0);
    expect(await list(ada)).toMatchObject([{ hold_until: null }]);
    expect(await hold(id, 1)).toBe(world.clock.nowMs() + holdMs);
    expect(await heldCount(world.db, now())).toBe(1);
    expect(await hold(id, 0)).toBeNull();
    expect(await heldCount(world.db, now())).toBe(0);
    expect(await refusalOf(hold(await add(), 1))).toEqual({ code: 400, data: { field: "id" } });
  });

  test("stops the erasure of a deleted account with its messages and pictures", async () => {
    const erased: string[] = [];
    const note = (what: string) => async (userId: bigint) => void erased.push(`${what} ${userId}`);
    const erasure = new Erasure({
      ...world.parts,
      logger: world.logger,
      refunds: { refundUnused: note("refunds") },
      messages: { eraseTextsOf: note("messages") },
      images: { removeAll: note("images") },
      ages: { forgetAllOf: note("ages") },
      exports: { forget: note("exports") },
    });
    await world.db.updateTable("users").set({ deleted_at: now() }).where("id", "=", bo).execute();
    await passHeld(accountRestoreMs);
    await erasure.runDue();
    expect(erased).toEqual([]);
    await hold(id, 0);
    await erasure.runDue();
    expect(erased).toEqual(["refunds", "messages", "images", "ages", "exports"].map((what) => `${what} ${bo}`));
  });

  test("stops the retention of evidence about the account and of its own reports", async () => {
    const mia = await world.moderator();
    const cem = await world.person();
    const [about, by, other] = [
      await world.reported(bo),
      await world.reported(cem, { by: bo }),
      await world.reported(await world.person()),
    ];
    for (const caseId of [about, by, other]) {
      await world.moderation.addEvidence(caseId, [world.frame()]);
      const viewer = await world.viewer(mia);
      const decision = { operation: 1, note: "" } as const;
      await world.withClaim(mia, `case:${caseId}`, () => world.cases.decisions.operate(viewer, caseId, decision));
    }
    const kept = async () =>
      (
        await world.db.selectFrom("evidence").select("case_id").where("erased_at", "is", null).orderBy("id").execute()
      ).map(({ case_id }) => case_id);
    const upkeep = () => runModerationUpkeep({ ...world.parts, ...world.upkept });
    await passHeld(evidenceKeptMs);
    await upkeep();
    expect(await kept()).toEqual([about, by]);
    await hold(id, 0);
    await upkeep();
    expect(await kept()).toEqual([]);
  });

  test("stops the retention of reports, sign-in addresses, findings and signals", async () => {
    const [cem, dia] = [await world.person(), await world.person()];
    await world.reported(bo, { by: cem });
    await world.reported(cem, { by: bo });
    await world.reported(cem, { by: dia });
    await world.db.updateTable("cases").set({ state: "decided" }).execute();
    for (const user_id of [bo, cem]) {
      const login = { user_id, ip: "203.0.113.7", device_id: "d", user_agent: "", at: now() };
      await world.db.insertInto("login_events").values(login).execute();
      const finding = {
        writer_id: user_id,
        place: "about",
        kind: "email",
        rule_id: "contact:email",
        at: now(),
      } as const;
      await world.db.insertInto("text_findings").values(finding).execute();
      await world.moderation.note({ userId: user_id, rule: "skip_rate", dryRun: false, withinMs: dayMs });
      await world.db.updateTable("users").set({ last_login_ip: "203.0.113.7" }).where("id", "=", user_id).execute();
    }
    const left = async () => ({
      reports: (await world.db.selectFrom("reports").select("id").execute()).length,
      logins: (await world.db.selectFrom("login_events").select("user_id").execute()).map(({ user_id }) => user_id),
      findings: (await world.db.selectFrom("text_findings").select("writer_id").execute()).map(
        ({ writer_id }) => writer_id,
      ),
      signals: (await world.db.selectFrom("signals").select("user_id").execute()).map(({ user_id }) => user_id),
      addresses: (await world.db.selectFrom("users").select("id").where("last_login_ip", "<>", "").execute()).map(
        (user) => user.id,
      ),
    });
    const work = async () => {
      await deleteExpiredData(world.db, world.clock.nowMs());
      await runModerationUpkeep({ ...world.parts, ...world.upkept });
    };
    await passHeld(Math.max(181 * dayMs, signalsKeptMs + dayMs));
    await work();
    expect(await left()).toEqual({ reports: 2, logins: [bo], findings: [bo], signals: [bo], addresses: [bo] });
    await hold(id, 0);
    await work();
    expect(await left()).toEqual({ reports: 0, logins: [], findings: [], signals: [], addresses: [] });
  });
});

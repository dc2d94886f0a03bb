import { beforeAll, beforeEach, expect, test } from "vitest";
import { appealAnswerMs, appealOpenMs } from "@fava/wire/limits.ts";
import { banById } from "#people/session-service.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { appealHandlers } from "./appeal-routes.ts";
import { AppealService, requireOpenAppeal } from "./appeal-service.ts";

const dayMs = 86_400_000;
let world: ModerationWorld;
let service: AppealService;
let handlers: ReturnType<typeof appealHandlers>;
let returned: string[];

beforeAll(async () => {
  world = await ModerationWorld.open();
  service = new AppealService({
    db: world.db,
    clock: world.clock,
    sessions: {
      // Tokens of these tests are the ids themselves; `login.test.ts` forges and expires real ones.
      banOfAppealToken: async (token) => {
        const ban = await world.db
          .selectFrom("bans")
          .select("user_id")
          .where("id", "=", BigInt(token))
          .executeTakeFirst();
        const facts = await banById(world.db, BigInt(token));
        return ban && facts ? { userId: ban.user_id, ban: facts } : null;
      },
    },
    balances: { account: async () => ({ balance: 48_200n }) },
    callCost: async () => 3_200n,
    pendingCredits: {
      add: async () => undefined,
      pay: async ({ callId, userId }) => void returned.push(`${callId} ${userId}`),
    },
    changed: () => undefined,
    caseDetail: async () => {
      throw new Error("a ban without a case");
    },
  });
  handlers = appealHandlers(service);
});
beforeEach(() => {
  returned = [];
});

const at = (agoMs = 0) => new Date(world.clock.nowMs() - agoMs);

interface Banned {
  userId: bigint;
  banId: bigint;
  token: string;
}

async function banned(
  by: bigint,
  change: { until?: Date | null; callId?: string; agoMs?: number } = {},
): Promise<Banned> {
  const userId = await world.person();
  const { until = at(-7 * dayMs), callId = null, agoMs = 0 } = change;
  const { id } = await world.db
    .insertInto("bans")
    .values({
      user_id: userId,
      reason_id: 2,
      reason: "",
      created_at: at(agoMs),
      until,
      decided_by: by,
      call_id: callId,
      strike: 1,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const strike = { user_id: userId, ban_id: id, case_id: null, reason_id: 2, at: at(), expires_at: at(-90 * dayMs) };
  await world.db.insertInto("strikes").values(strike).execute();
  return { userId, banId: id, token: String(id) };
}

const visitor = { session: null, ip: "127.0.0.1", userAgent: "test", language: "ar" };
const write = ({ token }: Banned, text = "We were joking.") =>
  handlers.appealAdd(visitor, { appeal_token: token, ground: 1, text, email: "" });
async function appealed(by: bigint, change?: Parameters<typeof banned>[1]): Promise<Banned & { id: string }> {
  const ban = await banned(by, change);
  const { appeal } = await write(ban);
  return { ...ban, id: appeal?.id ?? "" };
}
type Outcome = { outcome: "upheld" | "shortened" | "lifted"; hours?: 1 | 24 | 168 | 720 };
async function decide(moderatorId: bigint, id: string, { outcome, hours }: Outcome) {
  const context = await world.contextOf(moderatorId);
  const answer = { outcome, answer: "We read the whole chat.", ...(hours === undefined ? {} : { hours }) };
  return world.withClaim(moderatorId, `appeal:${id}`, () =>
    handlers.adminAppealOperate(context, { user_id: Number(moderatorId), id, ...answer }),
  );
}
const banOf = ({ banId }: Banned) =>
  world.db.selectFrom("bans").selectAll().where("id", "=", banId).executeTakeFirstOrThrow();

test("[APPEAL-1] a ban is appealed once, and its status says by when it is answered", async () => {
  const ban = await banned(await world.moderator());
  expect(await handlers.appealStatus(visitor, { appeal_token: ban.token })).toMatchObject({
    ban: { reason_id: 2, by: "person", strike: 1 },
    user_id: Number(ban.userId),
    in_force: true,
    appeal: null,
    beans: 48_200,
  });
  expect(await write(ban)).toMatchObject({
    appeal: { state: "received", ground: 1, text: "We were joking.", answer_by: world.clock.nowMs() + appealAnswerMs },
  });
  expect(await refusalOf(write(ban))).toEqual({ code: 406, data: { reason: "appealed_before" } });
  expect(await world.auditOf(ban.userId)).toEqual(["appeal"]);
});

test("[APPEAL-1] of two appeals at once one is kept", async () => {
  const ban = await banned(await world.moderator());
  const outcomes = await Promise.allSettled([write(ban), write(ban), write(ban)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("[APPEAL-2] it is open for six months, and an empty one is none", async () => {
  const moderator = await world.moderator();
  const old = await banned(moderator, { until: null, agoMs: appealOpenMs + 1 });
  expect(await refusalOf(write(old))).toEqual({ code: 406, data: { reason: "appeal_too_late" } });
  const ban = await banned(moderator, { until: null, agoMs: appealOpenMs });
  expect(await refusalOf(write(ban, "  \n "))).toEqual({ code: 400, data: { field: "text" } });
  expect(await write(ban)).toMatchObject({ appeal: { state: "received" } });
});

test("[APPEAL-3] whoever decided first sees it closed and cannot answer; another moderator can", async () => {
  const [first, second] = [await world.moderator("First"), await world.moderator("Second")];
  const { id } = await appealed(first);
  const listed = async (moderatorId: bigint) => {
    const context = await world.contextOf(moderatorId);
    const { appeals } = await handlers.adminAppealList(context, { user_id: Number(moderatorId) });
    return appeals.find((row) => row.id === id);
  };
  expect(await listed(first)).toMatchObject({ is_own: true });
  expect(await listed(second)).toMatchObject({ is_own: false, hours: 168, claim: null });
  const info = await handlers.adminAppeal(await world.contextOf(first), { user_id: Number(first), id });
  expect(info).toMatchObject({ closed_because: "first_decider", decided_by: "First", language: "ar" });
  expect(await refusalOf(decide(first, id, { outcome: "lifted" }))).toEqual({
    code: 403,
    data: { reason: "own_case" },
  });
  // Nor do they keep it from others by a claim.
  const claimable = async (by: bigint) =>
    requireOpenAppeal(world.db, await world.viewer(by), { id, at: new Date(world.clock.nowMs()) });
  expect(await refusalOf(claimable(first))).toEqual({ code: 403, data: { reason: "own_case" } });
  await claimable(second);
  await decide(second, id, { outcome: "upheld" });
  expect(await listed(second)).toBeUndefined();
});

test("[APPEAL-4] upheld leaves the ban; shortened ends it sooner, and nothing is shortened to a longer one", async () => {
  const [first, second] = [await world.moderator(), await world.moderator()];
  const upheld = await appealed(first);
  await decide(second, upheld.id, { outcome: "upheld" });
  expect(await banOf(upheld)).toMatchObject({ ended_early_at: null, until: at(-7 * dayMs) });
  const ban = await appealed(first);
  for (const hours of [168, 720] as const) {
    expect(await refusalOf(decide(second, ban.id, { outcome: "shortened", hours }))).toMatchObject({ code: 400 });
  }
  expect(await refusalOf(decide(second, ban.id, { outcome: "shortened" }))).toMatchObject({ code: 400 });
  await decide(second, ban.id, { outcome: "shortened", hours: 24 });
  expect(await banOf(ban)).toMatchObject({ ended_early_at: null, until: at(-dayMs) });
  expect(await handlers.appealStatus(visitor, { appeal_token: ban.token })).toMatchObject({
    appeal: { state: "shortened", until: at(-dayMs).getTime(), answer: "We read the whole chat." },
  });
  expect(await world.strikesOf(ban.userId)).toMatchObject([{ revoked_at: null }]);
});

test("[APPEAL-5] lifted ends the ban, takes the strike back and gives the beans of the cut call back, once", async () => {
  const [first, second] = [await world.moderator(), await world.moderator()];
  const callId = await world.call(await world.person(), await world.person());
  const ban = await appealed(first, { callId });
  await decide(second, ban.id, { outcome: "lifted" });
  expect(await banOf(ban)).toMatchObject({ ended_early_at: at(), ended_because: "lifted" });
  expect(await world.strikesOf(ban.userId)).toMatchObject([{ revoked_at: at() }]);
  expect(returned).toEqual([`${callId} ${ban.userId}`]);
  expect(await refusalOf(decide(second, ban.id, { outcome: "lifted" }))).toEqual({
    code: 406,
    data: { reason: "already_decided" },
  });
  expect(returned).toHaveLength(1);
  expect(await handlers.appealStatus(visitor, { appeal_token: ban.token })).toMatchObject({
    in_force: false,
    appeal: { state: "lifted", beans_returned: 3_200 },
  });
  expect(await world.auditOf(ban.userId)).toEqual(["appeal", "strike_revoked", "appeal_lifted"]);
});

test("[APPEAL-6] of two moderators who answer at once one does", async () => {
  const [first, second, third] = [await world.moderator(), await world.moderator(), await world.moderator()];
  const ban = await appealed(first);
  const outcomes = await Promise.allSettled([
    decide(second, ban.id, { outcome: "upheld" }),
    decide(third, ban.id, { outcome: "lifted" }),
  ]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("[APPEAL-7] a late appeal, and one of a colleague, are for administrators", async () => {
  const [first, second, ada] = [await world.moderator(), await world.moderator(), await world.administrator()];
  const colleague = await appealed(first);
  await world.db.updateTable("users").set({ role: 2 }).where("id", "=", colleague.userId).execute();
  expect(await refusalOf(decide(second, colleague.id, { outcome: "upheld" }))).toEqual({
    code: 403,
    data: { reason: "colleague" },
  });
  await decide(ada, colleague.id, { outcome: "upheld" });
  const late = await appealed(first);
  world.clock.advance(appealAnswerMs);
  expect(await refusalOf(decide(second, late.id, { outcome: "upheld" }))).toEqual({
    code: 403,
    data: { reason: "role" },
  });
  const context = await world.contextOf(ada);
  const { appeals } = await handlers.adminAppealList(context, { user_id: Number(ada) });
  expect(appeals.find(({ id }) => id === late.id)).toMatchObject({ is_late: true });
  await decide(ada, late.id, { outcome: "upheld" });
});

test("[APPEAL-8] nobody reads or answers their own appeal", async () => {
  const first = await world.moderator();
  const own = await appealed(first);
  await world.db.updateTable("users").set({ role: 3 }).where("id", "=", own.userId).execute();
  const context = await world.contextOf(own.userId);
  const ownCase = { code: 403, data: { reason: "own_case" } };
  expect(await refusalOf(handlers.adminAppeal(context, { user_id: Number(own.userId), id: own.id }))).toEqual(ownCase);
  expect(await refusalOf(decide(own.userId, own.id, { outcome: "lifted" }))).toEqual(ownCase);
  const { appeals } = await handlers.adminAppealList(context, { user_id: Number(own.userId) });
  expect(appeals.some(({ id }) => id === own.id)).toBe(false);
});

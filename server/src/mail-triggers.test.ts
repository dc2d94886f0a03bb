import { expect, test } from "vitest";
import { accountRestoreMs, ringMs } from "@fava/wire/limits.ts";
import { noticeOperations } from "@fava/wire/notices.ts";
import { notificationKinds } from "@fava/wire/notifications.ts";
import { fakeBrowser } from "#test/fakes/fake-browser.ts";
import { AppealWorld } from "#test/fixtures/appeal-world.ts";
import { mailsOf, withMail } from "#test/fixtures/mails.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { NoticeWorld } from "#test/fixtures/notice-world.ts";
import { RingWorld } from "#test/fixtures/ring-world.ts";
import { refusalOf, callContext, sessionWorld } from "#test/fixtures/session-world.ts";
import { ShopWorld } from "#test/fixtures/shop-world.ts";

const dayMs = 86_400_000;

test("[MAIL-1, MAIL-2] mails the answer to an appeal to its own address, otherwise to the account's", async () => {
  const appeals = await AppealWorld.open();
  const { cases } = appeals;
  const [first, second] = [await cases.moderator("First"), await cases.moderator("Second")];
  const visitor = { session: null, ip: "127.0.0.1", userAgent: "test", language: "ar" };
  const own = await appeals.banned(first);
  const written = { appeal_token: own.token, ground: 1, text: "We were joking.", email: "lawyer@example.org" } as const;
  const { appeal } = await appeals.handlers.appealAdd(visitor, written);
  await appeals.decide(second, appeal?.id ?? "", { outcome: "lifted" });
  const account = await appeals.appealed(first);
  await withMail(cases, account.userId);
  await appeals.decide(second, account.id, { outcome: "upheld" });
  await appeals.decide(second, (await appeals.appealed(first)).id, { outcome: "upheld" });
  const facts = { answer: "We read the whole chat.", untilMs: null };
  expect(await mailsOf(cases)).toMatchObject([
    {
      template: "appeal",
      language: "ar",
      to: "lawyer@example.org",
      confirmedAtMs: null,
      facts: { ...facts, outcome: "lifted" },
    },
    {
      template: "appeal",
      language: "ar",
      to: `user${account.userId}@example.org`,
      facts: { ...facts, outcome: "upheld" },
    },
  ]);
});

test("[MAIL-1] mails the decision on a notice to the address in it, in its sender's language", async () => {
  const notices = await NoticeWorld.open();
  const mia = await notices.cases.moderator();
  const sent = await notices.send({ email: "sender@example.org" });
  await notices.operate(mia, sent, { operation: noticeOperations.ask, text: "Which picture?" });
  expect(await mailsOf(notices.cases)).toEqual([]);
  await notices.answer(sent.token, "The first one.");
  await notices.operate(mia, sent, { operation: noticeOperations.unfounded, text: "It shows a landscape." });
  expect(await mailsOf(notices.cases)).toMatchObject([
    {
      template: "notice",
      to: "sender@example.org",
      facts: { no: sent.no, outcome: "unfounded", reason: "It shows a landscape.", link: `/notice#${sent.token}` },
    },
  ]);
});

test("[MAIL-2] mails the statement of a ban, and that a moderator asks for an age check", async () => {
  const world = await ModerationWorld.open();
  const [mia, bo, cy] = [await world.moderator(), await world.person(), await world.person()];
  for (const userId of [bo, cy]) await withMail(world, userId);
  const caseId = await world.reported(bo);
  await world.withClaim(mia, `case:${caseId}`, async () =>
    world.cases.decisions.operate(await world.viewer(mia), caseId, { operation: 4, hours: 24, note: "" }),
  );
  const ban = { reasonId: expect.any(Number), untilMs: world.clock.nowMs() + dayMs, by: "person" };
  expect(await mailsOf(world)).toMatchObject([{ template: "ban", to: `user${bo}@example.org`, facts: ban }]);
  const admin = await world.administrator();
  const minorCase = await world.reported(cy, { reasonId: 8 });
  const context = await world.contextOf(admin);
  const { until } = await world.withClaim(admin, `case:${minorCase}`, () =>
    world.cases.handlers.adminAgeAsk(context, { user_id: Number(admin), id: String(minorCase), note: "" }),
  );
  expect((await mailsOf(world)).at(-1)).toMatchObject({
    template: "age_check",
    to: `user${cy}@example.org`,
    facts: { untilMs: until },
  });
});

test("[MAIL-2] mails the beginning and the last day of a deletion, and takes the latter back when it is undone", async () => {
  const world = await sessionWorld();
  const { sessions, clock } = world;
  const site = { db: world.database.db, clock };
  const { userId } = await world.enter("Ana");
  await withMail(site, userId);
  await sessions.deleteAccount(userId);
  await sessions.deleteAccount(userId);
  const facts = { untilMs: clock.nowMs() + accountRestoreMs };
  expect(await mailsOf(site)).toMatchObject([
    { template: "deletion", due_at: new Date(clock.nowMs()), facts },
    { template: "deletion_last", due_at: new Date(facts.untilMs - dayMs), facts },
  ]);
  const { data } = await refusalOf(world.login("Ana"));
  const { restore_token } = data as { restore_token: string };
  await sessions.restore(restore_token, { source: 1, imei: "device-1" }, callContext());
  expect((await mailsOf(site)).map(({ template }) => template)).toEqual(["deletion"]);
});

test("[MAIL-2] mails a sign-in with a new device, and none with a known one", async () => {
  const world = await sessionWorld();
  const { sessions, clock } = world;
  const site = { db: world.database.db, clock };
  const { userId } = await world.enter("Ana");
  await withMail(site, userId);
  await world.login("Ana");
  expect(await mailsOf(site)).toEqual([]);
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  const context = callContext({ ip: "203.0.113.7", userAgent: firefox });
  await sessions.login({ ...(await world.loginInput("Ana")), imei: "device-2" }, context);
  const facts = { browser: "Firefox", system: "Linux", countryId: expect.any(Number), atMs: clock.nowMs() };
  expect(await mailsOf(site)).toMatchObject([{ template: "sign_in", facts }]);
});

test("[MAIL-2] mails one receipt for a purchase, however often the provider reports it", async () => {
  const world = await ShopWorld.open();
  const site = { db: world.database.db, clock: world.clock };
  const ana = await world.person();
  await withMail(site, ana.userId);
  const orderNo = await world.paidOrder(ana);
  await world.report(orderNo, { kind: "paid", eventId: `again-${orderNo}` });
  expect(await mailsOf(site)).toMatchObject([{ template: "receipt", facts: { orderNo, beans: "10000" } }]);
});

test("[MAIL-2] mails a missed call only if its callee was away", async () => {
  const world = await RingWorld.open();
  const [ana, bo, cy] = await world.friends(3);
  for (const userId of [bo, cy]) await withMail(world, userId);
  await world.rung(ana, cy);
  world.clock.advance(ringMs);
  await world.settled();
  expect(await mailsOf(world)).toEqual([]);
  const choice = { kinds: [notificationKinds.indexOf("ring")], names: 0, quiet: 0, offset_min: 0 } as const;
  const session = { id: "session", userId: bo } as Parameters<typeof world.notifications.add>[0];
  await world.notifications.add(session, fakeBrowser("https://push.test/away").target, {
    ...choice,
    kinds: [...choice.kinds],
  });
  world.close(bo);
  await world.settled();
  const atMs = world.clock.nowMs();
  await world.rung(ana, bo);
  world.clock.advance(ringMs);
  await world.settled();
  expect(await mailsOf(world)).toMatchObject([
    { template: "missed_call", to: `user${bo}@example.org`, facts: { atMs } },
  ]);
  world.stopAll();
});

import fastify from "fastify";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mailConfirmMs, mailsKeptMs, mailsPerDayMax } from "@fava/wire/limits.ts";
import { SandboxMailer } from "#adapters/mail/sandbox-mailer.ts";
import { SmtpMailer } from "#adapters/mail/smtp-mailer.ts";
import type { Mail, Mailer, MailOutcome } from "#ports/mailer.ts";
import { mailOutbox, mailSecret } from "#test/fakes/mails.ts";
import { noLimits } from "#test/fakes/no-limits.ts";
import { openMailServer, refusal } from "#test/fixtures/mail-server.ts";
import { SocialWorld } from "#test/fixtures/social-world.ts";
import { deleteUnconfirmedAddresses, MailAddresses } from "#people/mail-addresses.ts";
import { mailPages } from "#people/mail-pages.ts";
import { MailSender } from "#people/mail-sender.ts";
import { MailTokens } from "#people/mail-tokens.ts";

const minuteMs = 60_000;
const logger = pino({ level: "silent" });
const origin = "https://fava.test";
const tokens = new MailTokens(mailSecret);
let world: SocialWorld;
let made = 0;

beforeEach(async () => {
  world ??= await SocialWorld.open();
});
afterEach(async () => {
  await world.database.db.deleteFrom("mails").execute();
  await world.database.db.deleteFrom("mail_addresses").execute();
});

function openMails(mailer: Mailer | null = new SandboxMailer()) {
  const { clock } = world;
  const { db } = world.database;
  const outbox = mailOutbox(clock, { isOn: mailer !== null });
  const shared = { db, clock, outbox, tokens };
  const sender = new MailSender({ ...shared, mailer, serverSecret: mailSecret, publicOrigin: origin, logger });
  const changed: bigint[] = [];
  const addresses = new MailAddresses({ ...shared, limits: noLimits, changed: (userId) => void changed.push(userId) });
  return { outbox, sender, addresses, changed };
}

/** A mailer that answers so, one mail after the other, and then takes every mail. */
function scripted(...outcomes: MailOutcome[]) {
  const tried: Mail[] = [];
  const mailer: Mailer = {
    domain: "fava.test",
    send: async (mail) => {
      tried.push(mail);
      return outcomes.shift() ?? "sent";
    },
  };
  return { mailer, tried };
}

async function confirmed(userId: bigint, email: string): Promise<void> {
  const { addresses } = openMails();
  await addresses.update(userId, { email });
  await addresses.confirm(tokens.confirm({ userId, atMs: world.clock.nowMs() }));
  await world.database.db.deleteFrom("mails").execute();
}

async function addBan(userId: bigint, outbox = openMails().outbox): Promise<string> {
  const matter = `ban:${(made += 1)}`;
  await outbox.add(world.database.db, {
    template: "ban",
    matter,
    facts: { reasonId: 1, untilMs: null, by: "person" },
    userId,
  });
  return matter;
}

async function addReceipt(userId: bigint): Promise<void> {
  const facts = { orderNo: "A-1", beans: "5", amountMinor: "100", currency: "USD", atMs: 1 };
  await openMails().outbox.add(world.database.db, {
    template: "receipt",
    matter: `order:${(made += 1)}`,
    facts,
    userId,
  });
}

function plain(row: Readonly<Record<string, unknown>>): string {
  return Object.values(row)
    .map((value) => (Buffer.isBuffer(value) ? value.toString("latin1") : String(value)))
    .join();
}

const rows = () => world.database.db.selectFrom("mails").selectAll().orderBy("id").execute();

test("[MAIL-1] mails only an address that its user typed and confirmed by the link, once and within a day", async () => {
  const ana = await world.person();
  const sandbox = new SandboxMailer();
  const { addresses, sender, changed } = openMails(sandbox);
  await addBan(ana);
  expect(await rows()).toEqual([]);
  expect(await addresses.update(ana, { email: " Ana@Bücher.example " })).toEqual({
    on: true,
    email: null,
    pending: "Ana@xn--bcher-kva.example",
    kinds: [],
  });
  await addBan(ana);
  await sender.sendDue();
  expect(sandbox.kept.map(({ subject, to }) => `${to}: ${subject}`)).toEqual([
    "Ana@xn--bcher-kva.example: Confirm your e-mail address for Fava",
  ]);
  const link = new URL(/https:\S+/.exec(sandbox.kept[0]?.text ?? "")?.[0] ?? "");
  const token = link.searchParams.get("token") ?? "";
  world.clock.advance(mailConfirmMs - 1);
  expect(await addresses.confirm(token)).toBe(true);
  expect(await addresses.confirm(token)).toBe(false);
  expect(changed).toEqual([ana]);
  expect(await addresses.info(ana)).toMatchObject({ email: "Ana@xn--bcher-kva.example", pending: null });
  const stored = await world.database.db.selectFrom("mail_addresses").selectAll().executeTakeFirstOrThrow();
  expect(plain(stored)).not.toContain("example");
});

test("[MAIL-1] keeps the earlier address until the newest link for the new one is opened", async () => {
  const ana = await world.person();
  await confirmed(ana, "old@example.org");
  const { addresses } = openMails();
  await addresses.update(ana, { email: "first@example.org" });
  const first = tokens.confirm({ userId: ana, atMs: world.clock.nowMs() });
  world.clock.advance(1_000);
  expect(await addresses.update(ana, { email: "new@example.org" })).toMatchObject({
    email: "old@example.org",
    pending: "new@example.org",
  });
  expect(await addresses.confirm(first)).toBe(false);
  expect(await addresses.confirm(tokens.confirm({ userId: ana, atMs: world.clock.nowMs() }))).toBe(true);
  expect(await addresses.info(ana)).toMatchObject({ email: "new@example.org", pending: null });
  await addresses.update(ana, { email: "late@example.org" });
  const late = tokens.confirm({ userId: ana, atMs: world.clock.nowMs() });
  world.clock.advance(mailConfirmMs);
  expect(await addresses.confirm(late)).toBe(false);
  expect(await addresses.info(ana)).toMatchObject({ email: "new@example.org", pending: null });
  await deleteUnconfirmedAddresses(world.database.db, new Date(world.clock.nowMs() + 1));
  expect(await world.database.db.selectFrom("mail_addresses").select("pending_sealed").execute()).toEqual([
    { pending_sealed: null },
  ]);
});

test("rejects what is no address, by field, and every address at a site without mails", async () => {
  const ana = await world.person();
  for (const email of ["ana", "ana@example.org, bo@example.org", "ana@example.org\nBcc: bo@example.org"])
    await expect(openMails().addresses.update(ana, { email })).rejects.toMatchObject({
      code: 400,
      data: { field: "email" },
    });
  const off = openMails(null);
  await expect(off.addresses.update(ana, { email: "ana@example.org" })).rejects.toMatchObject({ code: 400 });
  expect(await off.addresses.info(ana)).toEqual({ on: false, email: null, pending: null, kinds: [] });
  await confirmed(ana, "ana@example.org");
  await addBan(ana, off.outbox);
  expect(await rows()).toEqual([]);
});

test("[MAIL-2] sends receipts only to who chose them, and decisions to all with an address", async () => {
  const ana = await world.person();
  await confirmed(ana, "ana@example.org");
  const { addresses } = openMails();
  await addReceipt(ana);
  await addBan(ana);
  await addresses.update(ana, { kinds: [0] });
  await addReceipt(ana);
  expect((await rows()).map(({ template }) => template)).toEqual(["ban", "receipt"]);
  await addresses.update(ana, { kinds: [] });
  expect((await rows()).map(({ template }) => template)).toEqual(["ban"]);
  await addresses.update(ana, { email: "" });
  expect(await rows()).toEqual([]);
  expect(await addresses.info(ana)).toMatchObject({ email: null, pending: null });
});

test("keeps a mail to an address that was given for one matter when the account's address is removed", async () => {
  const ana = await world.person();
  await confirmed(ana, "ana@example.org");
  const { outbox, addresses, sender } = openMails();
  const facts = { outcome: "upheld", answer: "No.", untilMs: null } as const;
  const appeal = { template: "appeal", matter: "appeal:1", facts, userId: ana, to: "lawyer@example.org" } as const;
  await outbox.add(world.database.db, appeal);
  await addBan(ana);
  await addresses.update(ana, { email: "" });
  expect((await rows()).map(({ matter }) => matter)).toEqual(["appeal:1"]);
  await sender.sendDue();
});

test("[MAIL-3] stores one mail per template and matter, encrypted, and none of a transaction that failed", async () => {
  const ana = await world.person();
  await confirmed(ana, "ana@example.org");
  const { outbox, sender } = openMails();
  const ban = {
    template: "ban",
    matter: "ban:1",
    facts: { reasonId: 1, untilMs: null, by: "person" },
    userId: ana,
  } as const;
  await outbox.add(world.database.db, ban);
  await outbox.add(world.database.db, ban);
  const failed = world.database.db.transaction().execute(async (trx) => {
    await outbox.add(trx, { ...ban, matter: "ban:2" });
    throw new Error("rolled back");
  });
  await expect(failed).rejects.toThrow("rolled back");
  expect(await rows()).toMatchObject([{ matter: "ban:1", state: "waiting" }]);
  expect((await rows()).map(plain).join()).not.toContain("example.org");
  await sender.sendDue();
  await outbox.add(world.database.db, ban);
  expect(await rows()).toMatchObject([{ state: "sent", sealed: null, due_at: null }]);
  world.clock.advance(mailsKeptMs + 1);
  await sender.sendDue();
  expect(await rows()).toEqual([]);
});

test("[MAIL-4] tries again after 1, 5 and 30 minutes, 2 and 12 hours, and then gives up", async () => {
  const ana = await world.person();
  await confirmed(ana, "ana@example.org");
  await addBan(ana);
  const { mailer, tried } = scripted("failed", "failed", "failed", "failed", "failed", "failed");
  const { sender } = openMails(mailer);
  await sender.sendDue();
  for (const [at, minutes] of [1, 5, 30, 120, 720].entries()) {
    world.clock.advance(minutes * minuteMs - 1);
    await sender.sendDue();
    expect(tried).toHaveLength(at + 1);
    world.clock.advance(1);
    await sender.sendDue();
    expect(tried).toHaveLength(at + 2);
  }
  expect(await rows()).toMatchObject([{ state: "failed", tries: 6, sealed: null, due_at: null }]);
  expect(sender.figures).toMatchObject({ failed: 6, given_up: 1, sent: 0 });
  expect(new Set(tried.map(({ id }) => id)).size).toBe(1);
});

test("[MAIL-4] gives up a mail whose server crashed during the last attempt, and erases its text", async () => {
  const ana = await world.person();
  await confirmed(ana, "ana@example.org");
  await addBan(ana);
  const { sender } = openMails(scripted("failed", "failed", "failed", "failed", "failed").mailer);
  for (const minutes of [0, 1, 5, 30, 120]) {
    world.clock.advance(minutes * minuteMs);
    await sender.sendDue();
  }
  world.clock.advance(720 * minuteMs);
  const crashing: Mailer = { domain: "fava.test", send: () => new Promise<never>(() => undefined) };
  void openMails(crashing).sender.sendDue();
  await expect.poll(rows).toMatchObject([{ tries: 6 }]);
  await sender.sendDue();
  expect(await rows()).toMatchObject([{ state: "waiting" }]);
  world.clock.advance(60 * minuteMs);
  await sender.sendDue();
  expect(await rows()).toMatchObject([{ state: "failed", tries: 6, sealed: null, due_at: null }]);
  expect(sender.figures).toMatchObject({ failed: 5, given_up: 1, sent: 0 });
});

test("[MAIL-4] never tries a bounced mail again", async () => {
  const ana = await world.person();
  await confirmed(ana, "ana@example.org");
  await addBan(ana);
  const { mailer, tried } = scripted("bounced");
  const { sender } = openMails(mailer);
  await sender.sendDue();
  world.clock.advance(30 * minuteMs);
  await sender.sendDue();
  expect(tried).toHaveLength(1);
  expect(await rows()).toMatchObject([{ state: "bounced", sealed: null }]);
});

test("leaves the other mails untried while the mail server is unreachable, and sends them afterwards", async () => {
  const ana = await world.person();
  await confirmed(ana, "ana@example.org");
  for (let mail = 0; mail < 8; mail += 1) await addBan(ana);
  const { mailer, tried } = scripted("unreachable", "unreachable", "unreachable", "unreachable");
  const { sender } = openMails(mailer);
  await sender.sendDue();
  expect(tried.length).toBeLessThanOrEqual(4);
  await sender.sendDue();
  expect(tried.length).toBeLessThanOrEqual(4);
  world.clock.advance(minuteMs);
  await sender.sendDue();
  expect((await rows()).map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => "sent"));
});

test("[MAIL-3] sends a mail at most twice, as the same mail, if the server crashes before it notes that it was sent", async () => {
  const ana = await world.person();
  await confirmed(ana, "ana@example.org");
  await addBan(ana);
  await using server = await openMailServer();
  const smtp = new SmtpMailer({ server: server.address, from: "help@fava.test", logger });
  const crashing: Mailer = {
    domain: smtp.domain,
    send: async (mail) => {
      await smtp.send(mail);
      return new Promise<never>(() => undefined);
    },
  };
  void openMails(crashing).sender.sendDue();
  await expect.poll(() => server.received.length).toBe(1);
  const { sender } = openMails(smtp);
  await sender.sendDue();
  expect(server.received).toHaveLength(1);
  world.clock.advance(minuteMs);
  await sender.sendDue();
  world.clock.advance(720 * minuteMs);
  await sender.sendDue();
  const ids = server.received.map(({ headers }) => headers.get("message-id"));
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^<\d+\.[\da-f]{24}@fava\.test>$/);
});

test("sends each mail once from several servers", async () => {
  const people = await Promise.all([world.person(), world.person(), world.person()]);
  for (const [at, userId] of people.entries()) {
    await confirmed(userId, `person${at}@example.org`);
  }
  for (const userId of people) for (let mail = 0; mail < 3; mail += 1) await addBan(userId);
  const { mailer, tried } = scripted();
  await Promise.all([1, 2, 3].map(() => openMails(mailer).sender.sendDue()));
  expect(tried).toHaveLength(9);
  expect(new Set(tried.map(({ id }) => id)).size).toBe(9);
});

test("[MAIL-9] sends at most ten mails a day to an address: drops the chosen ones above it and delays the others", async () => {
  const [ana, bo] = [await world.person(), await world.person()];
  await confirmed(ana, "ana@example.org");
  const { addresses, sender } = openMails();
  await addresses.update(ana, { kinds: [0] });
  for (let mail = 0; mail < mailsPerDayMax; mail += 1) await addReceipt(ana);
  await addReceipt(ana);
  await addresses.update(bo, { email: "ANA@example.org" });
  const matter = await addBan(ana);
  await sender.sendDue();
  expect(sender.figures.sent).toBe(mailsPerDayMax);
  const waiting = (await rows()).filter(({ state }) => state === "waiting");
  expect(waiting).toMatchObject([{ matter, due_at: new Date(world.clock.nowMs() + 86_400_000) }]);
  world.clock.advance(86_400_000);
  await sender.sendDue();
  expect(sender.figures.sent).toBe(mailsPerDayMax + 1);
});

test("[MAIL-9] delays mails to one address by as many days as ten a day need", async () => {
  const ana = await world.person();
  await confirmed(ana, "ana@example.org");
  const { sender } = openMails();
  const sentUntil = async (hours: number) => {
    world.clock.advance(hours * 60 * minuteMs);
    await sender.sendDue();
    return sender.figures.sent;
  };
  for (let mail = 0; mail < 2 * mailsPerDayMax; mail += 1) await addBan(ana);
  expect(await sentUntil(0)).toBe(mailsPerDayMax);
  await addBan(ana);
  expect(await sentUntil(24)).toBe(2 * mailsPerDayMax);
  await addBan(ana);
  expect(await sentUntil(23)).toBe(2 * mailsPerDayMax);
  expect(await sentUntil(1)).toBe(2 * mailsPerDayMax + 2);
});

test("[MAIL-9] counts mails that several transactions add at the same time", async () => {
  const ana = await world.person();
  await confirmed(ana, "ana@example.org");
  const { outbox } = openMails();
  const facts = { reasonId: 1, untilMs: null, by: "person" } as const;
  const together = Array.from({ length: mailsPerDayMax + 5 }, (_, at) =>
    world.database.db.transaction().execute(async (trx) => {
      await outbox.add(trx, { template: "ban", matter: `together:${at}`, facts, userId: ana });
      await trx.selectFrom("users").select("id").execute();
    }),
  );
  await Promise.all(together);
  const now = new Date(world.clock.nowMs());
  expect((await rows()).filter(({ due_at }) => due_at !== null && due_at <= now)).toHaveLength(mailsPerDayMax);
});

test("[MAIL-6] stops both kinds when two links are opened at the same time", async () => {
  const ana = await world.person();
  await confirmed(ana, "ana@example.org");
  const { addresses } = openMails();
  await addresses.update(ana, { kinds: [0, 1, 2] });
  const atMs = world.clock.nowMs();
  const kinds = ["receipt", "sign_in"] as const;
  await Promise.all(kinds.map((kind) => addresses.stop(tokens.stop({ userId: ana, atMs, kind }))));
  expect(await addresses.info(ana)).toMatchObject({ kinds: [2] });
});

test("[MAIL-6] confirms and stops by the button of a page or by one POST, never by opening the link", async () => {
  const ana = await world.person();
  const { addresses } = openMails();
  await addresses.update(ana, { email: "ana@example.org", kinds: [0, 1] });
  await using app = fastify();
  await mailPages(app, { addresses, limits: noLimits });
  const atMs = world.clock.nowMs();
  const confirm = `/api/user/mail/confirm?token=${tokens.confirm({ userId: ana, atMs })}&language=ar`;
  const opened = await app.inject(confirm);
  expect(opened).toMatchObject({ statusCode: 200, headers: { "referrer-policy": "no-referrer" } });
  expect(opened.body).toContain('<html lang="ar" dir="rtl">');
  expect(await addresses.info(ana)).toMatchObject({ email: null });
  expect((await app.inject({ method: "POST", url: confirm })).statusCode).toBe(200);
  expect(await addresses.info(ana)).toMatchObject({ email: "ana@example.org", kinds: [0, 1] });
  expect((await app.inject({ method: "POST", url: confirm })).statusCode).toBe(400);

  const stop = `/api/mail/stop?token=${tokens.stop({ userId: ana, atMs, kind: "receipt" })}&language=en`;
  expect((await app.inject(stop)).body).toContain("receipts");
  expect(await addresses.info(ana)).toMatchObject({ kinds: [0, 1] });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const request = { method: "POST", url: stop, headers, payload: "List-Unsubscribe=One-Click" } as const;
  expect((await app.inject(request)).statusCode).toBe(200);
  expect(await addresses.info(ana)).toMatchObject({ kinds: [1] });
  expect((await app.inject(request)).statusCode).toBe(200);
  for (const url of [
    "/api/mail/stop",
    "/api/mail/stop?token=x",
    "/api/mail/stop?token=a&token=b",
    confirm.slice(0, -20),
  ])
    expect((await app.inject({ ...request, url })).statusCode).toBe(400);
});

test("[MAIL-6] stops nothing at an address that the user confirmed later", async () => {
  const ana = await world.person();
  await confirmed(ana, "old@example.org");
  const old = tokens.stop({ userId: ana, atMs: world.clock.nowMs(), kind: "receipt" });
  world.clock.advance(1_000);
  await confirmed(ana, "new@example.org");
  const { addresses } = openMails();
  await addresses.update(ana, { kinds: [0] });
  expect(await addresses.stop(old)).toBe("receipt");
  expect(await addresses.info(ana)).toMatchObject({ kinds: [0] });
});

test("sends a test mail at once to the confirmed address, in the user's language, and stores nothing", async () => {
  const ana = await world.person();
  await world.database.db.updateTable("users").set({ language: "tr" }).where("id", "=", ana).execute();
  await confirmed(ana, "ana@example.org");
  await using server = await openMailServer();
  const { sender } = openMails(new SmtpMailer({ server: server.address, from: "help@fava.test", logger }));
  expect(await sender.sendTest(ana)).toBe("sent");
  expect(server.received).toMatchObject([{ to: ["ana@example.org"] }]);
  expect(server.received[0]?.headers.get("subject")).toBe("Fava’dan deneme e-postası");
  expect(await rows()).toEqual([]);
  expect(sender.figures).toMatchObject({ sent: 1 });
});

test("tells of a test mail whether the mail server refused it or is unreachable, and tries it only once", async () => {
  const ana = await world.person();
  await confirmed(ana, "ana@example.org");
  const outcomeWith = async (code: number) => {
    await using server = await openMailServer({ onRcptTo: (_to, _session, done) => done(refusal(code)) });
    const smtp = new SmtpMailer({ server: server.address, from: "help@fava.test", logger });
    return { smtp, outcome: await openMails(smtp).sender.sendTest(ana) };
  };
  expect(await outcomeWith(450)).toMatchObject({ outcome: "refused" });
  const { smtp, outcome } = await outcomeWith(550);
  expect(outcome).toBe("refused");
  expect(await openMails(smtp).sender.sendTest(ana)).toBe("unreachable");
  expect(await rows()).toEqual([]);
});

test("sends no test mail without a mail server, or to an address that is not confirmed", async () => {
  const ana = await world.person();
  const { mailer, tried } = scripted();
  const { addresses, sender } = openMails(mailer);
  expect(await sender.sendTest(ana)).toBe("no_address");
  await addresses.update(ana, { email: "ana@example.org" });
  expect(await sender.sendTest(ana)).toBe("no_address");
  await confirmed(ana, "ana@example.org");
  expect(await openMails(null).sender.sendTest(ana)).toBe("no_mail");
  expect(tried).toEqual([]);
});

import fastify from "fastify";
import { pino } from "pino";
import { expect, test } from "vitest";
import { exampleMail, mailerContract } from "#test/contracts/mailer-contract.ts";
import { openMailServer, type MailServer, type MailServerOptions, refusal } from "#test/fixtures/mail-server.ts";
import { SandboxMailer, sandboxMailRoutes } from "./sandbox-mailer.ts";
import { SmtpMailer, type SmtpMailerOptions } from "./smtp-mailer.ts";
import { readSmtpUrl } from "./smtp-url.ts";

const from = "help@fava.test";
const login = { user: "fava", pass: "a:pass@word" };

function mailerOf({ address }: Pick<MailServer, "address">, change: Partial<SmtpMailerOptions> = {}): SmtpMailer {
  return new SmtpMailer({ server: address, from, logger: pino({ level: "silent" }), ...change });
}

async function outcomeWith(options: MailServerOptions, change: Partial<SmtpMailerOptions> = {}) {
  await using server = await openMailServer(options);
  const outcome = await mailerOf(server, change).send(exampleMail);
  return { outcome, received: server.received.length };
}

mailerContract("SMTP", async () => {
  const server = await openMailServer();
  const dispose = () => server[Symbol.asyncDispose]();
  return { mailer: mailerOf(server), received: () => server.received, [Symbol.asyncDispose]: dispose };
});

mailerContract("sandbox", async () => {
  const mailer = new SandboxMailer();
  const received = () =>
    mailer.kept.map(({ id, to, subject, text, html, stopUrl }) => ({
      to: [to],
      text,
      html,
      headers: new Map([
        ["message-id", `<${id}>`],
        ["subject", subject],
        ["auto-submitted", "auto-generated"],
        ...(stopUrl === null
          ? []
          : ([
              ["list-unsubscribe", `<${stopUrl}>`],
              ["list-unsubscribe-post", "List-Unsubscribe=One-Click"],
            ] as const)),
      ]),
    }));
  return { mailer, received, [Symbol.asyncDispose]: async () => undefined };
});

test("signs in after STARTTLS", async () => {
  await using server = await openMailServer({ offersTls: true, login });
  expect(await mailerOf(server).send(exampleMail)).toBe("sent");
  expect(server.encrypted).toEqual([true]);
  await mailerOf(server).check();
});

test("sends nothing without TLS, or with a foreign certificate, to a mail server outside the own network", async () => {
  for (const offersTls of [false, true]) {
    await using server = await openMailServer({ offersTls });
    const outside = { ...server, address: { ...server.address, isLocal: false } };
    expect(await mailerOf(outside).send(exampleMail)).toBe("unreachable");
    expect(server.received).toEqual([]);
    await expect(mailerOf(outside).check()).rejects.toThrow(/TLS|certificate/);
  }
});

test("calls a mail server with a wrong password unreachable, since all mails would fail", async () => {
  await using server = await openMailServer({ login });
  const wrong = { ...server, address: { ...server.address, login: { ...login, pass: "wrong" } } };
  expect(await mailerOf(wrong).send(exampleMail)).toBe("unreachable");
  await expect(mailerOf(wrong).check()).rejects.toThrow("535");
});

test("[MAIL-4] tells a refusal for good from one for now, by address, mail and sender", async () => {
  expect(await outcomeWith({ onRcptTo: (_to, _session, done) => done(refusal(550)) })).toMatchObject({
    outcome: "bounced",
  });
  expect(await outcomeWith({ onRcptTo: (_to, _session, done) => done(refusal(450)) })).toMatchObject({
    outcome: "failed",
  });
  expect(await outcomeWith({ afterData: (done) => done(refusal(552)) })).toMatchObject({ outcome: "bounced" });
  expect(await outcomeWith({ afterData: (done) => done(refusal(451)) })).toMatchObject({ outcome: "failed" });
  expect(await outcomeWith({ onMailFrom: (_from, _session, done) => done(refusal(553)) })).toMatchObject({
    outcome: "unreachable",
  });
  expect(await outcomeWith({ onConnect: (_session, done) => done(refusal(421)) })).toMatchObject({
    outcome: "unreachable",
  });
});

test("stops waiting for a mail server that hangs at the greeting, at an address or after the mail", async () => {
  const hangs: MailServerOptions[] = [
    { onConnect: () => undefined },
    { onRcptTo: () => undefined },
    { afterData: () => undefined },
  ];
  for (const options of hangs)
    expect(await outcomeWith(options, { answerMs: 100 })).toEqual({ outcome: "unreachable", received: 0 });
  expect(await outcomeWith({ afterData: () => undefined }, { sendMs: 150 })).toMatchObject({ outcome: "unreachable" });
});

test("[MAIL-8] writes the domain of an address in ASCII, which every mail server reads", async () => {
  await using server = await openMailServer();
  expect(await mailerOf(server).send({ ...exampleMail, to: "ana@BÜCHER.example" })).toBe("sent");
  expect(server.received[0]?.headers.get("to")).toBe("ana@xn--bcher-kva.example");
});

test("names no version of its mail library", async () => {
  await using server = await openMailServer();
  await mailerOf(server).send(exampleMail);
  expect([...(server.received[0]?.headers.keys() ?? [])].toSorted()).toEqual([
    "auto-submitted",
    "content-type",
    "date",
    "from",
    "list-unsubscribe",
    "list-unsubscribe-post",
    "message-id",
    "mime-version",
    "subject",
    "to",
  ]);
});

test.each([
  [
    "smtps://fava:a%3Apass%40word@mail.fava.test",
    { host: "mail.fava.test", port: 465, isTls: true, login, isLocal: false },
  ],
  ["smtp://fava:a%3Apass%40word@mail.fava.test:2525", { port: 2_525, isTls: false, login, isLocal: false }],
  ["smtp://mail", { host: "mail", port: 587, login: null, isLocal: true }],
  ["smtp://10.0.0.7:25", { isLocal: true }],
  ["smtp://[fd00::7]:25", { host: "fd00::7", isLocal: true }],
  ["smtp://203.0.113.7", { isLocal: true }],
  ["smtp://8.8.8.8", { isLocal: false }],
])("reads %s", (text, expected) => {
  expect(readSmtpUrl(text)).toMatchObject(expected);
});

test.each([
  "mail.fava.test",
  "http://mail.fava.test",
  "smtp://",
  "smtp://fava@mail.fava.test",
  "smtp://:word@mail.fava.test",
  "smtp://fava:%@mail.fava.test",
  "smtp://mail.fava.test/?tls.rejectUnauthorized=false",
  "smtp://mail.fava.test/path",
])("reads no mail server from %s", (text) => {
  expect(readSmtpUrl(text)).toBeNull();
});

test("shows the sandbox mailbox to this machine, and to no request that a proxy forwarded", async () => {
  await using app = fastify();
  const sandbox = new SandboxMailer();
  await sandboxMailRoutes(app, sandbox);
  await sandbox.send({ ...exampleMail, subject: "<script>" });
  for (const url of ["/sandbox/mail", "/sandbox/mail/messages"]) {
    expect((await app.inject({ url, remoteAddress: "203.0.113.5" })).statusCode).toBe(403);
    expect((await app.inject({ url, headers: { "x-forwarded-for": "127.0.0.1" } })).statusCode).toBe(403);
    expect((await app.inject(url)).statusCode).toBe(200);
  }
  const page = (await app.inject("/sandbox/mail")).body;
  expect(page).toContain("ana@example.org");
  expect(page).not.toContain("<script>");
});

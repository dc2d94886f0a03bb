import { beforeAll, beforeEach, expect, test } from "vitest";
import { countryByCode } from "@fava/wire/countries.ts";
import { noCallEvidence } from "#test/fixtures/matched.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import type { TextFindingKind } from "#ports/text-rules.ts";
import { ChatFilter } from "./chat-filter.ts";
import { ConductService } from "./conduct-service.ts";
import { RecordQueue } from "./record-queue.ts";
import type { Scan } from "./delivered-text.ts";
import { ReportService } from "./report-service.ts";
import { markReported, ruleRates, TextFindings } from "./text-findings.ts";
import { textHandlers } from "./moderation-routes.ts";
import { scanText, TextRulesService } from "./text-service.ts";

const dayMs = 86_400_000;
let world: ModerationWorld;
let ana: bigint;
let readers: bigint[];

beforeAll(async () => {
  world = await ModerationWorld.open();
});

beforeEach(async () => {
  await world.db.deleteFrom("text_findings").execute();
  ana = await world.person();
  readers = await Promise.all([1, 2, 3, 4].map(() => world.person()));
});

/** One server: it records findings and applies the text policy. */
function server(scan: Scan = () => []) {
  const { db, clock, logger } = world;
  const recordQueue = new RecordQueue({ logger });
  const findings = new TextFindings({ db, clock, recordQueue });
  const filter = new ChatFilter({ clock, scan, log: findings });
  const { moderation } = world;
  const parts = { clock, logger, moderation, filter, findings, recordQueue, linesOf: () => [] };
  const conduct = new ConductService({ ...parts, botsDryRun: true });
  return { findings, filter, recordQueue, idle: () => recordQueue.idle(), conduct };
}

let lines = 0;
const line = (
  readerId: bigint | null,
  kind: TextFindingKind,
  change: Partial<Parameters<TextFindings["note"]>[0]> = {},
) => {
  lines += 1;
  const finding = { kind, confidence: "sure" as const, ruleId: `contact:${kind}` };
  const about = {
    readerId,
    place: "call" as const,
    lineRef: `line-${lines}`,
    callId: "call-1",
  };
  return { writerId: ana, ...about, findings: [finding], ...change };
};
const rows = () => world.db.selectFrom("text_findings").selectAll().orderBy("id").execute();
const casesOf = (subject: bigint) =>
  world.db.selectFrom("cases").select(["rule", "queue", "state"]).where("subject_id", "=", subject).execute();
const mutedUntil = async () => (await world.moderation.restrictionsOf(ana)).mutedUntil;

test("[TEXT-66] does nothing about any number of findings to two readers, or to three in more than a day", async () => {
  const { findings, idle } = server();
  for (let time = 0; time < 5; time += 1)
    for (const reader of readers.slice(0, 2)) await findings.note(line(reader, "phone"));
  world.clock.advance(dayMs + 1);
  await findings.note(line(readers[2]!, "phone"));
  await idle();
  expect(await casesOf(ana)).toEqual([]);
  const { mutedUntil: muted, isWatched, startsCovered } = await world.moderation.restrictionsOf(ana);
  // `startsCovered` is true for every new account, and no other signal watches this one.
  expect({ muted, isWatched, startsCovered }).toEqual({ muted: null, isWatched: false, startsCovered: true });
  expect(await world.auditOf(ana)).toEqual([]);
});

test("[TEXT-66] opens a case for findings to three readers on three servers at once, and mutes for an hour", async () => {
  const servers = [server(), server(), server()];
  await Promise.all(servers.map(({ findings }, index) => findings.note(line(readers[index]!, "link"))));
  await Promise.all(servers.map(({ idle }) => idle()));
  expect(await casesOf(ana)).toEqual([{ rule: "contact_in_chat", queue: "reports", state: "open" }]);
  expect(await mutedUntil()).toBe(world.clock.nowMs() + 3_600_000);
  expect(await world.auditOf(ana)).toEqual(["mute", "flag"]);
});

test("[TEXT-66] counts calls and messages together, and does not mute for abuse", async () => {
  const { findings, idle } = server();
  await findings.note(line(readers[0]!, "insult"));
  await findings.note(line(readers[1]!, "threat", { place: "message" }));
  await findings.note(line(readers[2]!, "hate"));
  await idle();
  expect(await casesOf(ana)).toEqual([{ rule: "abuse_in_chat", queue: "reports", state: "open" }]);
  expect(await mutedUntil()).toBeNull();
});

test("[TEXT-66] counts neither likely findings, nor undelivered texts, nor a line that is sent again", async () => {
  const { findings, idle } = server();
  const again = line(readers[0]!, "phone");
  for (let time = 0; time < 3; time += 1) await findings.note(again);
  await findings.note(line(readers[1]!, "phone", { lineRef: null, place: "message" }));
  const likely = { kind: "insult", confidence: "likely", ruleId: "en:1" } as const;
  await findings.note(line(readers[2]!, "insult", { findings: [likely] }));
  await findings.note(line(readers[3]!, "phone"));
  await idle();
  expect(await casesOf(ana)).toEqual([]);
  expect(await rows()).toHaveLength(3);
  expect(findings.figures).toEqual({ hits: { phone: 3 }, disputed: {} });
});

test("[TEXT-740] opens one restricted case for one line about a minor, and for more of them", async () => {
  const { findings, idle } = server();
  for (const reader of [readers[0]!, readers[0]!, null]) await findings.note(line(reader, "minor"));
  await idle();
  expect(await casesOf(ana)).toEqual([{ rule: "minor_in_text", queue: "restricted", state: "open" }]);
  expect(await mutedUntil()).toBeNull();
});

test("[TEXT-740] opens the case for a line about a minor in a flood of other findings", async () => {
  const { findings, idle, recordQueue } = server();
  let finish = () => {};
  const flood = new Promise<void>((resolve) => (finish = resolve));
  for (let count = 0; count < 1_000; count += 1) void recordQueue.add(() => flood);
  void findings.note(line(readers[1]!, "phone"));
  void findings.note(line(readers[0]!, "minor"));
  finish();
  await idle();
  expect((await rows()).map(({ kind }) => kind)).toEqual(["minor"]);
  expect(await casesOf(ana)).toMatchObject([{ rule: "minor_in_text" }]);
});

test("[TEXT-740] seals the line about a minor with its case, and no line of another finding", async () => {
  const { findings, idle } = server();
  await findings.note(line(readers[0]!, "minor", { lineRef: null, text: "the offence" }));
  for (const reader of readers.slice(1)) await findings.note(line(reader, "insult"));
  await idle();
  const { evidence } = world.moderation;
  const cases = await world.db
    .selectFrom("cases")
    .select(["id", "queue"])
    .where("subject_id", "=", ana)
    .orderBy("queue")
    .execute();
  const [reports, restricted] = await Promise.all(cases.map(({ id }) => evidence.of(id)));
  expect([reports, restricted?.length]).toEqual([[], 1]);
  expect(await evidence.linesOf(restricted![0]!)).toMatchObject([
    { from: "person", text: "", withheld: { how: "refused", original: "the offence" } },
  ]);
  // In the restricted queue, lines of a suspected minor's call are not kept.
  const at = new Date(world.clock.nowMs() + 1_000);
  const lines = [{ at: at.getTime(), from: "person" as const, text: "hello" }];
  await world.moderation.addEvidence(cases[1]!.id, [{ kind: "lines", at, lines }]);
  const kept = await evidence.of(cases[1]!.id);
  expect(kept.map(({ blob_key }) => blob_key !== null)).toEqual([true, false]);
});

test("leaves out disputed findings, counts each dispute once, and responds alike for an unknown line", async () => {
  const { findings, idle } = server();
  const texts = new TextRulesService({ db: world.db, log: findings });
  const { textDispute } = textHandlers({ db: world.db, clock: world.clock, findings, texts });
  const context = await world.contextOf(ana);
  const dispute = (client_id: string, who = context) =>
    textDispute(who, { user_id: 1, place: "call", text: "a line", client_id });
  const first = line(readers[0]!, "phone");
  await findings.note(first);
  await findings.note(line(readers[1]!, "phone"));
  expect(await dispute(first.lineRef!, await world.contextOf(readers[0]!))).toEqual({});
  expect((await rows()).map(({ disputed_at }) => disputed_at)).toEqual([null, null]);
  const at = new Date(world.clock.nowMs());
  expect(await dispute(first.lineRef!)).toEqual({});
  world.clock.advance(1_000);
  expect(await dispute(first.lineRef!)).toEqual({});
  expect(await dispute("never written")).toEqual({});
  expect((await rows()).map(({ disputed_at }) => disputed_at)).toEqual([at, null]);
  await findings.note(line(readers[2]!, "phone"));
  await idle();
  expect(await casesOf(ana)).toEqual([]);
  await findings.note(line(readers[3]!, "phone"));
  await idle();
  expect(await casesOf(ana)).toMatchObject([{ rule: "contact_in_chat" }]);
  expect(findings.figures.disputed).toEqual({ phone: 1 });
});

test("marks the findings of a refused text as disputed by rule and place", async () => {
  const { findings } = server();
  const texts = new TextRulesService({ db: world.db, log: findings });
  const { textDispute } = textHandlers({ db: world.db, clock: world.clock, findings, texts });
  const context = await world.contextOf(ana);
  for (const place of ["about", "location"] as const)
    await texts.require(ana, "write to ana@example.org or t.me/ana", place).catch(() => undefined);
  await textDispute(context, { user_id: 1, place: "about", text: "write to bo@example.org" });
  expect((await rows()).filter(({ disputed_at }) => disputed_at !== null)).toMatchObject([
    { place: "about", rule_id: "contact:email" },
  ]);
  expect(
    JSON.stringify(await rows().then((all) => all.map(({ rule_id, line_ref }) => [rule_id, line_ref]))),
  ).not.toContain("example");
});

test("counts a dispute of an undelivered line by its rules, each once, and leaves the restricted case", async () => {
  const { findings, idle, filter } = server(scanText);
  const texts = new TextRulesService({ db: world.db, log: findings });
  const { textDispute } = textHandlers({ db: world.db, clock: world.clock, findings, texts });
  const context = await world.contextOf(ana);
  const locale = { country: undefined, languages: ["en"] };
  const about = { userId: ana, readerId: readers[0]!, callId: "call-1", writer: locale, reader: locale };
  const text = "send me nudes of kids";
  expect(filter.evaluate({ ...about, clientId: "refused" }, text)).toEqual({ kind: "abusive" });
  await idle();
  const dispute = () => textDispute(context, { user_id: 1, place: "call", text, client_id: "refused" });
  await dispute();
  await dispute();
  const ofMinors = (await rows()).filter(({ kind }) => kind === "minor");
  expect(ofMinors.map(({ disputed_at }) => disputed_at)).toEqual([new Date(world.clock.nowMs())]);
  expect(findings.figures.disputed).toMatchObject({ minor: 1 });
  const { rows: rates } = await ruleRates(world.db, world.clock.nowMs());
  expect(rates.find(({ kind }) => kind === "minor")).toMatchObject({ writers: 1, disputed: 1 });
  expect(await casesOf(ana)).toEqual([{ rule: "minor_in_text", queue: "restricted", state: "open" }]);
});

test("reads a disputed message request for the reader to whom it was refused", async () => {
  const { findings } = server();
  const texts = new TextRulesService({ db: world.db, log: findings });
  const { textDispute } = textHandlers({ db: world.db, clock: world.clock, findings, texts });
  const country_id = countryByCode("DK")!.id;
  await world.db.updateTable("users").set({ country_id }).where("id", "=", readers[1]!).execute();
  const text = "it is 4952 4511";
  for (const readerId of readers.slice(0, 2)) {
    const written = { writerId: ana, readerId, place: "message", text } as const;
    const reading = await texts.read(written);
    if (reading.findings.length > 0) await texts.refusal(written, reading);
  }
  await textDispute(await world.contextOf(ana), { user_id: 1, place: "message", text });
  expect(await rows()).toMatchObject([
    { reader_id: readers[1], rule_id: "contact:phone", disputed_at: new Date(world.clock.nowMs()) },
  ]);
});

test("opens a case at once for a report, and marks the findings that its reporter received", async () => {
  const { findings, idle } = server();
  const directory = { isAcquainted: async () => true, unwrittenCalls: async () => [] };
  const parts = { ...world.parts, directory, moderation: world.moderation, callEvidence: noCallEvidence };
  await using reports = new ReportService(parts);
  const insult = line(readers[0]!, "insult");
  await findings.note(insult);
  await findings.note(line(readers[1]!, "insult"));
  const report = {
    reporterId: readers[0]!,
    reportedId: ana,
    reasonId: 5,
    callId: null,
    lineId: null,
    note: "",
  } as const;
  await reports.reportPerson(report);
  await idle();
  expect(await casesOf(ana)).toMatchObject([{ rule: "report" }]);
  expect((await rows()).map(({ reported_at }) => reported_at?.getTime() ?? null)).toEqual([world.clock.nowMs(), null]);
  // Disputing a line that the reader reported does not count against the rule.
  await findings.dispute({ writerId: ana, place: "call", what: { lineRef: insult.lineRef! } });
  const { rows: rates } = await ruleRates(world.db, world.clock.nowMs());
  expect(rates).toMatchObject([{ writers: 1, disputed: 0 }]);
  // The repeated report names a later line.
  const later = line(readers[0]!, "insult");
  await findings.note(later);
  await reports.reportPerson({ ...report, lineId: later.lineRef });
  expect((await rows()).map(({ reported_at }) => reported_at !== null)).toEqual([true, false, true]);
});

test("counts findings to more readers than three although all are disputed, and what its reader reported", async () => {
  const { findings, idle } = server();
  const strangers = [...readers, ...(await Promise.all([5, 6].map(() => world.person())))];
  const told = async (reader: bigint) => {
    const event = line(reader, "phone");
    await findings.note(event);
    await idle();
    return () => findings.dispute({ writerId: ana, place: "call", what: { lineRef: event.lineRef! } });
  };
  for (const reader of strangers.slice(0, 5))
    for (const dispute of [await told(reader), await told(reader)]) await dispute();
  expect(await casesOf(ana)).toEqual([]);
  await told(strangers[5]!);
  expect(await casesOf(ana)).toMatchObject([{ rule: "contact_in_chat" }]);

  ana = await world.person();
  for (const reader of readers.slice(0, 2)) await (await told(reader))();
  const at = new Date(world.clock.nowMs());
  for (const readerId of readers.slice(0, 2))
    await world.db.transaction().execute((trx) => markReported(trx, { writerId: ana, readerId, at }));
  await told(readers[2]!);
  expect(await casesOf(ana)).toMatchObject([{ rule: "contact_in_chat" }]);
});

test("lists rules by how many writers dispute them, each once, and marks those that more than one of five disputes", async () => {
  const { findings } = server();
  const [threat] = scanText("kill yourself");
  const people = await Promise.all([1, 2, 3, 4, 5].map(() => world.person()));
  const hit = async (
    kind: TextFindingKind,
    ruleId: string,
    { writers, disputing }: { writers: number; disputing: number },
  ) => {
    for (const [index, writerId] of people.slice(0, writers).entries())
      for (const reader of readers.slice(0, index < disputing ? 4 : 1)) {
        const event = line(reader, kind, { writerId, findings: [{ kind, confidence: "sure", ruleId }] });
        await findings.note(event);
        if (index < disputing) await findings.dispute({ writerId, place: "call", what: { lineRef: event.lineRef! } });
      }
  };
  await hit("phone", "contact:phone", { writers: 5, disputing: 1 });
  await hit("threat", threat!.ruleId, { writers: 5, disputing: 2 });
  await hit("link", "contact:link", { writers: 4, disputing: 4 });
  const { rows: rates } = await ruleRates(world.db, world.clock.nowMs());
  const of = (rule: string) => rates.find((one) => one.rule === rule);
  expect(rates.map(({ is_marked }) => is_marked)).toEqual([true, false, false]);
  expect(of(threat!.ruleId)).toMatchObject({
    kind: "threat",
    language: "en",
    writers: 5,
    disputed: 2,
    is_marked: true,
  });
  expect(of(threat!.ruleId)?.phrase).toContain("yourself");
  const contact = { language: null, phrase: null, is_marked: false };
  expect(of("contact:link")).toEqual({ rule: "contact:link", kind: "link", ...contact, writers: 4, disputed: 4 });
  expect(of("contact:phone")).toMatchObject({ writers: 5, disputed: 1, is_marked: false });
  world.clock.advance(30 * dayMs + 1);
  expect(await ruleRates(world.db, world.clock.nowMs())).toEqual({ rows: [] });
});

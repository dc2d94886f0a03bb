import { beforeEach, expect, test } from "vitest";
import { pino } from "pino";
import * as v from "valibot";
import { feedback } from "@fava/wire/endpoints/moderation.ts";
import type { CaseLine } from "@fava/wire/moderation.ts";
import type { ReportReason } from "@fava/wire/reasons.ts";
import type { EvidenceItem, EvidenceQuery, LiveEvidence } from "#ports/moderation.ts";
import { type PeerKey, type Peers, personKey } from "#ports/peers.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { troubledSite } from "#test/fixtures/peer-sites.ts";
import { CallEvidence } from "./call-evidence.ts";
import { reportHandlers } from "./moderation-routes.ts";
import { ReportService } from "./report-service.ts";

const logged: object[] = [];
const logger = pino({ level: "error" }, { write: (text) => void logged.push(JSON.parse(text) as object) });
let world: ModerationWorld;
let site: ReturnType<typeof troubledSite>;
let ana: bigint;
let bo: bigint;
let callId: string;

beforeEach(async () => {
  world = await ModerationWorld.open();
  site = troubledSite("here", "there");
  logged.length = 0;
  [ana, bo] = [await world.person(), await world.person()];
  callId = await world.call(ana, bo);
});

/** A server with these chat lines of the call in memory, given as `lineId: text`; `!` before a covered text. */
function server(peers: Peers, lines: readonly string[] | null) {
  const asked: EvidenceQuery[] = [];
  const live: LiveEvidence = {
    of: (query) => {
      asked.push(query);
      if (!lines) return { callId: query.callId, items: [] };
      return { callId, items: [linesOf(lines, query.lineId ?? null)] };
    },
  };
  const callEvidence = new CallEvidence({ live, peers, moderation: world.moderation, logger });
  const directory = { isAcquainted: async () => true, unwrittenCalls: async () => [] };
  const reports = new ReportService({ ...world.parts, directory, moderation: world.moderation, callEvidence });
  leftovers.push(callEvidence);
  leftovers.push(reports);
  const report = async (lineId?: string, id: ReportReason = 5) => {
    const input = { user_id: Number(ana), other_id: Number(bo), id, call_id: callId };
    const named = lineId === undefined ? input : { ...input, line_id: lineId };
    return reportHandlers(reports).feedback(await world.contextOf(ana), named);
  };
  return { asked, report, stored: () => callEvidence[Symbol.asyncDispose]() };
}

function linesOf(lines: readonly string[], reportedId: string | null): EvidenceItem {
  const evidence = lines.map((each, index): CaseLine => {
    const [id = "", text = ""] = each.split(": ");
    const covered = { how: "covered" as const, kind: "insult" as const, original: text, spans: [] };
    return {
      at: index,
      from: "person",
      text,
      ...(text.startsWith("!") && { withheld: covered }),
      ...(id === reportedId && { reported: true as const }),
    };
  });
  return { kind: "lines", at: new Date(world.clock.nowMs()), lines: evidence };
}

async function atTheDesk() {
  const caseId = await world.caseOf(bo);
  const moderator = await world.viewer(await world.administrator());
  return (await world.cases.caseService.read(moderator, caseId ?? 0n)).lines;
}
const reportedTexts = async () => (await atTheDesk()).filter((line) => line.reported).map(({ text }) => text);

test("shows which line was reported, and what was written under a cover", async () => {
  await server(site[0], ["a: hello", "b: !insult"]).report("b");
  const withheld = { how: "covered", kind: "insult", original: "!insult", spans: [] };
  expect(await atTheDesk()).toEqual([
    { at: 0, from: "person", text: "hello" },
    { at: 1, from: "person", text: "!insult", withheld, reported: true },
  ]);
});

test("keeps each line that a reporter names within a minute, in one report", async () => {
  const { report } = server(site[0], ["a: one", "b: two", "c: three"]);
  for (const lineId of ["a", "b", "b"]) {
    await report(lineId);
    world.clock.advance(1_000);
  }
  await report();
  expect(await reportedTexts()).toEqual(["one", "two"]);
  expect(await world.db.selectFrom("reports").select("id").where("reported_id", "=", bo).execute()).toHaveLength(1);
});

test("accepts the report of a line that no server remembers", async () => {
  await server(site[0], ["a: one"]).report("gone");
  expect(await reportedTexts()).toEqual([]);
  await server(site[1], null).report("a", 6);
  expect(await world.db.selectFrom("reports").select("id").where("reported_id", "=", bo).execute()).toHaveLength(2);
  expect(logged).toEqual([]);
});

test("keeps the reported line where sixty pictures of the case came first", async () => {
  const many = Array.from({ length: 80 }, (_, index) => world.frame({ at: new Date(index) }));
  await world.moderation.open(await world.flag(bo, { evidence: many, reasonId: 5 }));
  await server(site[0], ["a: the insult"]).report("a");
  expect(await reportedTexts()).toEqual(["the insult"]);
});

test.each<[string, () => PeerKey]>([
  ["home of the reported person", () => personKey(bo)],
  ["home of the reporter", () => personKey(ana)],
])("finds the lines at the %s", async (_where, keyOf) => {
  const [here, there] = [server(site[0], null), server(site[1], ["a: hello", "b: the insult"])];
  await site[1].own(keyOf());
  await here.report("b");
  await here.stored();
  await there.stored();
  expect(await reportedTexts()).toEqual(["the insult"]);
  expect(there.asked).toEqual([{ subjectId: bo, otherId: ana, callId, lineId: "b" }]);
});

test("asks no other server when this server hosts the call", async () => {
  const [here, there] = [server(site[0], ["a: hello"]), server(site[1], ["a: other"])];
  await site[1].own(personKey(bo));
  await here.report("a");
  expect(there.asked).toEqual([]);
});

test("accepts a report while the server with the call does not respond, and logs that", async () => {
  const here = server(site[0], null);
  site[0].isSilent = true;
  await here.report("a");
  await here.stored();
  expect(logged).toMatchObject([{ msg: "failed to request evidence of a call from other servers" }]);
  expect(await world.caseOf(bo)).toBeDefined();
});

test("[CASE-64] keeps no line, reported or withheld, in a case about a possible minor", async () => {
  await server(site[0], ["a: !insult", "b: two"]).report("b", 8);
  expect(await atTheDesk()).toEqual([]);
  expect(world.blobs.size).toBe(0);
});

test("[CASE-51] seals the written text like other evidence", async () => {
  await server(site[0], ["a: !insult"]).report("a");
  expect(world.blobs.size).toBeGreaterThan(0);
  for (const bytes of world.blobs.values()) expect(bytes.includes("insult")).toBe(false);
});

test("reads lines of evidence that was sealed before lines had more than a text", async () => {
  await world.moderation.open(await world.flag(bo, { evidence: [world.lines("as before")], reasonId: 5 }));
  expect(await atTheDesk()).toMatchObject([{ from: "person", text: "as before" }]);
});

test("rejects the id of a reported line beyond 128 letters", () => {
  const input = { user_id: 1, other_id: 2, id: 5, call_id: "call" };
  const isTaken = (lineId: string) => v.safeParse(feedback.input, { ...input, line_id: lineId }).success;
  expect([isTaken("x".repeat(128)), isTaken("x".repeat(129)), isTaken("")]).toEqual([true, false, false]);
});

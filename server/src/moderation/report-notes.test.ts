import { beforeEach, describe, expect, test } from "vitest";
import * as v from "valibot";
import { chatReport, feedback } from "@fava/wire/endpoints/moderation.ts";
import { evidenceKeptMs, reportNoteLengthMax } from "@fava/wire/limits.ts";
import type { ReportReason } from "@fava/wire/reasons.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { noCallEvidence } from "#test/fixtures/matched.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { reportHandlers } from "./moderation-routes.ts";
import { ReportService } from "./report-service.ts";

let world: ModerationWorld;
let handlers: ReturnType<typeof reportHandlers>;
let ana: bigint;
let bo: bigint;
let rae: bigint;

beforeEach(async () => {
  world = await ModerationWorld.open();
  const directory = { isAcquainted: async () => true, unwrittenCalls: async () => [] };
  const reports = new ReportService({
    ...world.parts,
    directory,
    moderation: world.moderation,
    callEvidence: noCallEvidence,
  });
  leftovers.push(reports);
  handlers = reportHandlers(reports);
  [ana, bo, rae] = [await world.person(), await world.person(), await world.administrator()];
});

const report = async (note: string, { by = ana, id = 5 }: { by?: bigint; id?: ReportReason } = {}) =>
  handlers.feedback(await world.contextOf(by), { user_id: Number(by), other_id: Number(bo), id, note });
const notes = async () => {
  const id = String(await world.caseOf(bo));
  const detail = await world.cases.handlers.adminCase(await world.contextOf(rae), { user_id: Number(rae), id });
  return detail.reports.map(({ note }) => note);
};

describe("the reporter's note", () => {
  test("is sealed, and shown at the desk beside its report, with contacts masked", async () => {
    await report("He asked for my number 5551234");
    await report("", { by: await world.person() });
    await report("  She cried  ", { by: await world.person() });
    expect(await notes()).toEqual(["He asked for my number *******", "", "She cried"]);
    expect([...world.blobs.values()].filter((bytes) => bytes.includes("He asked") || bytes.includes("cried"))).toEqual(
      [],
    );
    expect(world.blobs.size).toBe(2);
  });

  test("is kept also for a suspected minor, of whom no other text is", async () => {
    await report("She says that she is 15", { id: 8 });
    const caseId = (await world.caseOf(bo)) ?? 0n;
    await world.moderation.addEvidence(caseId, [world.frame(), world.lines("how old are you")]);
    expect(await notes()).toEqual(["She says that she is **"]);
    expect(world.blobs.size).toBe(1);
  });

  test("joins a report sent without it a moment before, once", async () => {
    await report("");
    await report("I was shouted at");
    await report("I was shouted at again");
    expect(await notes()).toEqual(["I was shouted at"]);
  });

  test("is left out when it is invisible, while the report counts; stacked marks are limited", async () => {
    await report("\u3164\u2800");
    await report(`rude${"\u0301".repeat(90)}`, { by: await world.person() });
    expect(await notes()).toEqual(["", `rude${"\u0301".repeat(4)}`]);
  });

  test("is stored in a case that is full of pictures", async () => {
    await report("");
    const caseId = (await world.caseOf(bo)) ?? 0n;
    for (let count = 0; count < 61; count += 1) {
      world.clock.advance(1_000);
      await world.moderation.addEvidence(caseId, [world.frame()]);
    }
    await report("There was more", { by: await world.person() });
    expect(await notes()).toEqual(["", "There was more"]);
  });

  test("is erased like evidence, and not before its case is decided", async () => {
    await report("He followed me");
    const caseId = (await world.caseOf(bo)) ?? 0n;
    world.clock.advance(evidenceKeptMs);
    await world.moderation.evidence.eraseDue();
    expect(await notes()).toEqual(["He followed me"]);
    const viewer = await world.viewer(rae);
    await world.withClaim(rae, `case:${caseId}`, () =>
      world.cases.decisions.operate(viewer, caseId, { operation: 1, note: "" }),
    );
    await world.moderation.evidence.eraseDue();
    expect(world.blobs.size).toBe(0);
    expect(await world.db.selectFrom("evidence").select("id").where("erased_at", "is", null).execute()).toEqual([]);
  });

  test("has at most 200 characters, about a user and about a message", () => {
    const input = { id: 5, user_id: 1, other_id: 2 };
    const takes = (note?: string) => ({
      person: v.safeParse(feedback.input, { ...input, note }).success,
      message: v.safeParse(chatReport.input, { ...input, message_id: "3", note }).success,
    });
    for (const note of [undefined, "", "x".repeat(reportNoteLengthMax)])
      expect(takes(note)).toEqual({ person: true, message: true });
    expect(takes("x".repeat(reportNoteLengthMax + 1))).toEqual({ person: false, message: false });
  });
});

describe("the background of a case without pictures of a call", () => {
  const background = async () => {
    const id = String(await world.caseOf(bo));
    const detail = await world.cases.handlers.adminCase(await world.contextOf(rae), { user_id: Number(rae), id });
    return detail.background;
  };

  test("shows photos, the last five calls with who ended them, and earlier reports", async () => {
    const earlier = await world.reported(bo, { reasonId: 6 });
    const viewer = await world.viewer(rae);
    await world.withClaim(rae, `case:${earlier}`, () =>
      world.cases.decisions.operate(viewer, earlier, { operation: 2, note: "" }),
    );
    const calls: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      world.clock.advance(3_600_000);
      const [one, other] = count % 2 === 0 ? [bo, ana] : [ana, bo];
      calls.push(await world.call(one, other));
    }
    const at = new Date(world.clock.nowMs());
    const ended = (callId: string | undefined, user_id: bigint) =>
      world.db
        .insertInto("call_events")
        .values({ call_id: callId ?? "", user_id, kind: "ended", at })
        .execute();
    await ended(calls[5], bo);
    await ended(calls[4], ana);
    await report("");
    const shown = await background();
    expect(shown?.photos).toEqual([`/photo-of-${bo}`]);
    expect(shown?.calls).toMatchObject([
      { at: at.getTime() - 60_000, seconds: 60, ended_by: "person" },
      { seconds: 60, ended_by: "other" },
      { ended_by: "nobody" },
      {},
      {},
    ]);
    expect(shown?.calls).toHaveLength(5);
    expect(shown?.reports).toMatchObject([{ reason_id: 6, operation: 2 }]);
  });

  test("is shown when no picture of a reported call was remembered, and not once there is one", async () => {
    const caseId = await world.reported(bo);
    expect(await background()).toMatchObject({ calls: [{ ended_by: "nobody" }] });
    await world.moderation.addEvidence(caseId, [world.frame()]);
    expect(await background()).toBeNull();
  });

  test("leaves out reports of a suspected minor, which only administrators read", async () => {
    await world.reported(bo, { reasonId: 8 });
    await report("");
    const id = (await world.db.selectFrom("cases").select("id").where("queue", "=", "reports").executeTakeFirst())?.id;
    const input = { user_id: Number(rae), id: String(id) };
    const detail = await world.cases.handlers.adminCase(await world.contextOf(rae), input);
    expect(detail.background?.reports).toEqual([]);
  });
});

import type { Kysely } from "kysely";
import { labelIds } from "@fava/wire/moderation.ts";
import type { ReadReplica } from "#db/replica.ts";
import type { Database } from "#db/schema.ts";
import { boundedCache } from "#lib/cache.ts";
import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import type { Clock } from "#ports/clock.ts";
import type { CaseSearch } from "./case-search.ts";
import { decisionPage } from "./decision-log.ts";
import type { DeskService, DeskViewer } from "./desk-service.ts";
import type { FrameAudit } from "./frame-audit.ts";
import { readShift, writeDeskText } from "./shift.ts";
import { moderationStatistics, transparencyReport } from "./statistics.ts";

/** The audit of random frames. */
export function auditHandlers(
  audit: Pick<FrameAudit, "list" | "look" | "answer">,
): Pick<Handlers, "adminSampleList" | "adminSampleLook" | "adminSampleOperate"> {
  return {
    adminSampleList: (context) => audit.list(viewerOf(context)),
    adminSampleLook: async (context, { id }) => ({ url: await audit.look(viewerOf(context), id) }),
    adminSampleOperate: async (context, { id, answer }) => {
      await audit.answer(viewerOf(context), id, answer);
      return {};
    },
  };
}

type DeskCalls =
  | "adminPerson"
  | "adminFind"
  | "adminSameIp"
  | "adminSameIpOperate"
  | "adminLabelList"
  | "adminLabeling"
  | "adminReset"
  | "adminImageDelete"
  | "adminImagesDelete"
  | "adminSetRole"
  | "adminNote"
  | "adminShift"
  | "adminShiftWrite"
  | "adminDecisionList"
  | "adminFigures"
  | "transparency";

/** The report covers 90 days and needs no sign-in, so it is cached. */
const reportKeptMs = 10_000;

interface DeskParts {
  db: Kysely<Database>;
  jobs: Kysely<Database>;
  replica: Pick<ReadReplica, "read">;
  clock: Clock;
  caseSearch: Pick<CaseSearch, "find">;
}

export function deskHandlers(
  desk: DeskService,
  { db, jobs, replica, clock, caseSearch }: DeskParts,
): Pick<Handlers, DeskCalls> {
  const reports = boundedCache<"report", ReturnType<typeof transparencyReport>>({
    entriesMax: 1,
    expiry: { clock, ttlMs: reportKeptMs },
  });
  const now = () => new Date(clock.nowMs());
  return {
    adminFigures: (_context, { days }) => replica.read(jobs, (db) => moderationStatistics(db, days, clock.nowMs())),
    transparency: () => {
      const known = reports.get("report");
      if (known) return known;
      const report = replica.read(jobs, (db) => transparencyReport(db, clock.nowMs()));
      reports.set("report", report);
      // A failure is not cached.
      report.catch(() => reports.delete("report"));
      return report;
    },
    adminPerson: (context, { other_id }) => desk.person(viewerOf(context), BigInt(other_id)),
    adminFind: async (context, { text, of }) => {
      const viewer = viewerOf(context);
      if (of === "names") return { ...(await desk.find(viewer, text)), excerpts: [], is_partial: false };
      return { people: [], ...(await caseSearch.find(viewer, text, now())) };
    },
    adminSameIp: async (context, { other_id, by }) => ({
      rows: await desk.linkedAccounts(viewerOf(context), BigInt(other_id), by),
    }),
    adminShift: (context) => readShift(db, viewerOf(context), now()),
    adminShiftWrite: async (context, { what, text }) => {
      await writeDeskText(db, viewerOf(context), { what, text, at: now() });
      return {};
    },
    adminDecisionList: (context, input) => decisionPage(db, viewerOf(context), { ...input, at: now() }),
    adminSameIpOperate: async (context, { other_id, linked_id, operation }) => {
      await desk.judgeLink(viewerOf(context), { userId: BigInt(other_id), linkedId: BigInt(linked_id), operation });
      return {};
    },
    adminLabelList: async () => ({ rows: labelIds.map((id) => ({ id })) }),
    adminLabeling: async (context, { other_id, label_id, on }) => ({
      labels: await desk.label(viewerOf(context), BigInt(other_id), { labelId: label_id, on: on === 1 }),
    }),
    adminReset: async (context, { other_id, field, note }) => {
      await desk.reset(viewerOf(context), BigInt(other_id), { field, note });
      return {};
    },
    adminImageDelete: async (context, { other_id, id, reason_id = null }) => {
      await desk.deleteImage(viewerOf(context), BigInt(other_id), { id, reasonId: reason_id });
      return {};
    },
    adminImagesDelete: async (context, { other_id, reason_id = null }) => {
      await desk.deleteImages(viewerOf(context), BigInt(other_id), reason_id);
      return {};
    },
    adminSetRole: async (context, { other_id, role }) => {
      await desk.setRole(viewerOf(context), BigInt(other_id), role);
      return {};
    },
    adminNote: async (context, { other_id, text }) => {
      await desk.note(viewerOf(context), BigInt(other_id), text);
      return {};
    },
  };
}

function viewerOf({ session, language }: SignedInContext): DeskViewer {
  return { userId: session.userId, role: session.role, language };
}

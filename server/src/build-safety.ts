import type { FastifyInstance } from "fastify";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Ledger } from "#billing/ledger.ts";
import { Periodic } from "#lib/tasks.ts";
import { inspectionHandlers } from "#calls/inspection-routes.ts";
import { InspectionService } from "#calls/inspection-service.ts";
import { inspectionSettingsDefault } from "#calls/inspection-settings.ts";
import type { MeterService } from "#calls/meter-service.ts";
import { netCostOf } from "#calls/meter-store.ts";
import type { CallService } from "#calls/room-service.ts";
import type { Database } from "#db/schema.ts";
import type { Hub } from "#edge/socket/hub.ts";
import { pushOwnDataChanged } from "#lib/own-data-pushes.ts";
import { appealHandlers } from "#moderation/appeal-routes.ts";
import { AppealService } from "#moderation/appeal-service.ts";
import { CaseDesk } from "#moderation/case-desk.ts";
import { findClusters } from "#moderation/clusters.ts";
import { ConductService } from "#moderation/conduct-service.ts";
import { Decisions } from "#moderation/decisions.ts";
import { deskHandlers } from "#moderation/desk-routes.ts";
import { DeskService, type DeskServiceOptions } from "#moderation/desk-service.ts";
import { EvidenceDesk, evidenceRoute } from "#moderation/evidence-desk.ts";
import { moderationHandlers } from "#moderation/moderation-routes.ts";
import { type Enforced, ModerationService } from "#moderation/moderation-service.ts";
import { maskContacts, scanAbuse, scanText } from "#moderation/text-service.ts";
import { runModerationUpkeep } from "#moderation/upkeep.ts";
import type { SessionService } from "#people/session-service.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { Random } from "#ports/random.ts";
import type { Settings } from "#ports/settings.ts";

export interface SafetyParts {
  db: Kysely<Database>;
  /** The same for work that may take long. */
  jobs: Kysely<Database>;
  clock: Clock;
  random: Random;
  hub: Hub;
  blobs: Blobs;
  serverSecret: string;
  logger: Logger;
  sessions: SessionService;
  settings: Pick<Settings, "moderation">;
  /** Null where an operator switched it off. */
  classifier: FrameClassifier | null;
}

/** What safety needs of parts that are built after it, and need it themselves. */
export interface Watched {
  calls: CallService;
  meters: MeterService;
}

const upkeepEveryMs = 300_000;
const clustersEveryMs = 3_600_000;
/** Of all pictures that are remembered: some 2,000 calls. */
const memoryBytesMax = 256 * 1_048_576;

/**
 * Moderation without what needs a call: cases, enforcement, and the rules for chat lines. Calls are made with it, and
 * then given to `watch`.
 */
export function buildModeration(parts: SafetyParts) {
  const { jobs, clock, hub, logger, sessions, settings } = parts;
  let watched: Watched | null = null;
  const enforced: Enforced = {
    banNotice: (userId) => sessions.banNotice(userId),
    endSessions: (userId) => sessions.endAllOf(userId, "banned"),
    cutCall: (userId) => {
      const current = watched?.calls.current(userId);
      if (!watched || !current) return null;
      watched.calls.cut(userId, "violation");
      return { callId: current.match.roomId, otherId: BigInt(current.match.user_Id) };
    },
    returnBeans: async (callId, userId) => {
      if (!watched) throw new Error("there are no calls yet");
      await watched.meters.creditCall({ callId, userId, reason: "moderated_call" });
    },
  };
  const moderation = new ModerationService({ ...parts, bus: hub, enforced });
  const { evidence, owed, warnings } = moderation;
  hub.listen({ arrived: (userId) => warnings.arrived(userId) });
  const conduct = new ConductService({
    clock,
    logger,
    moderation,
    contacts: (text) => scanText(text, undefined),
    abuse: scanAbuse,
    botsDryRun: settings.moderation.botsDryRun,
  });
  const timers = [
    new Periodic({
      clock,
      logger,
      name: "moderation upkeep",
      pauseMs: () => upkeepEveryMs,
      work: () => runModerationUpkeep({ db: jobs, clock, logger, evidence, owed }),
    }),
    new Periodic({
      clock,
      logger,
      name: "clusters",
      pauseMs: () => clustersEveryMs,
      work: async () =>
        void (await findClusters({ db: jobs, clock, moderation, dryRun: settings.moderation.botsDryRun })),
    }),
  ];
  return {
    moderation,
    conduct,
    /** From here on calls are looked at and cut. */
    watch: (to: Watched) => {
      watched = to;
      return watchCalls(parts, { ...to, moderation });
    },
    async [Symbol.asyncDispose](): Promise<void> {
      for (const timer of timers) await timer[Symbol.asyncDispose]();
      await conduct[Symbol.asyncDispose]();
      await warnings[Symbol.asyncDispose]();
    },
  };
}

export type BuiltModeration = ReturnType<typeof buildModeration>;

/** The inspection of calls. */
function watchCalls(
  { hub, classifier, settings, ...parts }: SafetyParts,
  { calls, moderation }: Watched & Pick<BuiltModeration, "moderation">,
): InspectionService {
  return new InspectionService({
    ...parts,
    bus: hub,
    calls,
    classifier,
    moderation,
    settings: { ...inspectionSettingsDefault, isShadow: settings.moderation.shadow },
    memoryBytesMax,
  });
}

/** The desk of moderators, appeals, and the reports about both. */
export function buildDesk(
  parts: Pick<SafetyParts, "db" | "jobs" | "clock" | "hub" | "sessions" | "settings" | "classifier">,
  safety: {
    built: BuiltModeration;
    inspection: InspectionService;
    ledger: Ledger;
    images: DeskServiceOptions["images"];
    forgetProfile: (userId: bigint) => void;
  },
) {
  const { db, clock, hub, sessions, settings, classifier } = parts;
  const { built, inspection, ledger } = safety;
  const { moderation } = built;
  const looks = new EvidenceDesk({ db, clock, evidence: moderation.evidence });
  const cases: CaseDesk = new CaseDesk({
    db,
    clock,
    evidence: moderation.evidence,
    person: (reader, userId) => desk.person(reader, userId),
    requireAppeal: (viewer, id) => appeals.requireOpenTo(viewer, id),
    mask: maskContacts,
    inspection: () => {
      if (!classifier) return "off";
      if (!inspection.isChecking()) return "down";
      return settings.moderation.shadow ? "shadow" : "on";
    },
  });
  const desk = new DeskService({
    ...parts,
    images: safety.images,
    profileChanged: (userId) => {
      safety.forgetProfile(userId);
      pushOwnDataChanged(hub, userId);
    },
    refreshSession: (userId) => sessions.refresh(userId),
    moderation,
    casesByNumber: (viewer, number) => cases.byNumber(viewer, number),
  });
  const appeals: AppealService = new AppealService({
    db,
    clock,
    sessions,
    balances: ledger,
    callCost: (callId, userId) => netCostOf(db, { callId, userId }),
    owed: moderation.owed,
    changed: (userId) => moderation.changed(userId),
    caseDetail: (viewer, caseId) => cases.read(viewer, caseId),
  });
  const decisions = new Decisions({ db, clock, bus: hub, moderation });
  return {
    handlers: {
      ...moderationHandlers({ desk: cases, decisions, looks }),
      ...deskHandlers(desk, parts),
      ...appealHandlers(appeals),
      ...inspectionHandlers(inspection),
    },
    routes: (app: FastifyInstance): void => evidenceRoute(app, looks),
  };
}

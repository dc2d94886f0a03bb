import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import type { Base } from "#lib/base.ts";
import { linkCaches } from "#lib/cache.ts";
import { addLabelledCounter } from "#lib/metric-registration.ts";
import { Periodic } from "#lib/tasks.ts";
import type { ImageService } from "#people/image-service.ts";
import type { NotificationService } from "#people/notification-service.ts";
import type { ProfileService } from "#people/profile-service.ts";
import type { SessionService } from "#people/session-service.ts";
import type { StandingService } from "#people/standing-service.ts";
import type { TextQuestionService } from "#people/text-question-service.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Bus } from "#ports/bus.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { LiveEvidence } from "#ports/moderation.ts";
import type { Peers } from "#ports/peers.ts";
import { AgeAsks, closeAskedCases, openAgeCase } from "./age-asks.ts";
import { hintsEnded } from "./age-hints.ts";
import { AppealAnswers } from "./appeal-answers.ts";
import { AppealService, type AppealServiceOptions } from "./appeal-service.ts";
import { AuthorityService } from "./authority-service.ts";
import { CallEvidence } from "./call-evidence.ts";
import { CaseSearch } from "./case-search.ts";
import { CaseService } from "./case-service.ts";
import { ChatFilter } from "./chat-filter.ts";
import { findClusters } from "./clusters.ts";
import { ConductService, type ConductServiceOptions } from "./conduct-service.ts";
import { RecordQueue } from "./record-queue.ts";
import { Decisions } from "./decisions.ts";
import { auditHandlers, deskHandlers } from "./desk-routes.ts";
import { DeskService } from "./desk-service.ts";
import { EvidenceAccess, evidenceRoute } from "./evidence-access.ts";
import { FrameAudit } from "./frame-audit.ts";
import { FrameSample } from "./frame-sample.ts";
import {
  appealAnswerHandlers,
  appealHandlers,
  moderationHandlers,
  reportHandlers,
  textHandlers,
} from "./moderation-routes.ts";
import { ModerationService } from "./moderation-service.ts";
import { authorityHandlers, noticeHandlers } from "./notice-routes.ts";
import { NoticeService } from "./notice-service.ts";
import { Outbox } from "./outbox-service.ts";
import { queueMetrics } from "./queue-metrics.ts";
import { Reopening } from "./reopening.ts";
import { ReportService, type ReportServiceOptions } from "./report-service.ts";
import { SampledFrames } from "./sampled-frames.ts";
import type { Sanctions } from "./sanctions.ts";
import { TextFindings } from "./text-findings.ts";
import { maskContacts, scanText, TextRulesService } from "./text-service.ts";
import { runModerationUpkeep } from "./upkeep.ts";

const sampleStoredEveryMs = 60_000;

export function openTexts({ base }: { base: Pick<Base, "db" | "clock" | "metrics" | "logger" | "disposal"> }) {
  const { db, clock, metrics, logger, disposal } = base;
  const recordQueue = disposal.use(new RecordQueue({ logger }));
  const findings = new TextFindings({ db, clock, recordQueue });
  textMetrics(metrics, findings);
  const filter = new ChatFilter({ clock, scan: scanText, log: findings });
  return { recordQueue, findings, filter, rules: new TextRulesService({ db, log: findings }) };
}

type Texts = ReturnType<typeof openTexts>;

export interface CallsOfModeration {
  cut: Sanctions["cutCall"];
  returnBeans: Sanctions["returnBeans"];
  costOf: AppealServiceOptions["callCost"];
  linesOf: ConductServiceOptions["linesOf"];
  readonly evidence: LiveEvidence;
  isChecking(): boolean;
}

interface ModerationParts {
  base: Base;
  adapters: {
    blobs: Blobs;
    /** Null if an operator switched the inspection off. */
    classifier: FrameClassifier | null;
  };
  bus: Bus;
  ledger: AppealServiceOptions["balances"];
  texts: Texts;
  people: {
    sessions: SessionService;
    standings: StandingService;
    social: ReportServiceOptions["directory"];
    profiles: ProfileService;
    profileChanged: (userId: bigint) => void;
    images: ImageService;
    questions: TextQuestionService;
    notifications: NotificationService;
    ages: { readonly hasVendor: boolean };
  };
  /** A function, because calls open after moderation. Used only once the server listens. */
  calls: () => CallsOfModeration;
}

export type ModerationDomain = ReturnType<typeof openModeration>;

export function openModeration(parts: ModerationParts) {
  const { base, texts, people } = parts;
  const { questions } = people;
  const { db, jobs, replica, clock } = base;
  const moderation = openCases(parts);
  const sampled = new SampledFrames({ ...base, blobs: parts.adapters.blobs });
  const audit = new FrameAudit({ db, clock, evidence: moderation.evidence, sampled, moderation });
  const { answers, outbox, appeals, desk, caseSearch, ...deciding } = openDesk(parts, moderation, sampled);
  const conduct = openConduct(parts, moderation);
  const reports = openReports(parts, moderation);
  const notices = openNotices(parts, moderation);
  shareInvalidations({ peers: base.peers, standings: people.standings, texts: texts.rules });
  return {
    service: moderation,
    conduct,
    ...upkeep(parts, { moderation, answers, sampled }),
    frameSample: openFrameSample(base, sampled),
    forPeople: {
      restrictionsOf: (userId: bigint) => moderation.restrictionsOf(userId),
      noteOf: (reportId: bigint, caseId: bigint) => moderation.evidence.noteOf(reportId, caseId),
      changed: (userId: bigint) => moderation.changed(userId),
      agePassed,
      ageFailed: openAgeCase,
    },
    outbox,
    /** Receive users who connect and disconnect, in this order. */
    listeners: [outbox],
    handlers: {
      ...reportHandlers(reports),
      ...moderationHandlers({ ...deciding, moderation, questions }),
      ...deskHandlers(desk, { db, jobs, replica, clock, caseSearch }),
      ...auditHandlers(audit),
      ...textHandlers({ db, clock, findings: texts.findings, texts: texts.rules }),
      ...appealHandlers(appeals),
      ...appealAnswerHandlers(appeals, answers),
      ...noticeHandlers(notices),
      ...authorityHandlers(new AuthorityService({ db, clock })),
    },
    routes: (app: FastifyInstance): void => evidenceRoute(app, deciding.evidenceAccess),
  };
}

function openCases({ base, adapters, bus, people, calls }: ModerationParts): ModerationService {
  const { db, clock, random, serverSecret, mails, logger } = base;
  const { blobs } = adapters;
  const sanctions: Sanctions = {
    banNotice: (userId) => people.sessions.banNotice(userId),
    endSessions: (userId) => people.sessions.endAllOf(userId, "banned"),
    cutCall: (userId) => calls().cut(userId),
    returnBeans: (callId, userId) => calls().returnBeans(callId, userId),
  };
  const { standings } = people;
  return new ModerationService({ db, clock, random, blobs, serverSecret, bus, mails, logger, sanctions, standings });
}

/** Draws frames for the audit, if the operator asks for any. Each server stores its own. */
function openFrameSample({ settings, random, clock, logger, disposal }: Base, store: SampledFrames): FrameSample {
  const weekly = settings.moderation.auditFramesWeekly;
  const sample = new FrameSample({ store, random, weekly });
  if (weekly === 0) return sample;
  const storing = { pauseMs: () => sampleStoredEveryMs, work: () => sample.flush() };
  disposal.use(new Periodic({ clock, logger, name: "frame sample", ...storing }), { name: "frame sample" });
  return sample;
}

function openDesk(parts: ModerationParts, moderation: ModerationService, sampled: SampledFrames) {
  const { base, adapters, bus, ledger: balances, people, calls } = parts;
  const { sessions, images, profiles, profileChanged, notifications, ages } = people;
  const { settings, db, clock, limits, mails, logger, disposal } = base;
  const { evidence, pendingCredits } = moderation;
  const refreshSession = (userId: bigint) => sessions.refresh(userId);
  const mask = maskContacts;
  const caseSearch = new CaseSearch({ db, evidence, mask });
  const desk = new DeskService({ db, clock, images, profiles, moderation, profileChanged, refreshSession });
  const ageAsks = new AgeAsks({ db, clock, bus, moderation, hasVendor: () => ages.hasVendor, mails });
  const cases = new CaseService({
    db,
    clock,
    evidence,
    ageAsks,
    person: (reader, userId) => desk.person(reader, userId),
    mask,
    images,
    inspection: () => {
      if (!adapters.classifier) return "off";
      if (!calls().isChecking()) return "down";
      return settings.moderation.shadow ? "shadow" : "on";
    },
  });
  const answers = new AppealAnswers({ db, clock, limits, notifications, logger });
  const outbox = disposal.use(new Outbox({ db, clock, bus, notifications, answers, logger }));
  const appeals = new AppealService({
    db,
    clock,
    sessions,
    balances,
    callCost: (callId, userId) => calls().costOf(callId, userId),
    pendingCredits,
    changed: (userId) => moderation.changed(userId),
    answers,
    mails,
    caseDetail: (viewer, caseId) => cases.read(viewer, caseId),
  });
  const decisions = new Decisions({ db, clock, moderation });
  const reopening = new Reopening({ db, clock, moderation });
  const evidenceAccess = new EvidenceAccess({ db, clock, evidence, sampled });
  return { answers, outbox, appeals, cases, desk, caseSearch, decisions, ageAsks, reopening, evidenceAccess };
}

function openConduct({ base, texts, calls }: ModerationParts, moderation: ModerationService): ConductService {
  const { settings, clock, logger, disposal } = base;
  const { recordQueue, filter, findings } = texts;
  const { botsDryRun } = settings.moderation;
  const linesOf: ConductServiceOptions["linesOf"] = (about) => calls().linesOf(about);
  return disposal.use(
    new ConductService({ clock, recordQueue, logger, moderation, filter, findings, linesOf, botsDryRun }),
  );
}

function openReports({ base, people, calls }: ModerationParts, moderation: ModerationService): ReportService {
  const { db, clock, peers, logger, disposal } = base;
  const directory = people.social;
  const live: LiveEvidence = { of: (query, late) => calls().evidence.of(query, late) };
  const callEvidence = disposal.use(new CallEvidence({ live, peers, moderation, logger }));
  return disposal.use(new ReportService({ db, clock, directory, moderation, callEvidence, logger }));
}

function openNotices({ base, people }: ModerationParts, moderation: ModerationService): NoticeService {
  const { db, clock, random, serverSecret, mails, metrics, logger } = base;
  const { images, profileChanged } = people;
  const changed = (userId: bigint) => moderation.changed(userId);
  queueMetrics({ db, clock, metrics, logger });
  return new NoticeService({ db, clock, random, serverSecret, mails, images, profileChanged, changed });
}

function upkeep(
  { base }: ModerationParts,
  { moderation, answers, sampled }: { moderation: ModerationService; answers: AppealAnswers; sampled: SampledFrames },
) {
  const { settings, jobs: db, clock, logger } = base;
  const { evidence, pendingCredits } = moderation;
  const dryRun = settings.moderation.botsDryRun;
  return {
    findClusters: () => findClusters({ db, clock, moderation, dryRun }),
    upkeep: () => runModerationUpkeep({ db, clock, logger, evidence, pendingCredits, answers, sampled }),
  };
}

export function shareInvalidations(parts: {
  peers: Peers;
  standings: StandingService;
  texts: Pick<TextRulesService, "locales">;
}): void {
  const { peers, standings, texts } = parts;
  standings.cache.onForgotten((userId) => texts.locales.forget(userId));
  linkCaches(peers, { country: texts.locales });
}

function textMetrics(metrics: Registry, findings: Pick<TextFindings, "figures">): void {
  addLabelledCounter(metrics, {
    name: "fava_text_findings_total",
    help: "Findings in texts that were hidden, covered or refused, by kind",
    label: "kind",
    read: () => findings.figures.hits,
  });
  addLabelledCounter(metrics, {
    name: "fava_text_disputes_total",
    help: "Findings that their writers disputed, by kind",
    label: "kind",
    read: () => findings.figures.disputed,
  });
}

async function agePassed(...passed: Parameters<typeof closeAskedCases>): Promise<void> {
  await closeAskedCases(...passed);
  await hintsEnded(...passed);
}

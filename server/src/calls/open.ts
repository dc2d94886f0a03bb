import type { Kysely } from "kysely";
import type { Ledger } from "#billing/ledger.ts";
import { CallDays } from "#db/call-days.ts";
import type { Processes } from "#db/processes.ts";
import type { Database } from "#db/schema.ts";
import type { Base } from "#lib/base.ts";
import { PeerRetries } from "#lib/peer-retries.ts";
import { Periodic } from "#lib/tasks.ts";
import type { Tracer } from "#lib/tracer.ts";
import type { ModerationService } from "#moderation/moderation-service.ts";
import type { ProfileService } from "#people/profile-service.ts";
import type { RingCalls } from "#people/ring-service.ts";
import type { SocialService } from "#people/social-service.ts";
import type { PriceBook } from "#ports/billing.ts";
import type { Bus } from "#ports/bus.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { Handlers } from "#ports/handlers.ts";
import type { Leases } from "#ports/leases.ts";
import type { MediaRelay } from "#ports/media.ts";
import type { FrameSampler } from "#ports/moderation.ts";
import { processKey } from "#ports/peers.ts";
import type { Epoch, ProcessId } from "#ports/room-claims.ts";
import type { ChatMessageFilter } from "#ports/text-rules.ts";
import { busyPeople } from "./busy-people.ts";
import { CallAdoption } from "./call-adoption.ts";
import { callCutter } from "./call-cutter.ts";
import { callMetrics, takeOverMetrics } from "./call-metrics.ts";
import { CallLocator } from "./call-locator.ts";
import { CallStore } from "./call-store.ts";
import { CallTickets } from "./call-tickets.ts";
import { CallsHandover } from "./calls-handover.ts";
import { frameHandlers } from "./frame-routes.ts";
import { InspectionService } from "./inspection-service.ts";
import { inspectionSettingsDefault } from "./inspection-settings.ts";
import { answeredAtHome } from "./home-endpoints.ts";
import { LiveFigures } from "./live-figures.ts";
import { matchHandlers } from "./match-routes.ts";
import type { MatchAges, RematchRequests } from "./match-eligibility.ts";
import { type FirstSearchStore, MatchService } from "./match-service.ts";
import { type MeterService, openMeters } from "./meter-service.ts";
import { MovedCalls } from "./moved-calls.ts";
import { netCostOf } from "./meter-store.ts";
import { type CallRecovery, recoverCalls, RunningCalls } from "./room-claims.ts";
import { RelayedBytes } from "./relayed-bytes.ts";
import { RoomMetrics } from "./room-metrics.ts";
import { type RoomEventConsumer, RoomEvents } from "./room-events.ts";
import { CallService } from "./room-service.ts";
import type { SearchSite, WaitingSearch } from "./search-pool.ts";
import { SiteMatchPool } from "./site-match-pool.ts";
import { unwrittenCalls } from "./unwritten-calls.ts";

/** Limit of searches and rooms at one server. */
const searchesMax = 50_000;
const roomsMax = 25_000;
/** Limit of memory for stored frames, enough for about 2,000 calls. */
const inspectionBytesMax = 256 * 1_048_576;
/** A stopping server writes costs and ends of calls, each of which may take as long as the statement timeout. */
const writing = { limitMs: 12_000 };
const daysMadeEveryMs = 3_600_000;
/** How long to keep asking another server to send a found user's page here, in milliseconds. */
const comeMs = 1_500;

interface CallParts {
  base: Base;
  adapters: {
    media: MediaRelay;
    /** Null if an operator switched the inspection off. */
    classifier: FrameClassifier | null;
    tracer: Tracer;
  };
  /** Connections for the call log only. */
  log: Kysely<Database>;
  bus: Bus;
  /** The chat sessions of this server. */
  hub: {
    isHere(userId: bigint): boolean;
    move(userId: bigint, to: ProcessId): boolean;
    canMove(userId: bigint): boolean;
    cut(userId: bigint): void;
  };
  /** The other servers of the site; null for a single server. */
  site: {
    leases: Leases;
    servers: { readonly meetingPlace: ProcessId | null } | null;
    homes: () => {
      /** Makes this server the home of a user whose call it has adopted, or sends the user's page here. */
      callHere(userId: bigint, roomId: string, epoch: Epoch): Promise<"coming" | "elsewhere" | "taken" | "awaited">;
      /** Call when the user's call at this server has ended. */
      callOver(userId: bigint): void;
    };
  } | null;
  processes: Processes;
  ledger: Ledger;
  prices: PriceBook;
  chatFilter: ChatMessageFilter;
  people: {
    social: SocialService;
    profiles: ProfileService;
    rematchRequests: RematchRequests;
    /** Refuses users who must pass an age check first. */
    ages: MatchAges;
    /** Receives a search that has waited for 5 s or 15 s. */
    tells: { waited(search: WaitingSearch): void };
    firstSearches: FirstSearchStore;
    /** Handlers of rings, which the caller's home answers. */
    ringHandlers: Pick<Handlers, "ring" | "ringAnswer" | "ringCancel" | "ringMute">;
  };
  moderation: ModerationService;
  /** Receives room events after the meters. */
  conduct: RoomEventConsumer;
  frameSample: FrameSampler;
}

export type Calls = Awaited<ReturnType<typeof openCalls>>;

/** Creates matching, rooms, the meters of calls and the inspection of frames. */
export async function openCalls(parts: CallParts) {
  const { base, adapters, log: db, bus, processes, ledger, people, conduct } = parts;
  const { clock, random, peers, logger, disposal } = base;
  const runningCalls = new RunningCalls({ db: base.db, clock });
  const { hub, site } = parts;
  const tickets = site && new CallTickets(base.serverSecret);
  const callDays = await openCallDays(base);
  const log = disposal.use(new CallStore({ db, self: processes.self, clock, logger }), writing);
  const events = new RoomEvents({ logger });
  const moved = disposal.use(new MovedCalls({ peers, clock }));
  const calls = openRooms(parts, { tickets, moved, log, events });
  const { ownPauseMs } = base.settings;
  const meters = disposal.use(openMeters({ db: base.db, ledger, bus, calls, clock, logger, ownPauseMs }), writing);
  const inspection = openInspection(parts, { calls, meters });
  const matches = openMatching(parts, { calls, meters, inspection });
  const relayedBytes = new RelayedBytes(clock);
  const { classifier } = adapters;
  callMetrics(base.metrics, { matches, calls, callDays, meters, inspection, classifier, relayedBytes });
  const reportCount = () => parts.moderation.reportCount;
  const live = disposal.use(new LiveFigures({ matches, calls, reportCount, clock, logger }));
  // Each consumer receives each room event, in this order.
  const observers = [new RoomMetrics(base.metrics, clock), live, relayedBytes];
  events.deliverTo([meters, conduct, inspection, matches, homesOf(parts), ...observers]);
  const adoption = openAdoption(parts, { runningCalls, calls, meters, matches });
  const find = (userId: bigint) => {
    const { roomId } = calls.current(userId)?.match ?? {};
    if (roomId !== undefined) adoption.find(roomId, userId);
  };
  const handover = disposal.use(new CallsHandover({ calls, matches, checks: inspection.search, find, clock, logger }));
  let callLocator: CallLocator | null = null;
  const move = (userId: bigint, to: ProcessId) => void hub.move(userId, to);
  const matching = {
    ...matchHandlers({ matches, calls, callLocator: () => callLocator, move, media: adapters.media, random }),
    ...people.ringHandlers,
    ...frameHandlers(inspection, clock),
  };
  const hasCall = (userId: bigint) => handover.hasCall(userId);
  const startedByRequest = (userId: bigint) => handover.startedByRequest(userId);
  return {
    rooms: calls,
    matches,
    inspection,
    handover,
    callDays,
    forPeople: forPeople(parts, { calls, matches }),
    forModeration: forModeration(parts, { calls, meters, inspection }),
    /** Adopts the calls of dead servers now and later. Returns what finds the calls of users who connect. */
    recover: async (): Promise<CallLocator | null> => {
      const recovery = await recoverCalls(processes, { db: base.db, ledger, clock, log, adoption, logger, peers });
      takeOverMetrics(base.metrics, { calls, recovery });
      callLocator = openCallLocator(parts, { recovery, tickets, runningCalls, calls, meters });
      return callLocator;
    },
    /** Call when the server is about to stop, so that no search or call begins at it. */
    leave: (): void => {
      matches.leave();
      handover.leave();
    },
    /** Facts about this server for the other servers. */
    facts: () => ({
      busyPeople: matches.counts.searching + 2 * calls.roomCount,
      hasMatcher: matches.poolFigures.hasMatcher,
    }),
    liveCounts: () => live.counts(),
    dayTotals: () => ({ ...live.searchTotals, relayed: relayedBytes.totals }),
    /** Whether the user searches or is in a call at this server. */
    isBusy: (userId: bigint) => matches.isBusy(userId),
    /** Receive users who connect and disconnect, in this order. */
    listeners: [people.social.blocks, matches, inspection.search, handover, relayedBytes],
    handlers: {
      ...answeredAtHome(matching, { bus, peers, hasCall, startedByRequest, clock }),
    },
  };
}

/** Releases the home of a user whose call has ended and whose page is gone. */
function homesOf({ site }: CallParts): RoomEventConsumer {
  return {
    onRoomEvent(event) {
      if (event.kind !== "ended") return;
      for (const { userId } of [event.people.offerer, event.people.answerer]) site?.homes().callOver(userId);
    },
  };
}

/** Creates the daily partitions of the call tables in advance. */
async function openCallDays(base: Base): Promise<CallDays> {
  const { jobs: db, clock, logger, disposal } = base;
  const callDays = new CallDays({ db, clock });
  // Each server does this, because its metrics count the days that it knows. For an existing day it is only a look-up.
  const making = { pauseMs: () => daysMadeEveryMs, work: () => callDays.makeAhead() };
  disposal.use(new Periodic({ clock, logger, name: "days of calls", ...making }), { name: "days of calls" });
  // If this fails, the server that writes a call creates the missing day.
  await callDays
    .makeAhead()
    .catch((error: unknown) => logger.warn({ err: error }, "failed to create days of calls ahead"));
  return callDays;
}

function openRooms(
  { base, adapters, bus, chatFilter }: CallParts,
  own: { tickets: CallTickets | null; moved: MovedCalls; log: CallStore; events: RoomEvents },
): CallService {
  const { clock, random } = base;
  const { media, tracer } = adapters;
  const { tickets, moved, log, events } = own;
  return new CallService({
    bus,
    media,
    log,
    chatFilter,
    events,
    clock,
    random,
    tracer,
    roomsMax,
    ...(tickets && { tickets, moved }),
  });
}

function openCallLocator(
  { base, processes: { self } }: CallParts,
  own: {
    recovery: CallRecovery;
    tickets: CallTickets | null;
    runningCalls: RunningCalls;
    calls: CallService;
    meters: MeterService;
  },
): CallLocator | null {
  const { tickets, ...rest } = own;
  const { clock, peers, disposal } = base;
  return tickets && disposal.use(new CallLocator({ self, tickets, clock, peers, ...rest }));
}

function openInspection(
  { base, adapters, bus, moderation, frameSample: sampler }: CallParts,
  { calls, meters }: { calls: CallService; meters: MeterService },
): InspectionService {
  const { clock, random, peers, logger, disposal } = base;
  return disposal.use(
    new InspectionService({
      bus,
      peers,
      calls,
      meters,
      classifier: adapters.classifier,
      moderation,
      sampler,
      settings: {
        ...inspectionSettingsDefault,
        isShadow: base.settings.moderation.shadow,
        openNsfwDecides: base.settings.moderation.openNsfw === "on",
        readsFaces: base.settings.moderation.ageHints !== "off",
        facesAct: base.settings.moderation.ageHints === "on",
        stillActs: !base.settings.moderation.botsDryRun,
      },
      loopsAct: !base.settings.moderation.botsDryRun,
      clock,
      random,
      logger,
      memoryBytesMax: inspectionBytesMax,
    }),
  );
}

interface Matching {
  calls: CallService;
  meters: MeterService;
  inspection: InspectionService;
}

/** Opens matching with exclusions and rematch requests. On shutdown `openDoor` ends it before the rooms. */
function openMatching(parts: CallParts, { calls, meters, inspection }: Matching): MatchService {
  const { base, adapters, bus, prices, people, moderation } = parts;
  const { social, profiles, rematchRequests, tells, firstSearches } = people;
  const { settings, clock, logger } = base;
  const { blocks } = social;
  const site = openSite(parts);
  const matches = new MatchService({
    bus,
    calls,
    people: profiles,
    exclusions: blocks,
    rematchRequests,
    gate: moderation,
    ages: people.ages,
    firstSearches,
    availableBalances: meters,
    checks: inspection.search,
    prices,
    settings,
    clock,
    tracer: adapters.tracer,
    logger,
    searchesMax,
    ...(site && { site }),
  });
  matches.onWaited((search) => tells.waited(search));
  social.onBlocked((blockerId, blockedId) => matches.part(blockerId, blockedId));
  base.peers.serve("comeTo", async ({ search, otherId, to }) => matches.sendTo(search, otherId, to));
  return matches;
}

/** What searches need from the other servers; null for a single server. */
function openSite({ base, hub, site, people }: CallParts): SearchSite | null {
  if (!site) return null;
  const { clock, peers, logger, disposal } = base;
  const { blocks } = people.social;
  const retries = disposal.use(new PeerRetries(clock));
  const canMove = (userId: bigint) => hub.canMove(userId);
  const own = { peers, leases: site.leases, clock, logger, capacityMax: searchesMax, blocks, canMove };
  return {
    openPool: (nowMs) => new SiteMatchPool({ ...own, nowMs }),
    move: (userId, to) => hub.move(userId, to),
    gather: (userId) => {
      const place = site.servers?.meetingPlace ?? null;
      // After the cut, the client reconnects and the door passes its socket on.
      if (place !== null && place !== peers.self && !hub.canMove(userId)) hub.cut(userId);
    },
    comeTo: async ({ longer, newer, newerAt }) => {
      const words = { search: newer, otherId: longer.userId, to: peers.self };
      const ask = () => peers.ask("comeTo", processKey(newerAt ?? peers.self), words);
      return (await retries.within(comeMs, ask)) ?? false;
    },
  };
}

/** Opens what continues calls of dead servers. */
function openAdoption(
  { base, site, people: { profiles: people }, moderation: gate }: CallParts,
  own: {
    runningCalls: RunningCalls;
    calls: CallService;
    meters: MeterService;
    matches: MatchService;
  },
): CallAdoption {
  const { clock, logger, disposal } = base;
  const { runningCalls, calls, meters: availableBalances, matches } = own;
  const callHere: ConstructorParameters<typeof CallAdoption>[0]["callHere"] =
    site && ((userId, roomId, epoch) => site.homes().callHere(userId, roomId, epoch));
  return disposal.use(
    new CallAdoption({ runningCalls, calls, matches, callHere, people, gate, availableBalances, clock, logger }),
  );
}

/** What rings, notifications and accounts use of searches and calls. */
function forPeople({ base, bus }: CallParts, { calls, matches }: { calls: CallService; matches: MatchService }) {
  const { peers } = base;
  const partnerOf = (userId: bigint) => calls.otherIn(userId);
  return {
    partnerOf,
    isInCall: (userId: bigint) => partnerOf(userId) !== null,
    isBusy: busyPeople({ bus, peers, matches }),
    unwritten: unwrittenCalls({ calls, peers }),
    requireStanding: (userId: bigint) => matches.requireStanding(userId),
    stop: (userId: bigint) => matches.stop(userId),
    start: (waits: Parameters<RingCalls["start"]>[0]) => matches.start({ ...waits, filters: { sex: 0, country: 0 } }),
  };
}

/** What sanctions, appeals and evidence use of calls. */
function forModeration(
  { base }: CallParts,
  { calls, meters, inspection }: { calls: CallService; meters: MeterService; inspection: InspectionService },
) {
  const { db, peers } = base;
  return {
    cut: callCutter(peers, calls),
    returnBeans: async (callId: string, userId: bigint) =>
      void (await meters.creditCall({ callId, userId, reason: "moderated_call" })),
    costOf: (callId: string, userId: bigint) => netCostOf(db, { callId, userId }),
    linesOf: (about: { subjectId: bigint; callId: string }) => inspection.linesOf(about),
    evidence: inspection,
    isChecking: () => inspection.isChecking(),
  };
}

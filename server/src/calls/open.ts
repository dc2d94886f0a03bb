import type { Kysely } from "kysely";
import type { Ledger } from "#billing/ledger.ts";
import { CallDays } from "#db/call-days.ts";
import type { Processes } from "#db/processes.ts";
import type { Database } from "#db/schema.ts";
import type { Standstill } from "#db/standstill.ts";
import type { Base } from "#lib/base.ts";
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
import type { PeerFrames } from "#ports/peer-frames.ts";
import type { ChatMessageFilter } from "#ports/text-rules.ts";
import { busyPeople } from "./busy-people.ts";
import { CallAdoption } from "./call-adoption.ts";
import { callCutter } from "./call-cutter.ts";
import { callMetrics, takeOverMetrics } from "./call-metrics.ts";
import { CallPlaces } from "./call-places.ts";
import { CallStore } from "./call-store.ts";
import { CallTickets } from "./call-tickets.ts";
import { frameHandlers } from "./frame-routes.ts";
import { Guests } from "./guests.ts";
import { InspectionService } from "./inspection-service.ts";
import { inspectionSettingsDefault } from "./inspection-settings.ts";
import { answeredAtHome, matchHandlers } from "./match-routes.ts";
import type { RematchRequests } from "./match-eligibility.ts";
import { MatchService } from "./match-service.ts";
import { type MeterService, openMeters } from "./meter-service.ts";
import { netCostOf } from "./meter-store.ts";
import { type CallRecovery, recoverCalls, RunningCalls } from "./room-claims.ts";
import { type RoomEventConsumer, RoomEvents } from "./room-events.ts";
import { CallService } from "./room-service.ts";
import { RoutedFrames } from "./routed-frames.ts";
import type { WaitingSearch } from "./search-pool.ts";
import { SiteMatchPool } from "./site-match-pool.ts";
import { unwrittenCalls } from "./unwritten-calls.ts";

/** Searches and rooms that one server takes. */
const searchesMax = 50_000;
const roomsMax = 25_000;
/** Of all remembered frames of calls: some 2,000 calls. */
const inspectionBytesMax = 256 * 1_048_576;
/** Costs and ends of calls are written at a stop: that may take as long as a statement may. */
const writing = { limitMs: 12_000 };
const daysMadeEveryMs = 3_600_000;

interface CallParts {
  base: Base;
  adapters: {
    media: MediaRelay;
    /** Null: an operator switched it off. */
    classifier: FrameClassifier | null;
    tracer: Tracer;
    /** To the inspection of other servers. */
    peerFrames: PeerFrames;
  };
  /** The database, for the call log alone. */
  log: Kysely<Database>;
  bus: Bus;
  /** Whose chat sessions this server has. */
  hub: { isHere(userId: bigint): boolean };
  /** The other servers of the site; null: there are none. */
  site: { standstill: Standstill; leases: Leases; peerUrl: string | null } | null;
  processes: Processes;
  ledger: Ledger;
  prices: PriceBook;
  chatFilter: ChatMessageFilter;
  people: {
    social: SocialService;
    profiles: ProfileService;
    rematchRequests: RematchRequests;
    /** Hears of searches for which nobody has come for a while. */
    tells: { waited(search: WaitingSearch): void };
    /** Answered by the server with the caller's chat session, as those of calls. */
    ringHandlers: Pick<Handlers, "ring" | "ringAnswer" | "ringCancel" | "ringMute">;
  };
  moderation: ModerationService;
  /** Hears of what happens in rooms after the meters. */
  conduct: RoomEventConsumer;
}

export type Calls = Awaited<ReturnType<typeof openCalls>>;

/** Who meets whom, rooms, what calls cost, and the inspection of frames. */
export async function openCalls(parts: CallParts) {
  const { base, adapters, log: db, bus, processes, ledger, people, conduct } = parts;
  const { clock, random, peers, logger, disposal } = base;
  const runningCalls = new RunningCalls({ db: base.db, clock });
  const guests = openGuests(parts, runningCalls);
  const tickets = guests && new CallTickets(base.serverSecret);
  const callDays = await openCallDays(base);
  const log = disposal.use(new CallStore({ db, self: processes.self, clock, logger }), writing);
  const events = new RoomEvents({ logger });
  const calls = openRooms(parts, { guests, tickets, log, events });
  const { ownPauseMs } = base.settings;
  const meters = disposal.use(openMeters({ db: base.db, ledger, bus, calls, clock, logger, ownPauseMs }), writing);
  const inspection = openInspection(parts, { calls, meters });
  const matches = openMatching(parts, { guests, calls, meters, inspection });
  callMetrics(base.metrics, { matches, calls, callDays, meters, inspection, classifier: adapters.classifier });
  // Who hears of what happens in rooms, each event in this order.
  events.deliverTo([meters, conduct, inspection, matches]);
  const frames = openFrames(parts, { guests, inspection });
  const adoption = openAdoption(parts, { runningCalls, guests, calls, meters, matches });
  const matching = {
    ...matchHandlers({ matches, calls, runningCalls, peers, media: adapters.media, random }),
    ...people.ringHandlers,
  };
  return {
    rooms: calls,
    matches,
    inspection,
    guests,
    callDays,
    forPeople: forPeople(parts, { guests, calls, matches }),
    forModeration: forModeration(parts, { calls, meters, inspection }),
    /** Takes the calls of dead servers, now and from here on; answers with what finds the calls of people who come. */
    recover: async (): Promise<CallPlaces | null> => {
      const recovery = await recoverCalls(processes, { db: base.db, ledger, clock, log, adoption, logger, peers });
      takeOverMetrics(base.metrics, { calls, recovery });
      return openPlaces(parts, { recovery, tickets, runningCalls, calls, meters });
    },
    /** Begins nothing here from now on: the server stops. */
    leave: (): void => {
      matches.leave();
      guests?.leave();
    },
    /** What the other servers are told of this one. */
    facts: () => ({
      busyPeople: matches.counts.searching + 2 * calls.roomCount,
      hasMatcher: matches.poolFigures.hasMatcher,
    }),
    /** Whether the person searches or is in a call, at any server. */
    isBusy: (userId: bigint) => matches.isBusy(userId) || (guests?.isElsewhere(userId) ?? false),
    /** Who hears of people coming and going, in this order. */
    listeners: guests ? [guests] : [people.social.blocks, matches, inspection.search],
    handlers: { ...answeredAtHome(matching, { bus, peers, guests, clock }), ...frameHandlers(frames) },
    /** Takes frames that came to other servers; null where there are none. */
    takeFrame: frames.takeHere,
  };
}

/** People of other servers whose search or call is here, and people of here who are there. */
function openGuests({ base, hub, site, processes }: CallParts, runningCalls: RunningCalls): Guests | null {
  if (!site) return null;
  const { clock, peers, logger, disposal } = base;
  const { standstill } = site;
  return disposal.use(new Guests({ hub, standstill, runningCalls, processes, clock, peers, logger }));
}

/** Tables of calls by day: creates the next days ahead. */
async function openCallDays(base: Base): Promise<CallDays> {
  const { jobs: db, clock, logger, disposal } = base;
  const callDays = new CallDays({ db, clock });
  // Each server does this, since its metrics count the days that it knows; a day that exists costs a look-up.
  const making = { pauseMs: () => daysMadeEveryMs, work: () => callDays.makeAhead() };
  disposal.use(new Periodic({ clock, logger, name: "days of calls", ...making }), { name: "days of calls" });
  // The server that writes a call creates its day where it is missing.
  await callDays
    .makeAhead()
    .catch((error: unknown) => logger.warn({ err: error }, "failed to create days of calls ahead"));
  return callDays;
}

function openRooms(
  { base, adapters, bus, chatFilter }: CallParts,
  own: { guests: Guests | null; tickets: CallTickets | null; log: CallStore; events: RoomEvents },
): CallService {
  const { clock, random } = base;
  const { media, tracer } = adapters;
  const { guests, tickets, log, events } = own;
  const site = guests && tickets && { guests, tickets };
  return new CallService({ bus, media, log, chatFilter, events, clock, random, tracer, roomsMax, ...site });
}

function openPlaces(
  { base, processes: { self } }: CallParts,
  own: {
    recovery: CallRecovery;
    tickets: CallTickets | null;
    runningCalls: RunningCalls;
    calls: CallService;
    meters: MeterService;
  },
): CallPlaces | null {
  const { tickets, ...rest } = own;
  const { clock, peers, disposal } = base;
  return tickets && disposal.use(new CallPlaces({ self, tickets, clock, peers, ...rest }));
}

function openInspection(
  { base, adapters, bus, moderation }: CallParts,
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
      settings: { ...inspectionSettingsDefault, isShadow: base.settings.moderation.shadow },
      clock,
      random,
      logger,
      memoryBytesMax: inspectionBytesMax,
    }),
  );
}

interface Matching {
  guests: Guests | null;
  calls: CallService;
  meters: MeterService;
  inspection: InspectionService;
}

/** Searching, as blocks and rematch requests allow it. Ended before the rooms are, by `openDoor`. */
function openMatching(parts: CallParts, { guests, calls, meters, inspection }: Matching): MatchService {
  const { base, adapters, bus, site, prices, people, moderation } = parts;
  const { social, profiles, rematchRequests, tells } = people;
  const { settings, clock, peers, logger } = base;
  const { blocks } = social;
  const openPool = (leases: Leases) => (nowMs: () => number) =>
    new SiteMatchPool({ peers, leases, clock, logger, nowMs, capacityMax: searchesMax, blocks });
  const matches = new MatchService({
    bus,
    calls,
    people: profiles,
    exclusions: blocks,
    rematchRequests,
    gate: moderation,
    availableBalances: meters,
    checks: inspection.search,
    prices,
    settings,
    clock,
    tracer: adapters.tracer,
    logger,
    searchesMax,
    ...(guests && site && { site: { guests, openPool: openPool(site.leases) } }),
  });
  matches.onWaited((search) => tells.waited(search));
  social.onBlocked((blockerId, blockedId) => matches.part(blockerId, blockedId));
  guests?.attach([blocks, matches, inspection.search], matches);
  return matches;
}

/** Where frames for the inspection go in, whichever server looks at them. */
function openFrames(
  { base, adapters, hub, site }: CallParts,
  { guests, inspection }: { guests: Guests | null; inspection: InspectionService },
) {
  const { clock, peers, logger, disposal } = base;
  const peerUrl = site?.peerUrl ?? null;
  const take: InspectionService["take"] = (userId, frame) => inspection.take(userId, frame);
  if (!site || !guests || peerUrl === null) return { take, takeHere: null };
  const { peerFrames: frames } = adapters;
  const routed = disposal.use(new RoutedFrames({ inspection, hub, guests, peers, frames, peerUrl, clock, logger }));
  return { take: routed.take.bind(routed), takeHere: routed.takeHere.bind(routed) };
}

/** What goes on with calls of servers that have died. */
function openAdoption(
  { base, people: { profiles: people }, moderation: gate }: CallParts,
  own: {
    runningCalls: RunningCalls;
    guests: Guests | null;
    calls: CallService;
    meters: MeterService;
    matches: MatchService;
  },
): CallAdoption {
  const { clock, logger, disposal } = base;
  const { runningCalls, guests, calls, meters: availableBalances, matches } = own;
  return disposal.use(
    new CallAdoption({ runningCalls, calls, matches, guests, people, gate, availableBalances, clock, logger }),
  );
}

/** What people's rings, notifications and accounts ask of searches and calls. */
function forPeople(
  { base, bus }: CallParts,
  { guests, calls, matches }: { guests: Guests | null; calls: CallService; matches: MatchService },
) {
  const { peers } = base;
  const partnerOf = (userId: bigint) => calls.otherIn(userId) ?? guests?.hostedWith(userId) ?? null;
  return {
    partnerOf,
    isInCall: (userId: bigint) => partnerOf(userId) !== null,
    isBusy: busyPeople({ bus, peers, matches, guests }),
    unwritten: unwrittenCalls({ calls, peers }),
    requireNoPause: (userId: bigint) => matches.requireNoPause(userId),
    stop: (userId: bigint) => matches.stop(userId),
    start: (waits: Parameters<RingCalls["start"]>[0]) => matches.start({ ...waits, filters: { sex: 0, country: 0 } }),
  };
}

/** What sanctions, appeals and evidence ask of calls. */
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

import type { FastifyInstance } from "fastify";
import { Counter, type Registry } from "prom-client";
import type { Base } from "#lib/base.ts";
import { addLabelledCounter } from "#lib/metric-registration.ts";
import { pushOwnDataChanged } from "#lib/own-data-pushes.ts";
import type { TextRulesService } from "#moderation/text-service.ts";
import type { AgeCheck } from "#ports/age-check.ts";
import type { Balances, PriceBook } from "#ports/billing.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Bus } from "#ports/bus.ts";
import type { UnwrittenCalls } from "#ports/directory.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { AvatarSource, IdentityProvider, SeedPerson } from "#ports/identity.ts";
import type { OneTimeKeys } from "#ports/one-time-keys.ts";
import type { CountryLookup } from "#ports/country-lookup.ts";
import type { Mailer } from "#ports/mailer.ts";
import type { Pusher } from "#ports/pusher.ts";
import type { Translator } from "#ports/translator.ts";
import type { TemporaryStore } from "#ports/temporary-store.ts";
import { AddressCountries } from "./address-countries.ts";
import { AgeCheckService, type AgeModeration } from "./age-check-service.ts";
import { ageHandlers, ageWebhookRoute } from "./age-routes.ts";
import { accountHandlers } from "./account-routes.ts";
import { AccountService, type AccountServiceOptions } from "./account-service.ts";
import { unreadTotal } from "./conversation-rows.ts";
import { countryHandlers } from "./country-routes.ts";
import { CountryService } from "./country-service.ts";
import { Erasure, type ErasureParts } from "./erasure.ts";
import { exportRoute, ExportService, type ExportServiceOptions } from "./export-service.ts";
import { FirstSearches } from "./first-searches.ts";
import type { PresenceSite } from "./remote-friends.ts";
import { InvitationService } from "./invitation-service.ts";
import { imageHandlers } from "./image-routes.ts";
import { ImageReview } from "./image-review.ts";
import { ImageService } from "./image-service.ts";
import { deleteOldKindWords } from "./kind-words.ts";
import { openMails } from "./mails.ts";
import { MatchSubscriptions, type MatchSubscriptionsOptions } from "./match-subscriptions.ts";
import { mediaRoutes } from "./media-route.ts";
import { messageHandlers } from "./message-routes.ts";
import { MessageSender } from "./message-sender.ts";
import { MessageService } from "./message-service.ts";
import { matchSubscriptionHandlers, notificationHandlers } from "./notification-routes.ts";
import { NotificationService } from "./notification-service.ts";
import { ensureOfficial, type OfficialAccount } from "./official.ts";
import { passkeyHandlers } from "./passkey-routes.ts";
import { PasskeyService } from "./passkey-service.ts";
import { profileHandlers, talkHandlers } from "./profile-routes.ts";
import { ProfileService } from "./profile-service.ts";
import { deleteExpiredData } from "./retention.ts";
import { invitationHandlers, ringHandlers } from "./ring-routes.ts";
import { withAcceptedRings, type RingCalls, RingService } from "./ring-service.ts";
import { seedPeople } from "./seed.ts";
import { sessionHandlers } from "./session-routes.ts";
import { SessionService } from "./session-service.ts";
import { socialHandlers } from "./social-routes.ts";
import { shareChanges, type SignInSockets } from "./shared-changes.ts";
import { SocialService } from "./social-service.ts";
import { StandingService } from "./standing-service.ts";
import { TalkService } from "./talk-service.ts";
import { TopicHours, topicHourHandlers } from "./topic-hours.ts";
import { type TextQuestionOptions, TextQuestionService } from "./text-question-service.ts";
import { translationHandlers } from "./translation-routes.ts";
import { TranslationService } from "./translation-service.ts";
import { TypingIndicators } from "./typing-indicators.ts";

export interface CallsOfPeople extends RingCalls {
  partnerOf(userId: bigint): bigint | null;
  readonly unwritten: UnwrittenCalls;
  /** Whether a user searches or is in a call at any server. True if a server did not answer. */
  isBusy(userId: bigint): Promise<boolean>;
}

export interface ModerationOfPeople extends AgeModeration {
  restrictionsOf: MatchSubscriptionsOptions["gate"]["restrictionsOf"];
  noteOf: ExportServiceOptions["moderation"]["evidence"]["noteOf"];
  changed(userId: bigint): void;
}

interface PeopleParts {
  base: Base;
  adapters: {
    identity: { providers: readonly IdentityProvider[]; seedPeople: readonly SeedPerson[] };
    avatars: AvatarSource;
    blobs: Blobs;
    classifier: FrameClassifier | null;
    countryLookup: CountryLookup;
    oneTimeKeys: OneTimeKeys;
    temporaryStore: TemporaryStore;
    push: { pusher: Pusher | null };
    mail: { mailer: Mailer | null };
    age: { vendor: AgeCheck | null };
    translator: Translator | null;
  };
  bus: Bus;
  sockets: SignInSockets;
  /** The other servers of the site; null for a single server. */
  siblings: PresenceSite["processes"] | null;
  /** The public origin; null: the origin of each request. */
  publicOrigin: string | null;
  billing: {
    ledger: Balances & AccountServiceOptions["balances"];
    prices: PriceBook;
    purchases: AccountServiceOptions["purchases"];
  };
  texts: TextRulesService;
  /** A function, because moderation opens after people. Used only once the server listens. */
  moderation: () => ModerationOfPeople;
  calls: () => CallsOfPeople;
}

export type People = Awaited<ReturnType<typeof openPeople>>;

export async function openPeople(parts: PeopleParts) {
  const { base, adapters, bus, sockets, billing, publicOrigin } = parts;
  const { settings, db, replica, clock, random, limits, peers, logger } = base;
  const { blobs, countryLookup } = adapters;
  const sessions = await openSessions(parts);
  const official = await ensureOfficial({ db, clock, random, email: settings.contact.email });
  const { social, typing } = openRelations(parts);
  const notifications = openNotifications(parts, { sessions, social });
  const standings = new StandingService({ db, clock, ...settings });
  const { ages, ...gate } = openAges(parts, { sessions, standings });
  const messages = openMessages(parts, { social, official, notifications, ages });
  const { images, review, profiles } = openPictures(parts, { sessions, standings, social, messages });
  shareChanges({ peers, sockets, sessions, standings, social, logger });
  const { rings, invitations, ...calling } = openRings(parts, { social, messages, notifications });
  const matchSubscriptions = openMatchSubscriptions(parts, { profiles, notifications });
  const topicHours = new TopicHours({ db, notifications, bus, clock });
  const accounts = await openOwnAccounts(parts, { sessions, social, messages, images, ages });
  const mails = openMails({ base, mailer: adapters.mail.mailer, bus, publicOrigin });
  const profileChanged = (userId: bigint) => {
    profiles.forget(userId);
    pushOwnDataChanged(bus, userId);
  };
  const questions = openQuestions(parts, { profileChanged });
  return {
    sessions,
    social,
    notifications,
    images,
    standings,
    ages,
    ...gate,
    profiles,
    profileChanged,
    questions,
    tells: matchSubscriptions,
    topicHours,
    firstSearches: base.disposal.use(new FirstSearches({ db, clock, logger })),
    rings,
    mailSender: mails.sender,
    exports: accounts.exports,
    erasure: accounts.erasure,
    deleteOldKindWords: () => deleteOldKindWords(base.jobs, clock.nowMs()),
    forgetOld: () => forgetOld(base),
    ...calling,
    /** Receive users who connect and disconnect, in this order. */
    listeners: [messages, social.presence, typing, rings, invitations],
    handlers: {
      ...sessionHandlers(sessions, clock, notifications),
      ...passkeyHandlers(new PasskeyService({ ...base, ...adapters, sessions, publicOrigin, log: logger }), clock),
      ...profileHandlers(profiles),
      ...talkHandlers(new TalkService({ db, clock, limits, settings, forget: (userId) => profiles.forget(userId) })),
      ...notificationHandlers(notifications),
      ...matchSubscriptionHandlers(matchSubscriptions),
      ...topicHourHandlers(topicHours),
      ...countryHandlers(new CountryService(settings, billing.prices, official.externalId), bus, countryLookup),
      ...socialHandlers({ db, replica, clock, social }),
      ...handlersOfMessages(parts, messages),
      ...invitationHandlers(invitations),
      ...imageHandlers(images, review),
      ...ageHandlers(ages),
      ...mails.handlers,
      ...accounts.handlers,
    },
    routes: async (app: FastifyInstance): Promise<void> => {
      await ageWebhookRoute(app, { ages, limits });
      mediaRoutes(app, { blobs, isPublic: (key) => images.isPublic(key), addresses: images.addresses });
      accounts.routes(app);
      await mails.routes(app);
    },
  };
}

async function forgetOld({ jobs, mails, clock }: Base): Promise<void> {
  await deleteExpiredData(jobs, clock.nowMs());
  await mails.addresses.resealAll(jobs);
}

async function openSessions({ base, adapters }: PeopleParts): Promise<SessionService> {
  const { settings, db, clock, random, limits, serverSecret, mails, logger } = base;
  const { identity, avatars, blobs, countryLookup, oneTimeKeys } = adapters;
  const { providers, seedPeople: people } = identity;
  if (people.length > 0) await seedPeople({ db, clock, random, serverSecret, people });
  return new SessionService({
    settings,
    db,
    clock,
    random,
    limits,
    serverSecret,
    mails,
    log: logger,
    providers,
    avatars,
    blobs,
    countryLookup,
    oneTimeKeys,
  });
}

function openRelations({ base, adapters, bus, siblings: processes, calls }: PeopleParts) {
  const { temporaryStore } = adapters;
  const { db, clock, limits, peers, logger, disposal } = base;
  const social = disposal.use(
    new SocialService({
      db,
      bus,
      unreadTotal: (userId) => unreadTotal(db, userId),
      unwrittenCalls: {
        here: (userId) => calls().unwritten.here(userId),
        between: (one, other) => calls().unwritten.between(one, other),
      },
      temporaryStore,
      limits,
      clock,
      logger,
      ...(processes && { site: { peers, processes, clock } }),
    }),
  );
  const otherInCall = (userId: bigint) => calls().partnerOf(userId);
  const typing = disposal.use(new TypingIndicators({ db, bus, otherInCall, clock, logger }));
  return { social, typing };
}

function openNotifications(
  { base, adapters, bus, publicOrigin }: PeopleParts,
  { sessions, social }: { sessions: SessionService; social: SocialService },
): NotificationService {
  const { db, clock, random, limits, serverSecret, metrics, logger, disposal } = base;
  const { pusher } = adapters.push;
  const notifications = disposal.use(
    new NotificationService({ db, pusher, limits, clock, random, serverSecret, publicOrigin, logger }),
  );
  // Only on the server that ended the session; other servers receive the event too.
  disposal.use(
    sessions.onEnded((ended, where) => where === "here" && notifications.sessionEnded(ended)),
    { name: "ends of sessions" },
  );
  social.onRematchAgreed((userId, otherId) =>
    notifications.notifyOfRematch({ userId, otherId }, async () => !(await bus.isPresent(otherId))),
  );
  notificationMetrics(metrics, notifications);
  return notifications;
}

function openMessages(
  { base, bus, texts }: PeopleParts,
  people: {
    social: SocialService;
    official: OfficialAccount;
    notifications: NotificationService;
    ages: AgeCheckService;
  },
): MessageService {
  const { db, clock, limits, logger } = base;
  const { social, official, notifications, ages } = people;
  const { pushQueue } = social;
  const sender = new MessageSender({ db, pushQueue, logger });
  const told = { directory: social, pushQueue, notifications };
  return new MessageService({ db, clock, limits, logger, bus, texts, official, sender, ages, ...told });
}

function handlersOfMessages({ base, adapters }: PeopleParts, messages: MessageService) {
  const translations = new TranslationService({ ...base, translator: adapters.translator });
  return { ...messageHandlers(messages), ...translationHandlers(translations) };
}

function openAges(
  { base, adapters, bus, publicOrigin, moderation }: PeopleParts,
  { sessions, standings }: { sessions: SessionService; standings: StandingService },
) {
  const { settings, db, clock, random, limits, metrics, logger } = base;
  const { countryLookup } = adapters;
  const { agePolicy } = settings;
  const ages = new AgeCheckService({
    db,
    vendor: adapters.age.vendor,
    standings,
    moderation: {
      agePassed: (trx, userId, at) => moderation().agePassed(trx, userId, at),
      ageFailed: (trx, userId, at) => moderation().ageFailed(trx, userId, at),
    },
    bus,
    limits,
    clock,
    random,
    publicOrigin,
    logger,
  });
  addLabelledCounter(metrics, {
    name: "fava_age_checks_total",
    help: "Age checks: begun, decided by the vendor, and failed requests to the vendor",
    label: "outcome",
    read: () => ages.figures,
  });
  const addresses = new AddressCountries({ db, clock, countryLookup, standings, agePolicy });
  return {
    ages,
    addresses,
    verifyChatSign: async (tencentId: string, sign: string, ip: string) => {
      const session = await sessions.verifyChatSign(tencentId, sign);
      if (session) await addresses.saw(session, ip);
      return session;
    },
    isStoppedByAge: async (userId: bigint) => (await standings.restrictionsOf(userId)).ageGate !== null,
  };
}

function openPictures(
  { base, adapters, bus, billing, texts }: PeopleParts,
  people: { sessions: SessionService; standings: StandingService; social: SocialService; messages: MessageService },
) {
  const { settings, db, clock, random, limits, serverSecret, logger } = base;
  const { blobs, classifier } = adapters;
  const { ledger: balances } = billing;
  const { sessions, standings, social: directory, messages: messaging } = people;
  const isShadow = settings.moderation.shadow;
  const images = new ImageService({ db, clock, random, blobs, serverSecret, limits, classifier, isShadow, logger });
  const profiles = new ProfileService({
    settings,
    db,
    clock,
    serverSecret,
    standings,
    sessions,
    balances,
    directory,
    messaging,
    texts,
    images,
  });
  const avatarChanged = (userId: bigint) => profiles.forget(userId);
  const review = new ImageReview({ db, clock, bus, images, avatarChanged });
  return { images, review, profiles };
}

function openRings(
  { base, bus, calls }: PeopleParts,
  people: { social: SocialService; messages: MessageService; notifications: NotificationService },
) {
  const { db, clock, random, limits, peers, mails, logger, disposal } = base;
  const { social, messages, notifications } = people;
  const requireStanding = (userId: bigint) => calls().requireStanding(userId);
  const rings = disposal.use(
    new RingService({
      db,
      clock,
      random,
      limits,
      peers,
      logger,
      bus,
      social,
      messages,
      notifications,
      mails,
      calls: {
        requireStanding,
        isInCall: (userId) => calls().isInCall(userId),
        stop: (userId) => calls().stop(userId),
        start: (waits) => calls().start(waits),
      },
    }),
  );
  // Only on the server that stored the block; other servers receive the event too.
  social.onBlockChanged(({ blockerId, blockedId, isBlocked }) => isBlocked && rings.blocked(blockerId, blockedId));
  const invitations = disposal.use(
    new InvitationService({ db, clock, random, limits, logger, bus, social, requireStanding }),
  );
  const rematchRequests = withAcceptedRings(social, { db, clock, invitations });
  return { rings, invitations, rematchRequests, ringHandlers: ringHandlers(rings) };
}

function openMatchSubscriptions(
  { base, bus, moderation, calls }: PeopleParts,
  { profiles: people, notifications }: { profiles: ProfileService; notifications: NotificationService },
): MatchSubscriptions {
  const { settings, db, clock, limits, logger, disposal } = base;
  return disposal.use(
    new MatchSubscriptions({
      settings,
      db,
      clock,
      limits,
      logger,
      bus,
      people,
      notifications,
      gate: { restrictionsOf: (userId) => moderation().restrictionsOf(userId) },
      isBusy: (userId) => calls().isBusy(userId),
    }),
  );
}

function openQuestions(
  { base, texts, moderation }: PeopleParts,
  { profileChanged }: Pick<TextQuestionOptions, "profileChanged">,
): TextQuestionService {
  const { db, clock, serverSecret } = base;
  const changed = (userId: bigint) => moderation().changed(userId);
  return new TextQuestionService({ db, clock, serverSecret, texts, moderation: { changed }, profileChanged });
}

function openOwnAccounts(
  { base, adapters, billing, moderation, calls }: PeopleParts,
  people: Pick<AccountParts, "sessions" | "social" | "messages" | "images" | "ages">,
) {
  const { ledger: balances, purchases } = billing;
  const { blobs, countryLookup } = adapters;
  return openAccounts({
    ...people,
    base,
    self: base.peers.self,
    blobs,
    countryLookup,
    balances,
    purchases,
    moderation: { evidence: { noteOf: (reportId, caseId) => moderation().noteOf(reportId, caseId) } },
    calls: { stop: (userId) => calls().stop(userId) },
  });
}

interface AccountParts extends Pick<ExportServiceOptions, "self" | "blobs" | "moderation"> {
  base: Pick<Base, "db" | "jobs" | "clock" | "limits" | "serverSecret" | "mails" | "logger" | "disposal"> &
    Pick<ExportServiceOptions, "replica">;
  countryLookup: AccountServiceOptions["countryLookup"];
  sessions: AccountServiceOptions["sessions"] & ExportServiceOptions["sessions"];
  balances: AccountServiceOptions["balances"];
  purchases: AccountServiceOptions["purchases"];
  social: AccountServiceOptions["people"];
  messages: ErasureParts["messages"];
  images: ErasureParts["images"];
  ages: ErasureParts["ages"];
  calls: AccountServiceOptions["calls"];
}

export async function openAccounts(parts: AccountParts) {
  const { base, self, blobs, countryLookup, sessions, balances, purchases, social, messages, images, ages } = parts;
  const { db, jobs, replica, clock, limits, serverSecret, mails, logger, disposal } = base;
  const { moderation, calls } = parts;
  const accounts = new AccountService({
    db,
    clock,
    countryLookup,
    logger,
    purchases,
    balances,
    calls,
    sessions,
    people: social,
  });
  const exports = disposal.use(
    new ExportService({
      db,
      jobs,
      replica,
      blobs,
      moderation,
      sessions,
      clock,
      limits,
      serverSecret,
      self,
      mails,
      logger,
    }),
  );
  await exports.recover();
  const erasure = new Erasure({ db: jobs, clock, logger, refunds: accounts, messages, images, ages, exports });
  return {
    exports,
    erasure,
    handlers: accountHandlers({ accounts, exports }),
    routes: (app: FastifyInstance): void => exportRoute(app, exports),
  };
}

function notificationMetrics(metrics: Registry, notifications: Pick<NotificationService, "figures">): void {
  new Counter({
    name: "fava_notifications_total",
    help: "Notifications to browsers without an open page, by kind and outcome",
    labelNames: ["kind", "result"],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [kind, results] of Object.entries(notifications.figures))
        for (const [result, count] of Object.entries(results)) this.inc({ kind, result }, count);
    },
  });
}

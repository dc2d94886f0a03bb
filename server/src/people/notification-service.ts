import { hash } from "node:crypto";
import type { Kysely } from "kysely";
import PQueue from "p-queue";
import type { Logger } from "pino";
import type { MatchFilters } from "@fava/wire/beans.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { directionOf } from "@fava/wire/languages.ts";
import { decisionNotificationTtlSeconds, matchNotificationTtlSeconds, recentMs } from "@fava/wire/limits.ts";
import {
  conversationPath,
  type NotificationChoice,
  type NotificationKind,
  notificationKinds,
  type NotificationPayload,
  searchPath,
} from "@fava/wire/notifications.ts";
import type { Database } from "#db/schema.ts";
import { catalogText } from "#lib/catalog-text.ts";
import { badInput } from "#lib/errors.ts";
import { Seal } from "#lib/seal.ts";
import { takeFromLimit } from "#lib/take-from-limit.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import type { Clock } from "#ports/clock.ts";
import type { LiveSession } from "#ports/handlers.ts";
import type { Pusher, PushMessage, PushOutcome, PushTarget } from "#ports/pusher.ts";
import type { Random } from "#ports/random.ts";
import type { LimitName, Limits } from "#ports/rate-limits.ts";
import * as store from "./notification-store.ts";
import { secondsOfQuiet, secondsUntilQuiet } from "./quiet-hours.ts";
import type { EndedSession } from "./session-store.ts";

export interface NotificationServiceOptions {
  db: Kysely<Database>;
  /** Null if the site sends no notifications. */
  pusher: Pusher | null;
  limits: Limits;
  clock: Clock;
  random: Random;
  serverSecret: ServerSecret;
  /** The site's origin; null in development, where pages use their own. */
  publicOrigin: string | null;
  logger: Pick<Logger, "error">;
}

export interface UnseenMessage {
  readonly userId: bigint;
  readonly from: bigint;
  readonly messageId: bigint;
}

export interface WaitingMatch {
  readonly userId: bigint;
  readonly filters: MatchFilters;
  readonly claim: () => Promise<boolean>;
  readonly releaseClaim: () => Promise<void>;
}

/** A planned hour that a user wants to be reminded of. */
export interface HourReminder {
  readonly userId: bigint;
  readonly hourId: bigint;
  readonly endsAtMs: number;
}

export interface UnseenRing {
  readonly ring: { readonly callerId: bigint; readonly calleeId: bigint; readonly untilMs: number };
  /** Whether the ring still rings and is unseen; called once, right before sending. */
  readonly isStillRinging: () => Promise<boolean>;
}

/** A user who has just sent the second of two rematch requests, and the absent one who sent the first. */
export interface MutualRematch {
  readonly userId: bigint;
  readonly otherId: bigint;
}

/** A browser's endpoint as hash, and its endpoint and keys encrypted. */
export interface SealedBrowser {
  readonly endpoint_hash: string;
  readonly sealed: Buffer;
}

export interface BrowserNotification {
  readonly subject: string;
  readonly ttlSeconds: number;
  readonly language: string;
  readonly title: string;
  readonly path: string;
}

export type CountedKind = NotificationKind | "appeal";

/** `dropped`: not sent, because the queue was full. */
type Figures = Record<PushOutcome | "dropped", number>;

/** A notification to a user. `claim` ensures that only one server sends it. */
interface UserNotification<Browser> {
  readonly kind: NotificationKind;
  readonly userId: bigint;
  /** On the screen, a later notification of the same subject replaces this one. */
  readonly subject: string;
  readonly ttlSeconds: number;
  readonly limit: LimitName;
  /** Whether it wakes the device, and alerts again when it replaces another notification. */
  readonly isUrgent?: boolean;
  readonly claim: () => Promise<boolean>;
  /** Undoes `claim` if no browser was reached; undefined if `claim` stores nothing. */
  readonly releaseClaim?: () => Promise<void>;
  readonly wording: (browser: Browser) => { title: string; path: string };
}

/** Each notification takes a few queries and a request to a push service. */
const notificationsAtOnce = 8;
const waitingMax = 2_000;
const messageTtlSeconds = 86_400;
const topicLength = 32;
const sealPurpose = "push/v1";

/** Notifies users without an open page, at browsers that they chose (rules NOTIFY-1, NOTIFY-2, NOTIFY-3, NOTIFY-13). */
export class NotificationService implements AsyncDisposable {
  readonly #options: NotificationServiceOptions;
  readonly #seal: Seal;
  readonly #queue = new PQueue({ concurrency: notificationsAtOnce });
  readonly figures: Readonly<Record<CountedKind, Figures>> = {
    message: noFigures(),
    fits: noFigures(),
    ring: noFigures(),
    decision: noFigures(),
    meet: noFigures(),
    hour: noFigures(),
    appeal: noFigures(),
  };

  constructor(options: NotificationServiceOptions) {
    this.#options = options;
    this.#seal = new Seal({ ...options, purpose: sealPurpose });
  }

  /** The public key that browsers need to subscribe; null if the site sends no notifications. */
  get key(): string | null {
    return this.#options.pusher?.publicKey ?? null;
  }

  async info(userId: bigint, endpoint: string | undefined): Promise<OutputOf<Endpoints["pushInfo"]>> {
    const { db } = this.#options;
    const found = endpoint === undefined ? undefined : await store.choiceOf(db, userId, endpointHash(endpoint));
    return { key: this.key, choice: found ? choiceView(found) : null };
  }

  /** @throws EndpointError 400 with the field if no known push service issues such an endpoint or key; 429. */
  async add(session: LiveSession, target: PushTarget, wanted: NotificationChoice): Promise<NotificationChoice> {
    const { db, limits, clock } = this.#options;
    const browser = this.sealed(target);
    await takeFromLimit(limits, "pushByUser", String(session.userId));
    const subscription = {
      user_id: session.userId,
      session_id: session.id,
      ...browser,
      kinds: wanted.kinds,
      names: wanted.names === 1,
      quiet: wanted.quiet === 1,
      offset_min: wanted.offset_min,
    };
    await store.storeSubscription(db, subscription, new Date(clock.nowMs()));
    return choiceView(subscription);
  }

  remove(userId: bigint, endpoint: string): Promise<void> {
    return store.removeSubscription(this.#options.db, userId, endpointHash(endpoint));
  }

  /** @throws EndpointError 400 with the field if no known push service issues such an endpoint or key. */
  sealed(target: PushTarget): SealedBrowser {
    const { pusher } = this.#options;
    const wrong = pusher ? pusher.wrongPart(target) : "endpoint";
    if (wrong !== null) throw badInput("not issued by a push service", wrong);
    const endpoint_hash = endpointHash(target.endpoint);
    return { endpoint_hash, sealed: this.#seal.seal(endpoint_hash, Buffer.from(JSON.stringify(target))) };
  }

  /** Seconds until quiet hours end for a browser at this offset from UTC in minutes; 0 outside them. */
  secondsOfQuiet(offsetMin: number): number {
    return secondsOfQuiet(this.#options.clock.nowMs(), offsetMin);
  }

  /** Sends to one browser at once, without the queue. The caller handles the outcome. */
  async notifyBrowser(
    browser: SealedBrowser,
    kind: CountedKind,
    notification: BrowserNotification,
  ): Promise<PushOutcome> {
    const { subject, ttlSeconds, ...wording } = notification;
    const topic = this.#topicOf(subject);
    const payload = JSON.stringify(this.#payload({ ...wording, tag: topic, isUrgent: false }));
    return this.#sendTo(browser, kind, { payload, ttlSeconds, topic, isUrgent: false });
  }

  /** A sign-out ends its browser's subscription. A ban, a deletion or a sign-out everywhere ends all of the user's. */
  sessionEnded({ sessionId, userId, reason }: EndedSession): void {
    if (reason === "kicked" || reason === "expired") return;
    const of = reason === "signed_out" ? { userId, sessionId } : { userId };
    this.#enqueue(null, "failed to delete push subscriptions", () => store.removeSubscriptions(this.#options.db, of));
  }

  /** Also browsers of sessions that had ended before. */
  removeBrowsersOf(userId: bigint): Promise<void> {
    return store.removeSubscriptions(this.#options.db, { userId });
  }

  /**
   * Notifies of a friend's message; further messages of the friend notify only after the user reads it (rule
   * NOTIFY-13). `isAbsent` is called once, right before sending.
   */
  notifyOfMessage(message: UnseenMessage, isAbsent: () => Promise<boolean> = async () => true): void {
    if (this.#options.pusher)
      this.#enqueue("message", "failed to notify a user of a message", () => this.#notifyOfMessage(message, isAbsent));
  }

  /** Whether any browser of the user wants rings, also if quiet hours keep it silent now. */
  async wantsRings(userId: bigint): Promise<boolean> {
    const { db, pusher, clock } = this.#options;
    if (!pusher) return false;
    const found = await store.browsersOf(db, { userId, kind: idOf("ring"), at: new Date(clock.nowMs()) });
    return found.length > 0;
  }

  /** Notifies an absent user of a friend's ring, once, if it still rings. */
  notifyOfRing(unheard: UnseenRing): void {
    if (this.#options.pusher)
      this.#enqueue("ring", "failed to notify a user of a ring", () => this.#notifyOfRing(unheard));
  }

  /** Notifies `otherId` that both want to meet again: once for each request, and not while a page is open. */
  notifyOfRematch(pair: MutualRematch, isAbsent: () => Promise<boolean>): void {
    if (this.#options.pusher)
      this.#enqueue("meet", "failed to notify a user of a rematch", () => this.#notifyOfRematch(pair, isAbsent));
  }

  /** Does not say what was decided. `isDue`: whether the user has yet to see it; called once, right before sending. */
  notifyOfDecision(userId: bigint, isDue: () => Promise<boolean>): void {
    if (this.#options.pusher)
      this.#enqueue("decision", "failed to notify a user of a decision", () => this.#notifyOfDecision(userId, isDue));
  }

  /**
   * Notifies a subscriber that a fitting user waits. Push services drop it after two minutes.
   * @param filters with which the two would find each other.
   * @param claim whether to notify the user; called once, right before sending.
   * @returns whether a browser was reached.
   */
  async notifyOfMatch({ userId, filters, claim, releaseClaim }: WaitingMatch): Promise<boolean> {
    const { db, pusher, clock } = this.#options;
    if (!pusher) return false;
    const found = await store.browsersOf(db, { userId, kind: idOf("fits"), at: new Date(clock.nowMs()) });
    return this.#notify(found, {
      kind: "fits",
      userId,
      subject: `fits:${userId}`,
      ttlSeconds: matchNotificationTtlSeconds,
      limit: "matchNotificationByUser",
      claim,
      releaseClaim,
      wording: ({ language, external_id }) => ({
        title: catalogText(language, "notify.fits"),
        path: searchPath({ ...filters, to: external_id }),
      }),
    });
  }

  /** Reminds a user that an hour for a language or a topic has begun. Returns whether a browser was reached. */
  async notifyOfHour({ userId, hourId, endsAtMs }: HourReminder): Promise<boolean> {
    const { db, pusher, clock } = this.#options;
    if (!pusher) return false;
    const nowMs = clock.nowMs();
    const found = await store.browsersOf(db, { userId, kind: idOf("hour"), at: new Date(nowMs) });
    return this.#notify(found, {
      kind: "hour",
      userId,
      subject: `hour:${userId}:${hourId}`,
      ttlSeconds: Math.max(0, Math.ceil((endsAtMs - nowMs) / 1_000)),
      limit: "hourNotificationByUser",
      claim: async () => true,
      // Does not name the topic, since others may see the screen; the home screen shows it.
      wording: ({ language }) => ({ title: catalogText(language, "notify.hour"), path: "/" }),
    });
  }

  idle(): Promise<void> {
    return this.#queue.onIdle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#queue.clear();
    await this.#queue.onIdle();
  }

  async #notifyOfMessage(message: UnseenMessage, isAbsent: () => Promise<boolean>): Promise<void> {
    const { userId, from } = message;
    const { db, clock } = this.#options;
    const at = new Date(clock.nowMs());
    const found = await store.browsersForMessage(db, { userId, from, kind: idOf("message"), at });
    await this.#notify(found, {
      kind: "message",
      userId,
      subject: `message:${userId}:${from}`,
      ttlSeconds: messageTtlSeconds,
      limit: "messageNotificationByUser",
      claim: async () => (await isAbsent()) && store.claimMessage(db, { ...message, at }),
      releaseClaim: () => store.releaseMessage(db, message),
      wording: ({ language, names, nickname, friend_external_id, external_id }) => ({
        title: names
          ? catalogText(language, "msg.arrived", { name: nickname })
          : catalogText(language, "notify.message"),
        path: conversationPath({ with: friend_external_id, to: external_id }),
      }),
    });
  }

  async #notifyOfDecision(userId: bigint, isDue: () => Promise<boolean>): Promise<void> {
    const { db, clock } = this.#options;
    const found = await store.browsersOf(db, { userId, kind: idOf("decision"), at: new Date(clock.nowMs()) });
    await this.#notify(found, {
      kind: "decision",
      userId,
      subject: `decision:${userId}`,
      ttlSeconds: decisionNotificationTtlSeconds,
      limit: "decisionNotificationByUser",
      claim: isDue,
      // Does not name the user, since another user may be signed in at the browser by then.
      wording: ({ language }) => ({ title: catalogText(language, "notify.decision"), path: "/" }),
    });
  }

  async #notifyOfRing({ ring, isStillRinging }: UnseenRing): Promise<void> {
    const { db, clock } = this.#options;
    const { callerId: from, calleeId: userId, untilMs } = ring;
    const nowMs = clock.nowMs();
    const found = await store.browsersForRing(db, { userId, from, kind: idOf("ring"), at: new Date(nowMs) });
    await this.#notify(found, {
      kind: "ring",
      userId,
      subject: `ring:${userId}`,
      ttlSeconds: Math.max(0, Math.ceil((untilMs - nowMs) / 1_000)),
      limit: "ringNotificationByUser",
      isUrgent: true,
      claim: isStillRinging,
      // The text must stay true after the ring, since nothing removes it from the screen.
      wording: ({ language, names, nickname, friend_external_id, external_id }) => ({
        title: names
          ? catalogText(language, "notify.ringBy", { name: nickname })
          : catalogText(language, "notify.ring"),
        path: conversationPath({ with: friend_external_id, to: external_id }),
      }),
    });
  }

  async #notifyOfRematch(
    { userId: from, otherId: userId }: MutualRematch,
    isAbsent: () => Promise<boolean>,
  ): Promise<void> {
    const { db, clock } = this.#options;
    const nowMs = clock.nowMs();
    const about = { userId, from, kind: idOf("meet"), at: new Date(nowMs) };
    const since = new Date(nowMs - recentMs);
    const found = await store.browsersForRematch(db, { ...about, since });
    await this.#notify(found, {
      kind: "meet",
      userId,
      subject: `meet:${userId}:${from}`,
      ttlSeconds: found[0]?.left_seconds ?? 0,
      limit: "meetNotificationByUser",
      claim: async () => (await isAbsent()) && store.claimRematch(db, { ...about, since }),
      releaseClaim: () => store.releaseRematch(db, about),
      // Does not name the user unless wanted; the home screen shows who it is.
      wording: ({ language, names, nickname }) => ({
        title: names
          ? catalogText(language, "people.bothToast", { name: nickname })
          : catalogText(language, "notify.meet"),
        path: "/",
      }),
    });
  }

  /** Notifies browsers outside quiet hours; returns whether one was reached. A failed claim costs no daily limit. */
  async #notify<Browser extends store.SubscribedBrowser>(
    browsers: readonly Browser[],
    notification: UserNotification<Browser>,
  ): Promise<boolean> {
    const { clock, limits } = this.#options;
    const { userId, ttlSeconds, limit, claim, releaseClaim } = notification;
    const nowMs = clock.nowMs();
    const targets = browsers.flatMap((browser) => {
      const leftSeconds = browser.quiet ? secondsUntilQuiet(nowMs, browser.offset_min) : ttlSeconds;
      return leftSeconds > 0 ? [{ browser, ttlSeconds: Math.min(ttlSeconds, leftSeconds) }] : [];
    });
    if (targets.length === 0) return false;
    if (!(await claim())) return false;
    let isReached = false;
    try {
      isReached = (await limits.take(limit, String(userId))) === null && (await this.#sendToAll(targets, notification));
    } finally {
      if (!isReached) await releaseClaim?.();
    }
    return isReached;
  }

  async #sendToAll<Browser extends store.SubscribedBrowser>(
    targets: readonly { browser: Browser; ttlSeconds: number }[],
    { kind, subject, isUrgent = false, wording }: UserNotification<Browser>,
  ): Promise<boolean> {
    const { db, logger } = this.#options;
    const topic = this.#topicOf(subject);
    const outcomes = await Promise.all(
      targets.map(async ({ browser, ttlSeconds }) => {
        const { language } = browser;
        const payload = this.#payload({ ...wording(browser), language, tag: topic, isUrgent });
        const message = { payload: JSON.stringify(payload), ttlSeconds, topic, isUrgent };
        return { id: browser.id, outcome: await this.#sendTo(browser, kind, message) };
      }),
    );
    for (const { id, outcome } of outcomes)
      await store
        .noteOutcome(db, id, outcome)
        .catch((error: unknown) => logger.error({ err: error }, "failed to store the outcome of a notification"));
    return outcomes.some(({ outcome }) => outcome === "sent");
  }

  async #sendTo(
    { endpoint_hash, sealed }: SealedBrowser,
    kind: CountedKind,
    message: PushMessage,
  ): Promise<PushOutcome> {
    const { pusher } = this.#options;
    if (!pusher) return "failed";
    const target = JSON.parse(this.#seal.open(endpoint_hash, sealed).toString("utf8")) as PushTarget;
    const outcome = await pusher.send(target, message);
    this.figures[kind][outcome] += 1;
    return outcome;
  }

  #payload(about: {
    title: string;
    language: string;
    tag: string;
    path: string;
    isUrgent: boolean;
  }): NotificationPayload {
    const { publicOrigin } = this.#options;
    const { title, language, tag, path, isUrgent } = about;
    const navigate = publicOrigin === null ? path : new URL(path, publicOrigin).href;
    return {
      web_push: 8030,
      notification: {
        title,
        lang: language,
        dir: directionOf(language),
        tag,
        ...(isUrgent && { renotify: true }),
        navigate,
      },
    };
  }

  /** A hash, so that the push service learns nothing from it. */
  #topicOf(subject: string): string {
    return this.#options.serverSecret.mac(`${sealPurpose}\0${subject}`).toString("base64url").slice(0, topicLength);
  }

  /** `kind`: null for work that sends no notification. */
  #enqueue(kind: CountedKind | null, failed: string, work: () => Promise<void>): void {
    if (this.#queue.size >= waitingMax) {
      if (kind) this.figures[kind].dropped += 1;
      return;
    }
    void this.#queue.add(work).catch((error: unknown) => this.#options.logger.error({ err: error }, failed));
  }
}

function noFigures(): Figures {
  return { sent: 0, gone: 0, failed: 0, dropped: 0 };
}

function idOf(kind: NotificationKind): number {
  return notificationKinds.indexOf(kind);
}

export function endpointHash(endpoint: string): string {
  return hash("sha256", endpoint, "hex");
}

function choiceView({ kinds, names, quiet, offset_min }: store.SubscriptionChoice): NotificationChoice {
  return { kinds, names: names ? 1 : 0, quiet: quiet ? 1 : 0, offset_min };
}

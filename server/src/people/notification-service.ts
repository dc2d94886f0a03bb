import { createHmac, hash } from "node:crypto";
import type { Kysely } from "kysely";
import PQueue from "p-queue";
import type { Logger } from "pino";
import type { MatchFilters } from "@fava/wire/beans.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { directionOf } from "@fava/wire/languages.ts";
import { decisionNotificationTtlSeconds, fitNotificationTtlSeconds } from "@fava/wire/limits.ts";
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
  /** Null: nobody is told. */
  pusher: Pusher | null;
  limits: Limits;
  clock: Clock;
  random: Random;
  serverSecret: string;
  /** Our own origin; null in development, where it is the one that the browser knows us by. */
  publicOrigin: string | null;
  logger: Pick<Logger, "error">;
}

/** A message to a person who has no page open. */
export interface UnseenMessage {
  readonly userId: bigint;
  readonly from: bigint;
  readonly messageId: bigint;
}

export interface FitTold {
  readonly userId: bigint;
  readonly filters: MatchFilters;
  readonly claim: () => Promise<boolean>;
  /** Nobody was told: another may be. Asked only after a claim. */
  readonly giveBack: () => Promise<void>;
}

/** A friend who rings a person with no page open. */
export interface UnheardRing {
  readonly ring: { readonly ringerId: bigint; readonly rungId: bigint; readonly untilMs: number };
  /** Whether it is still to be told; asked once, before it is sent. */
  readonly isOn: () => Promise<boolean>;
}

/** A browser as it is stored: where it is reached, and its keys, sealed. */
export interface SealedBrowser {
  readonly endpoint_hash: string;
  readonly sealed: Buffer;
}

/** What one browser is told. */
export interface BrowserTold {
  /** A later notification of it takes the place of this one. */
  readonly subject: string;
  readonly ttlSeconds: number;
  readonly language: string;
  readonly title: string;
  readonly path: string;
}

/** What is told, as figures tell it apart: what people choose for their browsers, and that an appeal was answered. */
export type ToldKind = NotificationKind | "appeal";

/** What became of notifications since the process began; `dropped`: too many waited. */
type Figures = Record<PushOutcome | "dropped", number>;

/** Something to tell a person, of whom `claim` says before it is sent that nobody else has told them. */
interface Telling<Browser> {
  readonly kind: NotificationKind;
  readonly userId: bigint;
  /** A later notification of it takes the place of this one. */
  readonly subject: string;
  readonly ttlSeconds: number;
  readonly limit: LimitName;
  /** Whether a device is to be woken by it, and one that takes the place of an earlier one to be heard again. */
  readonly isUrgent?: boolean;
  readonly claim: () => Promise<boolean>;
  /** No browser was told after all: it is still to be told. Left out where the claim keeps nothing. */
  readonly giveBack?: () => Promise<void>;
  readonly wording: (browser: Browser) => { title: string; path: string };
}

/** People who are told at once: each is a few queries and a way to a push service. */
const toldAtOnce = 8;
/** Of those who wait no more are kept: some minutes of work. */
const waitingMax = 2_000;
const messageTtlSeconds = 86_400;
const topicLength = 32;
const sealPurpose = "push/v1";

/** What people are told while no page of theirs is open, and at which of their browsers (rules NOTIFY-1 to NOTIFY-13). */
export class NotificationService implements AsyncDisposable {
  readonly #options: NotificationServiceOptions;
  readonly #seal: Seal;
  readonly #queue = new PQueue({ concurrency: toldAtOnce });
  readonly figures: Readonly<Record<ToldKind, Figures>> = {
    message: noFigures(),
    fits: noFigures(),
    ring: noFigures(),
    decision: noFigures(),
    appeal: noFigures(),
  };

  constructor(options: NotificationServiceOptions) {
    this.#options = options;
    this.#seal = new Seal({ ...options, purpose: sealPurpose });
  }

  /** With which browsers subscribe; null where nobody is told. */
  get key(): string | null {
    return this.#options.pusher?.publicKey ?? null;
  }

  async info(userId: bigint, endpoint: string | undefined): Promise<OutputOf<Endpoints["pushInfo"]>> {
    const { db } = this.#options;
    const found = endpoint === undefined ? undefined : await store.choiceOf(db, userId, endpointHash(endpoint));
    return { key: this.key, choice: found ? choiceView(found) : null };
  }

  /**
   * Tells a browser from now on; a second time changes what it is told.
   *
   * @throws EndpointError 400 with the field for what no push service gives out, or none that is used here; 429.
   */
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

  /**
   * A browser as it is stored.
   *
   * @throws EndpointError 400 with the field for what no push service gives out, or none that is used here.
   */
  sealed(target: PushTarget): SealedBrowser {
    const { pusher } = this.#options;
    const wrong = pusher ? pusher.wrongPart(target) : "endpoint";
    if (wrong !== null) throw badInput("no push service gives that out", wrong);
    const endpoint_hash = endpointHash(target.endpoint);
    return { endpoint_hash, sealed: this.#seal.seal(endpoint_hash, Buffer.from(JSON.stringify(target))) };
  }

  /** For how long a browser with such a clock is to be left in peace from now on; 0: not now. */
  secondsOfQuiet(offsetMin: number): number {
    return secondsOfQuiet(this.#options.clock.nowMs(), offsetMin);
  }

  /** Tells one browser something, now and once; what follows from the outcome is the caller's. */
  async tellBrowser(browser: SealedBrowser, kind: ToldKind, told: BrowserTold): Promise<PushOutcome> {
    const { subject, ttlSeconds, ...wording } = told;
    const topic = this.#topicOf(subject);
    const payload = JSON.stringify(this.#payload({ ...wording, tag: topic, isUrgent: false }));
    return this.#sendTo(browser, kind, { payload, ttlSeconds, topic, isUrgent: false });
  }

  /** Signing out ends what that browser is told; a ban, a deletion and signing out everywhere what all of them are. */
  sessionEnded({ sessionId, userId, reason }: EndedSession): void {
    if (reason === "kicked" || reason === "expired") return;
    const of = reason === "signed_out" ? { userId, sessionId } : { userId };
    this.#do(null, "browsers were not forgotten", () => store.removeSubscriptions(this.#options.db, of));
  }

  /** Everywhere: also browsers of sessions that had ended before. */
  forgetBrowsersOf(userId: bigint): Promise<void> {
    return store.removeSubscriptions(this.#options.db, { userId });
  }

  /**
   * Somebody wrote to a person who is not here: told once until they read it, and not of strangers
   * (rule NOTIFY-13).
   *
   * @param isAbsent whether they still are not; asked once, before it is sent.
   */
  wroteToAbsent(message: UnseenMessage, isAbsent: () => Promise<boolean> = async () => true): void {
    if (this.#options.pusher)
      this.#do("message", "a person was not told of a message", () => this.#tellOfMessage(message, isAbsent));
  }

  /** Whether a browser tells the person of friends who ring: quiet hours keep it silent, and change nothing of the answer. */
  async isToldOfRings(userId: bigint): Promise<boolean> {
    const { db, pusher, clock } = this.#options;
    if (!pusher) return false;
    const found = await store.browsersOf(db, { userId, kind: idOf("ring"), at: new Date(clock.nowMs()) });
    return found.length > 0;
  }

  /** A friend rings a person who is not here: told once, while it rings or never. */
  tellOfRing(unheard: UnheardRing): void {
    if (this.#options.pusher) this.#do("ring", "a person was not told of a ring", () => this.#tellOfRing(unheard));
  }

  /**
   * Something that the person waits for was decided, and they are not here: they are told that it was, and nothing else.
   *
   * @param isDue whether they have still to hear of it; asked once, before it is sent.
   */
  decidedForAbsent(userId: bigint, isDue: () => Promise<boolean>): void {
    if (this.#options.pusher)
      this.#do("decision", "a person was not told of a decision", () => this.#tellOfDecision(userId, isDue));
  }

  /**
   * Somebody waits for whom the person asked: told where they want to hear of that, in the next two minutes or never.
   *
   * @param filters with which they would find each other.
   * @param claim whether the person is still to be told of it; asked once, before it is sent.
   * @returns whether they were told.
   */
  async tellOfFit({ userId, filters, claim, giveBack }: FitTold): Promise<boolean> {
    const { db, pusher, clock } = this.#options;
    if (!pusher) return false;
    const found = await store.browsersOf(db, { userId, kind: idOf("fits"), at: new Date(clock.nowMs()) });
    return this.#tell(found, {
      kind: "fits",
      userId,
      subject: `fits:${userId}`,
      ttlSeconds: fitNotificationTtlSeconds,
      limit: "fitNotificationByUser",
      claim,
      giveBack,
      wording: ({ language, external_id }) => ({
        title: catalogText(language, "notify.fits"),
        path: searchPath({ ...filters, to: external_id }),
      }),
    });
  }

  /** Resolves when everybody was told. */
  idle(): Promise<void> {
    return this.#queue.onIdle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#queue.clear();
    await this.#queue.onIdle();
  }

  async #tellOfMessage(message: UnseenMessage, isAbsent: () => Promise<boolean>): Promise<void> {
    const { userId, from } = message;
    const { db, clock } = this.#options;
    const at = new Date(clock.nowMs());
    const found = await store.browsersForMessage(db, { userId, from, kind: idOf("message"), at });
    await this.#tell(found, {
      kind: "message",
      userId,
      subject: `message:${userId}:${from}`,
      ttlSeconds: messageTtlSeconds,
      limit: "messageNotificationByUser",
      claim: async () => (await isAbsent()) && store.claimMessage(db, { ...message, at }),
      giveBack: () => store.giveBackMessage(db, message),
      wording: ({ language, names, nickname, friend_external_id, external_id }) => ({
        title: names
          ? catalogText(language, "msg.arrived", { name: nickname })
          : catalogText(language, "notify.message"),
        path: conversationPath({ with: friend_external_id, to: external_id }),
      }),
    });
  }

  async #tellOfDecision(userId: bigint, isDue: () => Promise<boolean>): Promise<void> {
    const { db, clock } = this.#options;
    const found = await store.browsersOf(db, { userId, kind: idOf("decision"), at: new Date(clock.nowMs()) });
    await this.#tell(found, {
      kind: "decision",
      userId,
      subject: `decision:${userId}`,
      ttlSeconds: decisionNotificationTtlSeconds,
      limit: "decisionNotificationByUser",
      claim: isDue,
      // What was decided is told to whoever is signed in by then, over their own connection.
      wording: ({ language }) => ({ title: catalogText(language, "notify.decision"), path: "/" }),
    });
  }

  async #tellOfRing({ ring, isOn }: UnheardRing): Promise<void> {
    const { db, clock } = this.#options;
    const { ringerId: from, rungId: userId, untilMs } = ring;
    const nowMs = clock.nowMs();
    const found = await store.browsersForRing(db, { userId, from, kind: idOf("ring"), at: new Date(nowMs) });
    await this.#tell(found, {
      kind: "ring",
      userId,
      subject: `ring:${userId}`,
      ttlSeconds: Math.max(0, Math.ceil((untilMs - nowMs) / 1_000)),
      limit: "ringNotificationByUser",
      isUrgent: true,
      claim: isOn,
      // True also once it is over: nobody takes it from the screen then.
      wording: ({ language, names, nickname, friend_external_id, external_id }) => ({
        title: names
          ? catalogText(language, "notify.ringBy", { name: nickname })
          : catalogText(language, "notify.ring"),
        path: conversationPath({ with: friend_external_id, to: external_id }),
      }),
    });
  }

  /**
   * Tells those of the browsers whose quiet hours have not begun; whether any was told. Whoever
   * finds that another tells takes nothing of the day's limit.
   */
  async #tell<Browser extends store.ToldBrowser>(
    browsers: readonly Browser[],
    telling: Telling<Browser>,
  ): Promise<boolean> {
    const { clock, limits } = this.#options;
    const { userId, ttlSeconds, limit, claim, giveBack } = telling;
    const nowMs = clock.nowMs();
    const told = browsers.flatMap((browser) => {
      const leftSeconds = browser.quiet ? secondsUntilQuiet(nowMs, browser.offset_min) : ttlSeconds;
      return leftSeconds > 0 ? [{ browser, ttlSeconds: Math.min(ttlSeconds, leftSeconds) }] : [];
    });
    if (told.length === 0) return false;
    if (!(await claim())) return false;
    let isTold = false;
    try {
      isTold = (await limits.take(limit, String(userId))) === null && (await this.#sendToAll(told, telling));
    } finally {
      if (!isTold) await giveBack?.();
    }
    return isTold;
  }

  /** Whether any of them was reached. */
  async #sendToAll<Browser extends store.ToldBrowser>(
    told: readonly { browser: Browser; ttlSeconds: number }[],
    { kind, subject, isUrgent = false, wording }: Telling<Browser>,
  ): Promise<boolean> {
    const { db, logger } = this.#options;
    const topic = this.#topicOf(subject);
    const outcomes = await Promise.all(
      told.map(async ({ browser, ttlSeconds }) => {
        const { language } = browser;
        const payload = this.#payload({ ...wording(browser), language, tag: topic, isUrgent });
        const message = { payload: JSON.stringify(payload), ttlSeconds, topic, isUrgent };
        return { id: browser.id, outcome: await this.#sendTo(browser, kind, message) };
      }),
    );
    for (const { id, outcome } of outcomes)
      await store
        .noteOutcome(db, id, outcome)
        .catch((error: unknown) => logger.error({ err: error }, "what became of a notification was not noted"));
    return outcomes.some(({ outcome }) => outcome === "sent");
  }

  async #sendTo({ endpoint_hash, sealed }: SealedBrowser, kind: ToldKind, message: PushMessage): Promise<PushOutcome> {
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

  /** Says nothing of whom it is about to the push service, which sees it. */
  #topicOf(subject: string): string {
    const { serverSecret } = this.#options;
    return createHmac("sha256", serverSecret)
      .update(`${sealPurpose}\0${subject}`)
      .digest("base64url")
      .slice(0, topicLength);
  }

  /** `kind`: what somebody is told by it; null: nothing. */
  #do(kind: ToldKind | null, failed: string, work: () => Promise<void>): void {
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

/** By which a browser is found again: where it is reached is sealed. */
export function endpointHash(endpoint: string): string {
  return hash("sha256", endpoint, "hex");
}

function choiceView({ kinds, names, quiet, offset_min }: store.SubscriptionChoice): NotificationChoice {
  return { kinds, names: names ? 1 : 0, quiet: quiet ? 1 : 0, offset_min };
}

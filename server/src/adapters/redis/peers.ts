import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { ListeningPeers } from "#adapters/local/peers.ts";
import { PauseTolerantTimeout } from "#lib/pause-tolerant-timeout.ts";
import { boundedCache } from "#lib/cache.ts";
import { readOwnJson, writeOwnJson } from "#lib/lossless-json.ts";
import { Tasks } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import {
  type PeerRequests,
  type AskOutcome,
  NoOwnerError,
  type Ownership,
  peerAnswerMs,
  PeerFailedError,
  type PeerKey,
  peerMessageBytesMax,
  type Peers,
  PeerTimeoutError,
  processKey,
  type PeerEvents,
} from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";

/** Increases with every change of the format that an older server would misread. */
const version = 1;
const allChannel = "fava:all";
/** Maximum size of one Redis message; the rest of a turn's messages goes into the next one. */
const batchBytesMax = 4 * peerMessageBytesMax;
const channelsAtOnce = 1_000;
const lookEveryMs = 2_000;
/** Interval at which a lost event is reported to the other servers as a gap, until the report is sent. */
const tellGapAfterMs = 250;

/** A message between servers. Receivers ignore unknown types. */
type Message =
  | { type: "ask"; id: number; kind: string; key: PeerKey; input: unknown }
  | { type: "answer"; id: number; out: unknown }
  | { type: "nobody"; id: number }
  | { type: "failed"; id: number; reason: string }
  | { type: "news"; kind: string; news: unknown }
  /** The sender owns the key; `again`: already before it reconnected, since `sinceMs` of its wall clock. */
  | { type: "own"; key: PeerKey; sinceMs: number; again: boolean }
  /** An event of the sender may be lost. */
  | { type: "gap" }
  | { type: "goodbye" };

interface Envelope {
  readonly v: number;
  readonly from: ProcessId;
  /** By the sender's monotonic clock. */
  readonly atMs: number;
  readonly messages: readonly Message[];
}

interface Waiting {
  readonly beganAtMs: number;
  /** Number of servers that received the request; null until Redis has returned it. */
  receivers: number | null;
  nobodies: number;
  readonly end: (outcome: AskOutcome, settle: () => void) => void;
  readonly resolve: (out: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Owned {
  readonly key: PeerKey;
  readonly sinceMs: number;
  readonly lost: AbortController;
  isHeld: boolean;
  readonly held: () => void;
}

interface Part {
  readonly message: Message;
  readonly text: string;
}

interface Batch {
  readonly parts: Part[];
  bytes: number;
}

export interface RedisPeersOptions {
  self: ProcessId;
  redis: Redis;
  /** Subscribes, under the server's `listenerName`, and does nothing else; closed with this. */
  subscriber: Redis;
  clock: Clock;
  logger: Pick<Logger, "warn" | "error">;
  answerMs?: number;
}

/**
 * The owner of a key subscribes to `fava:k:<key>`, a server that waits for answers to `fava:x:<process>`, and all to
 * `fava:all`. Redis returns how many servers received a request, so no directory of owners can be stale. A message that
 * cannot be sent is lost, and others get a gap.
 */
export class RedisPeers extends ListeningPeers implements Peers {
  readonly self: ProcessId;
  readonly figures = { nobody: 0, gaps: 0 };
  readonly #options: RedisPeersOptions;
  readonly #answering: Tasks;
  readonly #lateness: Lateness;
  readonly #owned = new Map<PeerKey, Owned>();
  readonly #waiting = new Map<number, Waiting>();
  /** Servers that this server pings, because a request of theirs seemed late. */
  readonly #doubted = new Set<ProcessId>();
  readonly #outbox = new Map<string, Batch>();
  readonly #publishing = new Set<Promise<void>>();
  #questions = 0;
  #subscriptions = 0;
  #isAway = false;
  #isEnded = false;
  #look: Disposable | null = null;
  #gapToTell: Disposable | null = null;
  readonly #claimAll = () => this.#claim([...this.#owned.values()]);

  constructor(options: RedisPeersOptions) {
    super(options);
    this.self = options.self;
    this.#options = options;
    this.#answering = new Tasks(options);
    this.#lateness = new Lateness(options.clock);
    const { redis, subscriber } = options;
    subscriber.on("message", (_channel: string, text: string) => this.#receive(text));
    subscriber.on("ready", () => void this.#subscribe());
    // Sends the claims that could not be sent before the reconnect.
    redis.on("ready", this.#claimAll);
    if (subscriber.status === "ready") void this.#subscribe();
    this.#lookLater();
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  async ask<Kind extends keyof PeerRequests>(
    kind: Kind,
    key: PeerKey,
    input: PeerRequests[Kind]["in"],
  ): Promise<PeerRequests[Kind]["out"]> {
    if (this.#owned.get(key)?.isHeld)
      return (await this.listeners.answer(kind, key, input)) as PeerRequests[Kind]["out"];
    const { clock } = this.#options;
    const id = (this.#questions += 1);
    const question = encode({ type: "ask", id, kind, key, input });
    const beganAtMs = clock.monotonicMs();
    return new Promise<PeerRequests[Kind]["out"]>((resolve, reject) => {
      const silent = () => waiting.end("silent", () => reject(new PeerTimeoutError(`no answer to ${kind}`)));
      const limit = new PauseTolerantTimeout(clock, this.#options.answerMs ?? peerAnswerMs, silent);
      const waiting: Waiting = {
        beganAtMs,
        receivers: null,
        nobodies: 0,
        resolve: (out) => waiting.end("answered", () => resolve(out as PeerRequests[Kind]["out"])),
        reject,
        end: (outcome, settle) => {
          if (!this.#waiting.delete(id)) return;
          limit[Symbol.dispose]();
          if (outcome === "nobody") this.figures.nobody += 1;
          this.listeners.asked.emit(clock.monotonicMs() - beganAtMs, outcome);
          settle();
        },
      };
      this.#waiting.set(id, waiting);
      if (this.#isEnded) return silent();
      this.#send(channelOf(key), question);
    });
  }

  async isOwned(key: PeerKey): Promise<boolean> {
    try {
      const [, listeners] = await this.#options.redis.pubsub("NUMSUB", channelOf(key));
      return Number(listeners) > 0;
    } catch {
      return true;
    }
  }

  broadcast<Kind extends keyof PeerEvents>(kind: Kind, news: PeerEvents[Kind]): void {
    this.#send(allChannel, encode({ type: "news", kind, news }));
  }

  async own(key: PeerKey, givenUp?: AbortSignal): Promise<Ownership> {
    const lost = new AbortController();
    const sinceMs = this.#options.clock.nowMs();
    await new Promise<void>((held) => {
      const earlier = this.#owned.get(key);
      earlier?.lost.abort();
      const owned: Owned = { key, sinceMs, lost, isHeld: earlier?.isHeld ?? false, held };
      this.#owned.set(key, owned);
      lost.signal.addEventListener("abort", () => held(), { once: true });
      const giveUp = () => {
        if (owned.isHeld || this.#owned.get(key) !== owned) return;
        this.#letGo(key);
        lost.abort();
      };
      if (givenUp?.aborted) return giveUp();
      givenUp?.addEventListener("abort", giveUp, { once: true });
      const before = this.#subscriptions;
      this.#options.subscriber.subscribe(channelOf(key)).then(
        () => this.#claim([owned]),
        () => this.#reconnectSubscriber(before),
      );
    });
    const letGo = () => {
      if (this.#owned.get(key)?.lost === lost) this.#letGo(key);
    };
    return { lost: lost.signal, [Symbol.dispose]: letGo };
  }

  override async cutOff(process: ProcessId): Promise<void> {
    const { redis, logger } = this.#options;
    try {
      const listeners = String(await redis.call("CLIENT", "LIST", "TYPE", "pubsub")).split("\n");
      const own = listeners.filter((line) => line.includes(` name=${listenerName(process)} `));
      for (const line of own) await redis.call("CLIENT", "KILL", "ID", /^id=(\d+)/.exec(line)?.[1] ?? "");
    } catch (error) {
      logger.warn({ err: error, process }, "failed to cut off a dead server from the message bus");
    }
  }

  /** Answers pending requests, sends `goodbye` and releases all keys. The publishing connection stays open. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isEnded) return;
    const { redis, subscriber } = this.#options;
    await this.#answering[Symbol.asyncDispose]();
    this.#send(allChannel, encode({ type: "goodbye" }));
    this.#isEnded = true;
    for (const channel of this.#outbox.keys()) this.#flush(channel);
    await Promise.all(this.#publishing);
    redis.off("ready", this.#claimAll);
    this.#look?.[Symbol.dispose]();
    this.#gapToTell?.[Symbol.dispose]();
    for (const { end, reject } of this.#waiting.values())
      end("silent", () => reject(new PeerTimeoutError("this server is stopping")));
    for (const { lost } of this.#owned.values()) lost.abort();
    this.#owned.clear();
    subscriber.disconnect();
  }

  /** Subscribes to all channels over a new connection; only then this server misses no message. */
  async #subscribe(): Promise<void> {
    const { subscriber, logger } = this.#options;
    const channels = [allChannel, answersOf(this.self), ...[...this.#owned.keys()].map(channelOf)];
    try {
      for (let from = 0; from < channels.length; from += channelsAtOnce)
        await subscriber.subscribe(...channels.slice(from, from + channelsAtOnce));
    } catch (error) {
      logger.warn({ err: error }, "failed to subscribe to the message bus");
      return this.#reconnectSubscriber(this.#subscriptions);
    }
    const isFirst = this.#subscriptions === 0;
    this.#subscriptions += 1;
    this.#claimAll();
    if (!isFirst) this.#gap();
  }

  /** Drops a connection whose subscription timed out, unless a later one has succeeded. */
  #reconnectSubscriber(subscriptionsBefore: number): void {
    const { subscriber } = this.#options;
    if (this.#subscriptions === subscriptionsBefore && subscriber.status === "ready") subscriber.disconnect(true);
  }

  #gap(): void {
    this.figures.gaps += 1;
    this.#options.logger.warn({}, "messages of other servers may have been missed");
    this.listeners.gaps.emit();
  }

  #claim(owned: readonly Owned[]): void {
    for (const { key, sinceMs, isHeld, lost } of owned)
      if (!lost.signal.aborted) this.#send(channelOf(key), encode({ type: "own", key, sinceMs, again: isHeld }));
  }

  #letGo(key: PeerKey): void {
    this.#owned.delete(key);
    // Without a connection there is no subscription either.
    this.#options.subscriber.unsubscribe(channelOf(key)).catch(() => undefined);
  }

  #send(channel: string, part: Part): void {
    if (this.#isEnded) return;
    let batch = this.#outbox.get(channel);
    if (batch && batch.bytes + part.text.length > batchBytesMax) {
      this.#flush(channel);
      batch = undefined;
    }
    if (!batch) {
      this.#outbox.set(channel, (batch = { parts: [], bytes: 0 }));
      setImmediate(() => this.#flush(channel));
    }
    batch.parts.push(part);
    batch.bytes += part.text.length;
  }

  #flush(channel: string): void {
    const batch = this.#outbox.get(channel);
    if (!batch) return;
    this.#outbox.delete(channel);
    const publishing = this.#publish(channel, batch.parts).finally(() => this.#publishing.delete(publishing));
    this.#publishing.add(publishing);
  }

  /** Never rejects. */
  async #publish(channel: string, parts: readonly Part[]): Promise<void> {
    const { redis, clock } = this.#options;
    const head = JSON.stringify({ v: version, from: this.self, atMs: clock.monotonicMs() });
    const text = `${head.slice(0, -1)},"messages":[${parts.map((part) => part.text).join(",")}]}`;
    let receivers: number | null;
    try {
      receivers = await redis.publish(channel, text);
    } catch {
      receivers = null;
    }
    this.#isAway = receivers === null;
    for (const { message } of parts) {
      if (message.type === "ask") this.#asked(message, receivers);
      else if (receivers === null && (message.type === "news" || message.type === "gap")) this.#tellGapLater();
    }
  }

  #asked({ id, kind, key }: Extract<Message, { type: "ask" }>, receivers: number | null): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    waiting.receivers = receivers;
    if (receivers === null) waiting.end("silent", () => waiting.reject(new PeerTimeoutError(`${kind} was not sent`)));
    else this.#endIfNobody(waiting, `${kind} of ${key}`);
  }

  #endIfNobody({ receivers, nobodies, end, reject }: Waiting, what: string): void {
    if (receivers !== null && nobodies >= receivers)
      end("nobody", () => reject(new NoOwnerError(`no server answers ${what}`)));
  }

  /** An event was lost, or may be: reports a gap to the other servers, however long it takes to send. */
  #tellGapLater(): void {
    if (this.#gapToTell || this.#isEnded) return;
    this.#gapToTell = this.#options.clock.after(tellGapAfterMs, () => {
      this.#gapToTell = null;
      this.#send(allChannel, encode({ type: "gap" }));
    });
  }

  #lookLater(): void {
    this.#look = this.#options.clock.after(lookEveryMs, () => {
      const { subscriber, logger } = this.#options;
      const looked = subscriber.status === "ready" ? subscriber.ping() : Promise.resolve();
      looked
        .catch((error: unknown) => {
          // The other machine may have vanished without closing the connection.
          logger.warn({ err: error }, "resubscribing to the message bus");
          subscriber.disconnect(true);
        })
        .finally(() => !this.#isEnded && this.#lookLater());
    });
  }

  #receive(text: string): void {
    try {
      const envelope = readOwnJson(text) as Envelope;
      const lateMs = this.#lateness.of(envelope.from, envelope.atMs);
      for (const message of envelope.messages) this.#hear(envelope, message, lateMs);
    } catch (error) {
      this.#options.logger.error({ err: error }, "failed to read a message of another server");
    }
  }

  #hear(envelope: Envelope, message: Message, lateMs: number): void {
    const { v, from } = envelope;
    switch (message.type) {
      case "ask":
        if (lateMs <= peerAnswerMs) this.#answer(from, message, v);
        // The asking server has timed out.
        else this.#doubt(from);
        return;
      case "own":
        return this.#heardClaim(from, message);
      case "answer":
      case "nobody":
      case "failed":
        return this.#heardAnswer(envelope, message);
      case "news":
        if (from === this.self) return;
        return v > version ? this.#gap() : this.listeners.dispatch(message.kind, message.news);
      case "gap":
        if (from !== this.self) this.#gap();
        return;
      case "goodbye":
        if (from !== this.self) this.listeners.gone.emit(from);
    }
  }

  #answer(from: ProcessId, { id, kind, key, input }: Extract<Message, { type: "ask" }>, v: number): void {
    const reply = (message: Message) => this.#send(answersOf(from), encode(message));
    if (!this.#owned.get(key)?.isHeld || v > version) return reply({ type: "nobody", id });
    this.#answering.add("failed to answer a request of another server", async () => {
      try {
        const out = await this.listeners.answer(kind, key, input);
        reply({ type: "answer", id, out });
      } catch (error) {
        if (error instanceof NoOwnerError) return reply({ type: "nobody", id });
        reply({ type: "failed", id, reason: error instanceof Error ? error.message : String(error) });
        throw error;
      }
    });
  }

  /** A paused machine's clock also makes requests seem late; the answer to a ping corrects that. */
  #doubt(from: ProcessId): void {
    if (this.#doubted.has(from)) return;
    this.#doubted.add(from);
    this.ask("ping", processKey(from), null)
      // A server that is silent or gone sends no requests either.
      .catch(() => undefined)
      .finally(() => this.#doubted.delete(from));
  }

  #heardAnswer({ from, atMs }: Envelope, message: Extract<Message, { type: "answer" | "nobody" | "failed" }>): void {
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    this.#lateness.answered(from, atMs, waiting.beganAtMs);
    if (message.type === "answer") return waiting.resolve(message.out);
    if (message.type === "failed")
      return waiting.end("failed", () => waiting.reject(new PeerFailedError(message.reason)));
    waiting.nobodies += 1;
    this.#endIfNobody(waiting, "this");
  }

  /** All owners and claimants of a key receive its claims in the same order: the last claim wins. */
  #heardClaim(from: ProcessId, { key, sinceMs, again }: Extract<Message, { type: "own" }>): void {
    const owned = this.#owned.get(key);
    if (!owned) return;
    if (from === this.self) {
      owned.isHeld = true;
      return owned.held();
    }
    // This server's own claim is still to be received, after this one.
    if (!owned.isHeld) return;
    // This server may have missed a claim in a gap: the later owner has the key.
    const isLater = sinceMs === owned.sinceMs ? from > this.self : sinceMs > owned.sinceMs;
    if (again && !isLater) return this.#claim([owned]);
    this.#letGo(key);
    owned.lost.abort();
  }
}

function channelOf(key: PeerKey): string {
  return `fava:k:${key}`;
}

export function listenerName(process: ProcessId): string {
  return `fava-${process}`;
}

function answersOf(process: ProcessId): string {
  return `fava:x:${process}`;
}

/** @throws RangeError if the message exceeds `peerMessageBytesMax`. */
function encode(message: Message): Part {
  const text = writeOwnJson(message);
  if (Buffer.byteLength(text) > peerMessageBytesMax) throw new RangeError(`${message.type} is too large`);
  return { message, text };
}

const windowMs = 60_000;
const processesMax = 1_000;

interface Arrivals {
  windowEndsMs: number;
  /** Minimum of arrival time minus sending time, by two unrelated clocks: in this window, and in the one before. */
  leastMs: number;
  leastBeforeMs: number;
}

/**
 * The delay of messages between machines whose clocks differ, relative to the fastest of the last one or two minutes. A
 * sender whose clock stopped looks late, until it answers a request.
 */
class Lateness {
  readonly #clock: Clock;
  readonly #bySender = boundedCache<ProcessId, Arrivals>({ entriesMax: processesMax });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The delay of a message in milliseconds; zero for the first message of a server. */
  of(from: ProcessId, sentAtMs: number): number {
    const nowMs = this.#clock.monotonicMs();
    const differenceMs = nowMs - sentAtMs;
    const known = this.#bySender.get(from);
    if (!known) {
      const arrivals = { windowEndsMs: nowMs + windowMs, leastMs: differenceMs, leastBeforeMs: differenceMs };
      this.#bySender.set(from, arrivals);
      return 0;
    }
    if (nowMs >= known.windowEndsMs) {
      known.windowEndsMs = nowMs + windowMs;
      known.leastBeforeMs = known.leastMs;
      known.leastMs = differenceMs;
    }
    known.leastMs = Math.min(known.leastMs, differenceMs);
    return differenceMs - Math.min(known.leastMs, known.leastBeforeMs);
  }

  /** An answer of `sentAtMs` bounds the clocks' difference: it was sent after the request (`askedAtMs`, own clock). */
  answered(from: ProcessId, sentAtMs: number, askedAtMs: number): void {
    const known = this.#bySender.get(from);
    if (!known) return;
    known.leastMs = Math.max(known.leastMs, askedAtMs - sentAtMs);
    known.leastBeforeMs = Math.max(known.leastBeforeMs, askedAtMs - sentAtMs);
  }
}

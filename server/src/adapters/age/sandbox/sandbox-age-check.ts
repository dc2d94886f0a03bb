import type { Logger } from "pino";
import type { LRUCache } from "lru-cache";
import * as v from "valibot";
import { boundedCache } from "#lib/cache.ts";
import { Tasks } from "#lib/tasks.ts";
import {
  type AgeCheck,
  AgeCheckError,
  type AgeCheckRequest,
  type AgeResult,
  type BegunAgeCheck,
} from "#ports/age-check.ts";
import type { Clock } from "#ports/clock.ts";
import { type Random, randomId } from "#ports/random.ts";

const lifetimeMs = 3_600_000;
const checksMax = 10_000;
const notificationBytesMax = 1_024;
const notificationTimeoutMs = 5_000;
/** A late answer follows after the person has returned to the product. */
export const lateMs = 5_000;

/** What a tester chooses on the sandbox's page. */
export const sandboxOutcomes = ["pass", "fail_estimate", "fail_document", "leave", "late", "other"] as const;
export type SandboxOutcome = (typeof sandboxOutcomes)[number];

export interface SandboxCheck {
  readonly ref: string;
  readonly request: AgeCheckRequest;
  readonly expiresAtMs: number;
  /** Null until the tester chooses; `fromMs`: when `ask` returns it. */
  readonly decided: { readonly result: AgeResult; readonly fromMs: number } | null;
}

const notificationSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ ref: v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/)) }),
);

/**
 * A vendor in this server's memory, for development. Its page is `/sandbox/age/<ref>`. To another server of a site the
 * check is unknown, and so expired.
 */
export class SandboxAgeCheck implements AgeCheck, AsyncDisposable {
  readonly id = "sandbox";
  readonly name = "Sandbox";
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #tasks: Tasks;
  readonly #checks: LRUCache<string, SandboxCheck>;
  #isClosed = false;

  constructor({ clock, random, logger }: { clock: Clock; random: Random; logger: Pick<Logger, "error"> }) {
    this.#clock = clock;
    this.#random = random;
    this.#tasks = new Tasks({ logger });
    this.#checks = boundedCache({ entriesMax: checksMax });
  }

  async begin(request: AgeCheckRequest): Promise<BegunAgeCheck> {
    this.#checkOpen();
    const ref = randomId(this.#random);
    const expiresAtMs = this.#clock.nowMs() + lifetimeMs;
    this.#checks.set(ref, { ref, request, expiresAtMs, decided: null });
    const url = `/sandbox/age/${ref}`;
    const { notifyUrl } = request;
    return {
      url: notifyUrl === null ? url : new URL(url, notifyUrl).href,
      vendorRef: ref,
      expiresAt: new Date(expiresAtMs),
    };
  }

  async ask(vendorRef: string): Promise<AgeResult> {
    this.#checkOpen();
    const check = this.#checks.get(vendorRef);
    if (!check) return { state: "expired", method: null };
    const nowMs = this.#clock.nowMs();
    if (check.decided && check.decided.fromMs <= nowMs) return check.decided.result;
    return { state: nowMs < check.expiresAtMs ? "pending" : "expired", method: null };
  }

  hint(raw: Buffer): string | null {
    if (raw.length > notificationBytesMax) return null;
    const read = v.safeParse(notificationSchema, raw.toString("utf8"));
    return read.success ? read.output.ref : null;
  }

  async forget(vendorRef: string): Promise<void> {
    this.#checkOpen();
    this.#checks.delete(vendorRef);
  }

  checkByRef(ref: string): SandboxCheck | null {
    return this.#checks.get(ref) ?? null;
  }

  /** Applies a tester's choice; a second choice changes nothing. `other` notifies about another check and decides none. */
  choose(check: SandboxCheck, outcome: SandboxOutcome): void {
    if (check.decided) return;
    if (outcome === "other") return this.#notify(check, randomId(this.#random));
    const nowMs = this.#clock.nowMs();
    const fromMs = outcome === "late" ? nowMs + lateMs : nowMs;
    this.#checks.set(check.ref, { ...check, decided: { result: resultOf(outcome), fromMs } });
    this.#notify(check, check.ref);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#tasks[Symbol.asyncDispose]();
  }

  #notify({ request: { notifyUrl } }: SandboxCheck, ref: string): void {
    if (notifyUrl === null) return;
    this.#tasks.add("failed to send a sandbox notification of an age check", async () => {
      await fetch(notifyUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ref }),
        signal: AbortSignal.timeout(notificationTimeoutMs),
      });
    });
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new AgeCheckError("the sandbox is closed");
  }
}

function resultOf(outcome: Exclude<SandboxOutcome, "other">): AgeResult {
  switch (outcome) {
    case "pass":
    case "late":
      return { state: "passed", method: "estimate" };
    case "fail_estimate":
      return { state: "failed", method: "estimate" };
    case "fail_document":
      return { state: "failed", method: "document" };
    case "leave":
      return { state: "expired", method: null };
  }
}

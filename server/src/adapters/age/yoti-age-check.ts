import * as v from "valibot";
import { type BoundedAnswer, fetchBounded } from "#adapters/identity/bounded-fetch.ts";
import type { Clock } from "#ports/clock.ts";
import {
  type AgeCheck,
  AgeCheckError,
  type AgeCheckRequest,
  type AgeMethod,
  type AgeResult,
  type BegunAgeCheck,
} from "#ports/age-check.ts";

export const yotiLiveUrl = "https://age.yoti.com/";

/** Above the age that is asked for, since an estimate may be some years off. */
const estimateThreshold = 25;
const adultThreshold = 18;
const sessionSeconds = 3_600;
const answerTimeoutMs = 10_000;
const answerBytesMax = 64 * 1_024;
const notificationBytesMax = 16 * 1_024;

const sessionId = v.pipe(v.string(), v.regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i));
const createdSchema = v.object({ id: sessionId });
const resultSchema = v.object({
  id: sessionId,
  type: v.literal("OVER"),
  status: v.string(),
  method: v.nullish(v.string(), ""),
});
const notificationSchema = v.pipe(v.string(), v.parseJson(), v.object({ session_key: sessionId }));

const methods: Readonly<Partial<Record<string, AgeMethod>>> = {
  AGE_ESTIMATION: "estimate",
  DOC_SCAN: "document",
  DIGITAL_ID: "app",
};
/** Ends without a judgement about the age. */
const endStates: ReadonlySet<string> = new Set(["EXPIRED", "ERROR", "CANCELLED"]);

export interface YotiSettings {
  sdkId: string;
  apiKey: string;
  /** `yotiLiveUrl`, or a fake's. */
  baseUrl: string;
}

/** Yoti's age verification, by its HTTP interface. Its notifications carry results, which are not used. */
export class YotiAgeCheck implements AgeCheck {
  readonly id = "yoti";
  readonly name = "Yoti";
  readonly #settings: YotiSettings;
  readonly #clock: Clock;

  constructor({ clock, ...settings }: YotiSettings & { clock: Clock }) {
    this.#settings = settings;
    this.#clock = clock;
  }

  async begin({ reference, allowsEstimate, returnUrl, notifyUrl }: AgeCheckRequest): Promise<BegunAgeCheck> {
    const beganAtMs = this.#clock.nowMs();
    const answer = await this.#fetch("api/v1/sessions", {
      type: "OVER",
      ttl: sessionSeconds,
      reference_id: reference,
      age_estimation: { allowed: allowsEstimate, threshold: estimateThreshold, level: "PASSIVE" },
      doc_scan: { allowed: true, threshold: adultThreshold, authenticity: "AUTO", level: "PASSIVE" },
      digital_id: { allowed: true, threshold: adultThreshold },
      ...(returnUrl !== null && { callback: { auto: true, url: returnUrl }, cancel_url: returnUrl }),
      ...(notifyUrl !== null && { notification_url: notifyUrl }),
    });
    const { id: vendorRef } = readAs(createdSchema, answer);
    const page = new URL(this.#settings.baseUrl);
    page.searchParams.set("sessionId", vendorRef);
    page.searchParams.set("sdkId", this.#settings.sdkId);
    return { url: page.href, vendorRef, expiresAt: new Date(beganAtMs + sessionSeconds * 1_000) };
  }

  async ask(vendorRef: string): Promise<AgeResult> {
    if (!v.is(sessionId, vendorRef)) return { state: "expired", method: null };
    const answer = await this.#fetch(`api/v1/sessions/${vendorRef}/result`);
    if (answer.status === 404) return { state: "expired", method: null };
    const { id, status, method } = readAs(resultSchema, answer);
    if (id.toLowerCase() !== vendorRef.toLowerCase()) throw new AgeCheckError("Yoti answered about another session");
    if (endStates.has(status)) return { state: "expired", method: null };
    if (status !== "COMPLETE" && status !== "FAIL") return { state: "pending", method: null };
    const known = methods[method];
    if (!known) throw new AgeCheckError("Yoti judged by an unknown method");
    return { state: status === "COMPLETE" ? "passed" : "failed", method: known };
  }

  hint(raw: Buffer): string | null {
    if (raw.length > notificationBytesMax) return null;
    const read = v.safeParse(notificationSchema, raw.toString("utf8"));
    return read.success ? read.output.session_key : null;
  }

  /** Yoti's interface deletes no session on request. A session ends with its `ttl`. */
  async forget(): Promise<void> {}

  async #fetch(path: string, body?: object): Promise<BoundedAnswer> {
    const { sdkId, apiKey, baseUrl } = this.#settings;
    const headers = { authorization: `Bearer ${apiKey}`, "yoti-sdk-id": sdkId, "content-type": "application/json" };
    const request = body ? { headers, body: JSON.stringify(body) } : { headers };
    try {
      const bounds = { timeoutMs: answerTimeoutMs, bytesMax: answerBytesMax };
      return await fetchBounded(new URL(path, baseUrl), bounds, request);
    } catch (cause) {
      throw new AgeCheckError("Yoti does not answer", { cause });
    }
  }
}

function readAs<Schema extends v.GenericSchema>(
  schema: Schema,
  { status, body }: BoundedAnswer,
): v.InferOutput<Schema> {
  if (status !== 200 && status !== 201) throw new AgeCheckError(`Yoti answered with status ${status}`);
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body.toString("utf8"));
  if (!read.success) throw new AgeCheckError("Yoti's answer is unreadable");
  return read.output;
}

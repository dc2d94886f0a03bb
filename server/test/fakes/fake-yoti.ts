import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as v from "valibot";
import type { YotiSettings } from "#adapters/age/yoti-age-check.ts";

const method = v.object({ allowed: v.boolean(), threshold: v.pipe(v.number(), v.minValue(18)) });
const sessionSchema = v.object({
  type: v.literal("OVER"),
  ttl: v.pipe(v.number(), v.minValue(60), v.maxValue(2_592_000)),
  reference_id: v.pipe(v.string(), v.minLength(1)),
  age_estimation: v.object({ ...method.entries, level: v.literal("PASSIVE") }),
  doc_scan: v.object({ ...method.entries, level: v.literal("PASSIVE") }),
  digital_id: method,
  callback: v.optional(v.object({ auto: v.boolean(), url: v.pipe(v.string(), v.url()) })),
  cancel_url: v.optional(v.pipe(v.string(), v.url())),
  notification_url: v.optional(v.pipe(v.string(), v.url())),
});

/** Yoti's age service on a loopback port. Checks requests by Yoti's documentation. */
export class FakeYoti implements AsyncDisposable {
  readonly settings: YotiSettings;
  /** Bodies of requests that begin a session. */
  readonly begun: v.InferOutput<typeof sessionSchema>[] = [];
  /** If set, the response to the next request. */
  override: { status: number; body: string; location?: string } | null = null;
  readonly #sessions = new Map<string, { status: string; method: string }>();
  readonly #close: () => Promise<void>;

  private constructor(port: number, close: () => Promise<void>) {
    this.#close = close;
    this.settings = { sdkId: "7b1c", apiKey: "a-key", baseUrl: `http://127.0.0.1:${port}/` };
  }

  static async start(): Promise<FakeYoti> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const overridden = fake.override;
        fake.override = null;
        const { authorization, "yoti-sdk-id": sdkId } = request.headers;
        const isKnown = authorization === `Bearer ${fake.settings.apiKey}` && sdkId === fake.settings.sdkId;
        const answer = isKnown
          ? fake.#answer(request.url ?? "", Buffer.concat(parts).toString())
          : { status: 401, body: "{}" };
        const { status, body } = overridden ?? answer;
        const headers = overridden?.location === undefined ? {} : { location: overridden.location };
        response.writeHead(status, { "content-type": "application/json", ...headers });
        response.end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const close = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    const fake = new FakeYoti((server.address() as AddressInfo).port, close);
    return fake;
  }

  /** The person ends the session on Yoti's page. */
  end(sessionId: string, status: string, methodName = ""): void {
    this.#sessions.set(sessionId, { status, method: methodName });
  }

  /** Yoti's notification, whose result may differ from the session's. */
  notification(sessionId: string, isPassed: boolean): Buffer {
    return Buffer.from(
      JSON.stringify({
        method: "AGE_ESTIMATION",
        result: isPassed,
        age: 25,
        session_key: sessionId,
        state: "COMPLETE",
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  #answer(path: string, body: string): { status: number; body: string } {
    if (path === "/api/v1/sessions") {
      const read = v.safeParse(v.pipe(v.string(), v.parseJson(), sessionSchema), body);
      if (!read.success) return { status: 400, body: "{}" };
      this.begun.push(read.output);
      const id = randomUUID();
      this.#sessions.set(id, { status: "PENDING", method: "" });
      return { status: 201, body: JSON.stringify({ id, status: "PENDING" }) };
    }
    const [, id = ""] = /^\/api\/v1\/sessions\/([\da-f-]{36})\/result$/.exec(path) ?? [];
    const session = this.#sessions.get(id);
    if (!session) return { status: 404, body: "{}" };
    return {
      status: 200,
      body: JSON.stringify({ id, sdk_id: this.settings.sdkId, type: "OVER", age: 25, ...session }),
    };
  }
}

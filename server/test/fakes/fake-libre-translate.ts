import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as v from "valibot";
import type { LibreTranslatorSettings } from "#adapters/translator/libre-translator.ts";

const requestSchema = v.strictObject({
  q: v.pipe(v.string(), v.minLength(1)),
  source: v.literal("auto"),
  target: v.string(),
  format: v.literal("text"),
  api_key: v.string(),
});
type Requested = v.InferOutput<typeof requestSchema>;

/** Translations that it has, by text and target. */
const known: Readonly<Record<string, { from: string; to: Readonly<Record<string, string>> }>> = {
  Merhaba: { from: "tr", to: { en: "Hello", zh: "你好", tl: "Kumusta" } },
};

/**
 * An HTTP server with the documented interface of LibreTranslate, whose own one needs models of gigabytes: `POST
 * /translate`, under a prefix.
 */
export class FakeLibreTranslate implements AsyncDisposable {
  readonly settings: LibreTranslatorSettings;
  readonly asked: Requested[] = [];
  /** If set, the response to each request; `silence`: none. */
  override: { status: number; body: string; location?: string } | "silence" | null = null;
  readonly #close: () => Promise<void>;

  private constructor(port: number, close: () => Promise<void>) {
    this.#close = close;
    this.settings = { url: `http://127.0.0.1:${port}/libre`, apiKey: "a-key", name: "Our translator" };
  }

  static async start(): Promise<FakeLibreTranslate> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        if (fake.override === "silence") return;
        const answer =
          fake.override ?? fake.#answer(`${request.method} ${request.url}`, Buffer.concat(parts).toString());
        const headers = fake.override?.location === undefined ? {} : { location: fake.override.location };
        response.writeHead(answer.status, { "content-type": "application/json", ...headers });
        response.end(answer.body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const close = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    const fake = new FakeLibreTranslate((server.address() as AddressInfo).port, close);
    return fake;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  #answer(path: string, body: string): { status: number; body: string } {
    const error = (status: number, text: string) => ({ status, body: JSON.stringify({ error: text }) });
    if (path !== "POST /libre/translate") return error(404, "Not found");
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), requestSchema), body);
    if (!read.success) return error(400, "Invalid request");
    if (read.output.api_key !== this.settings.apiKey) return error(403, "Invalid API key");
    this.asked.push(read.output);
    const { q, target } = read.output;
    const translation = known[q]?.to[target];
    if (translation === undefined) return error(400, `${target} is not supported`);
    const detectedLanguage = { confidence: 92, language: known[q]?.from };
    return { status: 200, body: JSON.stringify({ detectedLanguage, translatedText: translation }) };
  }
}

import * as v from "valibot";
import type { InterfaceLanguage } from "@fava/wire/languages.ts";
import { type BoundedAnswer, fetchBounded } from "#adapters/identity/bounded-fetch.ts";
import { type Translation, type Translator, TranslatorError } from "#ports/translator.ts";

const bounds = { timeoutMs: 5_000, bytesMax: 64 * 1_024 };

const languageTag = v.pipe(v.string(), v.regex(/^[A-Za-z]{2,3}(?:-[A-Za-z]{2,4})?$/));
const answerSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ translatedText: v.string(), detectedLanguage: v.object({ language: languageTag }) }),
);

/** Languages that LibreTranslate knows by another code; it takes `zh` for Simplified Chinese. */
const codes: Partial<Record<InterfaceLanguage, string>> = { "zh-CN": "zh", fil: "tl" };

export interface LibreTranslatorSettings {
  /** Base of the addresses, with or without a slash at its end. */
  url: string;
  /** Null: the server needs none. */
  apiKey: string | null;
  name: string;
}

/** LibreTranslate, or a server with its HTTP interface: `POST /translate`. */
export class LibreTranslator implements Translator {
  readonly name: string;
  readonly #address: URL;
  readonly #apiKey: string | null;

  constructor({ url, apiKey, name }: LibreTranslatorSettings) {
    this.name = name;
    this.#address = new URL("translate", url.endsWith("/") ? url : `${url}/`);
    this.#apiKey = apiKey;
  }

  async translate(text: string, target: InterfaceLanguage): Promise<Translation> {
    const answer = await this.#post({
      q: text,
      source: "auto",
      target: codes[target] ?? target,
      format: "text",
      ...(this.#apiKey !== null && { api_key: this.#apiKey }),
    });
    // It answers 400 for languages without a model; a wrong key is 403, too many requests are 429.
    if (answer.status === 400) throw new TranslatorError("unsupported", "LibreTranslate rejects the text or language");
    if (answer.status !== 200) throw new TranslatorError("unreachable", `LibreTranslate answered ${answer.status}`);
    const read = v.safeParse(answerSchema, answer.body.toString("utf8"));
    if (!read.success) throw new TranslatorError("unreachable", "LibreTranslate's answer is unreadable");
    const { translatedText, detectedLanguage } = read.output;
    return { text: translatedText, from: detectedLanguage.language };
  }

  async #post(body: object): Promise<BoundedAnswer> {
    const headers = { "content-type": "application/json" };
    try {
      return await fetchBounded(this.#address, bounds, { headers, body: JSON.stringify(body) });
    } catch (cause) {
      throw new TranslatorError("unreachable", "LibreTranslate does not answer", { cause });
    }
  }
}

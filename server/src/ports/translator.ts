import type { InterfaceLanguage } from "@fava/wire/languages.ts";

export interface Translation {
  readonly text: string;
  /** Language tag of the original. */
  readonly from: string;
}

/** `unsupported`: the translator works, but not for this text or pair of languages. */
export class TranslatorError extends Error {
  override readonly name = "TranslatorError";
  readonly why: "unsupported" | "unreachable";
  constructor(why: TranslatorError["why"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.why = why;
  }
}

/** Translates short texts at a service of the operator, which stores none of them. */
export interface Translator {
  /** Shown to readers. */
  readonly name: string;
  /** Finds the language of the text itself. Answers within 5 s. @throws TranslatorError */
  translate(text: string, target: InterfaceLanguage): Promise<Translation>;
}

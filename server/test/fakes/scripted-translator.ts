import type { InterfaceLanguage } from "@fava/wire/languages.ts";
import { type Translation, type Translator, TranslatorError } from "#ports/translator.ts";

/** Translates "Merhaba" to English, and nothing else. */
export class ScriptedTranslator implements Translator {
  readonly name = "Our translator";
  readonly asked: string[] = [];
  isDown = false;
  /** If set, translations wait for it. */
  held: Promise<void> | null = null;

  async translate(text: string, target: InterfaceLanguage): Promise<Translation> {
    this.asked.push(text);
    await this.held;
    if (this.isDown) throw new TranslatorError("unreachable", "down");
    if (text !== "Merhaba" || target !== "en") throw new TranslatorError("unsupported", "unknown");
    return { text: "Hello", from: "tr" };
  }
}

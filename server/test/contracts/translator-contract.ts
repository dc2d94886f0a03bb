import { describe, expect, test } from "vitest";
import { type Translator, TranslatorError } from "#ports/translator.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";

/** An adapter whose service knows that "Merhaba" is Turkish for "Hello", and no Irish. */
interface TranslatorWorld extends AsyncDisposable {
  translator: Translator;
  goDown: () => Promise<void>;
}

/** Contract of `Translator`. `makeWorld` opens a new world for each test. */
export function translatorContract(name: string, makeWorld: () => Promise<TranslatorWorld>): void {
  async function open(): Promise<TranslatorWorld> {
    const world = await makeWorld();
    leftovers.push(world);
    return world;
  }

  describe(`${name} keeps the contract of translators`, () => {
    test("has a name for readers", async () => {
      expect((await open()).translator.name).not.toBe("");
    });

    test("translates a text and names its language", async () => {
      const { translator } = await open();
      expect(await translator.translate("Merhaba", "en")).toEqual({ text: "Hello", from: "tr" });
    });

    test("reports a language that it does not know, and translates the next text", async () => {
      const { translator } = await open();
      await expect(translator.translate("Merhaba", "ga")).rejects.toMatchObject({ why: "unsupported" });
      expect(await translator.translate("Merhaba", "en")).toMatchObject({ text: "Hello" });
    });

    test("reports a service that is away", async () => {
      const { translator, goDown } = await open();
      await goDown();
      const failure = translator.translate("Merhaba", "en");
      await expect(failure).rejects.toThrow(TranslatorError);
      await expect(failure).rejects.toMatchObject({ why: "unreachable" });
    });
  });
}

import { expect, test, vi } from "vitest";
import { translatorContract } from "#test/contracts/translator-contract.ts";
import { FakeLibreTranslate } from "#test/fakes/fake-libre-translate.ts";
import { ScriptedTranslator } from "#test/fakes/scripted-translator.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { LibreTranslator } from "./libre-translator.ts";

async function open(change: Partial<FakeLibreTranslate["settings"]> = {}) {
  const fake = await FakeLibreTranslate.start();
  leftovers.push(fake);
  return { fake, translator: new LibreTranslator({ ...fake.settings, ...change }) };
}

translatorContract("LibreTranslate", async () => {
  const fake = await FakeLibreTranslate.start();
  return {
    translator: new LibreTranslator(fake.settings),
    goDown: () => fake[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
});

translatorContract("the scripted translator", async () => {
  const translator = new ScriptedTranslator();
  return {
    translator,
    goDown: async () => void (translator.isDown = true),
    [Symbol.asyncDispose]: async () => undefined,
  };
});

test("sends a text with the key, and languages by LibreTranslate's codes", async () => {
  const { fake, translator } = await open();
  await translator.translate("Merhaba", "zh-CN");
  await translator.translate("Merhaba", "fil");
  const same = { q: "Merhaba", source: "auto", format: "text", api_key: "a-key" };
  expect(fake.asked).toEqual([
    { ...same, target: "zh" },
    { ...same, target: "tl" },
  ]);
});

test("accepts an address with a slash at its end", async () => {
  const { fake } = await open();
  const translator = new LibreTranslator({ ...fake.settings, url: `${fake.settings.url}/` });
  expect(await translator.translate("Merhaba", "en")).toMatchObject({ text: "Hello" });
});

test.each([
  ["a wrong key", { status: 403, body: `{"error":"Invalid API key"}` }],
  ["too many requests", { status: 429, body: `{"error":"Slowdown"}` }],
  ["an error", { status: 500, body: `{"error":"Cannot translate text"}` }],
  ["a redirect", { status: 302, body: "", location: "http://127.0.0.1:9/" }],
  ["no JSON", { status: 200, body: "<html>" }],
  ["no language", { status: 200, body: `{"translatedText":"Hello"}` }],
  ["no language tag", { status: 200, body: `{"translatedText":"Hello","detectedLanguage":{"language":"<b>"}}` }],
  ["too much", { status: 200, body: JSON.stringify({ translatedText: "a".repeat(70_000) }) }],
])("counts %s as unreachable", async (_name, override) => {
  const { fake, translator } = await open();
  fake.override = override;
  await expect(translator.translate("Merhaba", "en")).rejects.toMatchObject({ why: "unreachable" });
});

test("waits 5 seconds for an answer", async () => {
  const { fake, translator } = await open();
  fake.override = "silence";
  const timeouts = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort(new Error("timeout")));
  await expect(translator.translate("Merhaba", "en")).rejects.toMatchObject({ why: "unreachable" });
  expect(timeouts).toHaveBeenCalledWith(5_000);
});

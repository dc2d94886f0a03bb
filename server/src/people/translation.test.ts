import { pino } from "pino";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { ScriptedTranslator } from "#test/fakes/scripted-translator.ts";
import { MessageWorld } from "#test/fixtures/message-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { contextOf, refusals } from "#test/fixtures/social-world.ts";
import { translationHandlers } from "./translation-routes.ts";
import { TranslationService } from "./translation-service.ts";

let world: MessageWorld;
let translator: ScriptedTranslator;
let logged: string[];
let handlers: ReturnType<typeof translationHandlers>;

beforeAll(async () => {
  world = await MessageWorld.open();
});

beforeEach(() => {
  translator = new ScriptedTranslator();
  handlers = handlersWith(translator);
});

function handlersWith(used: ScriptedTranslator | null) {
  logged = [];
  const logger = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });
  const { clock, database } = world.social;
  return translationHandlers(new TranslationService({ translator: used, db: database.db, clock, logger }));
}

const translateMessage = (reader: bigint, messageId: string) =>
  handlers.textTranslate(contextOf(reader), { user_id: Number(reader), target: "en", message_id: messageId });
const translateText = (text: string, target: "en" | "ga" = "en") =>
  handlers.textTranslate(contextOf(1n), { user_id: 1, target, text });

const notTranslated = { code: 406, data: { reason: "not_translated" } };

test("translates a received message and the text of a line", async () => {
  const [ana, bo] = await world.friends();
  const { message } = await world.send(bo, ana, "Merhaba");
  expect(await translateMessage(ana, message.id)).toEqual({ text: "Hello", from: "tr" });
  expect(await translateText("Merhaba")).toEqual({ text: "Hello", from: "tr" });
  const desk = { user_id: 1, target: "en", text: "Merhaba" } as const;
  expect(await handlers.adminTextTranslate(contextOf(1n), desk)).toEqual({ text: "Hello", from: "tr" });
});

test("translates no message that the reader did not receive or may not read", async () => {
  const [ana, bo] = await world.friends();
  const [cem] = await world.social.metPeople(2);
  const { message } = await world.send(bo, ana, "Merhaba");
  const covered = await world.send(bo, ana, "kill yourself, you stupid bitch");
  expect(covered.message.cover).toBeDefined();
  const foreign = [
    [cem, message.id],
    [bo, message.id],
    [ana, covered.message.id],
    [ana, "999999999"],
  ] as const;
  for (const [reader, id] of foreign) expect(await refusalOf(translateMessage(reader, id))).toEqual(refusals.notMet);
  await world.social.social.block(ana, bo);
  expect(await refusalOf(translateMessage(ana, message.id))).toEqual(refusals.notMet);
  expect(translator.asked).toEqual([]);
});

test("rejects another user's id, both kinds of text, none, and an id out of range", async () => {
  const context = contextOf(1n);
  const input = { user_id: 1, target: "en" } as const;
  const badField = (field: string) => ({ code: 400, data: { field } });
  expect(await refusalOf(handlers.textTranslate(context, { ...input, user_id: 2, text: "Merhaba" }))).toEqual(
    badField("user_id"),
  );
  for (const wrong of [{}, { text: "Merhaba", message_id: "1" }, { message_id: "9999999999999999999" }])
    expect(await refusalOf(handlers.textTranslate(context, { ...input, ...wrong }))).toEqual(badField("message_id"));
});

test("translates nothing where no translator is configured", async () => {
  handlers = handlersWith(null);
  expect(await refusalOf(translateText("Merhaba"))).toEqual(notTranslated);
});

test("pauses for half a minute after five failures in a row, and logs no text", async () => {
  translator.isDown = true;
  for (let tries = 0; tries < 6; tries += 1) expect(await refusalOf(translateText("Merhaba"))).toEqual(notTranslated);
  expect(translator.asked).toHaveLength(5);
  expect(logged).toHaveLength(5);
  expect(logged.join("")).not.toContain("Merhaba");
  translator.isDown = false;
  world.social.clock.advance(29_000);
  expect(await refusalOf(translateText("Merhaba"))).toEqual(notTranslated);
  world.social.clock.advance(1_000);
  expect(await translateText("Merhaba")).toMatchObject({ text: "Hello" });
  expect(translator.asked).toHaveLength(6);
});

test("counts a language that the translator does not know as no failure", async () => {
  for (let tries = 0; tries < 6; tries += 1)
    expect(await refusalOf(translateText("Merhaba", "ga"))).toEqual(notTranslated);
  expect(await translateText("Merhaba")).toMatchObject({ text: "Hello" });
  expect(logged).toEqual([]);
});

test("sends eight texts at once at most", async () => {
  let release = () => {};
  translator.held = new Promise((resolve) => {
    release = resolve;
  });
  const running = Array.from({ length: 8 }, () => translateText("Merhaba"));
  expect(await refusalOf(translateText("Merhaba"))).toEqual(notTranslated);
  release();
  expect(await Promise.all(running)).toHaveLength(8);
  expect(await translateText("Merhaba")).toMatchObject({ text: "Hello" });
});

import { coverMask } from "@fava/wire/messages.ts";
import { spokenLanguages } from "@fava/wire/talk.ts";
import { expect, test, vi } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { formatPercent } from "#lib/format-units.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { setTranslating } from "#lib/translation/translation-setting.ts";
import { codes } from "@fava/wire/codes.ts";
import { openCall } from "#testing/call-page.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { fakeTranslation, serverTranslation } from "#testing/translating-browser.ts";

const hello = "Merhaba, nasılsın?";
const rain = "Burada yağmur yağıyor";
const number = "numaram sıfır beş üç iki bir iki üç dört beş altı yedi";
const texts = {
  [hello]: ["tr", { en: "Hello, how are you?", ar: "OK، كيف حالك؟" }],
  [rain]: ["tr", { en: "It is raining here" }],
  [number]: ["tr", { en: "my number is zero five three two one two three four five six seven" }],
  "beni   hemen ara": ["tr", {}],
  beni: ["tr", { en: "me" }],
  "hemen ara": ["tr", { en: "call now" }],
  "how are you": ["en", {}],
  "Je suis là": ["fr", { en: "I am here" }],
} as const;

const log = () => page.getByRole("log", { name: t("call.chat") });
const press = (name: string): Locator => log().getByRole("button", { name, exact: true });
const fromTurkish = () => press(t("translate.from", { language: "Turkish" }));
const line = (text: string): Locator => log().getByText(text, { exact: true });

test("shows a line in the reader's language, with the original one press away", async () => {
  const browser = fakeTranslation({ texts });
  const { server, roomId } = await openCall();
  server.socket.chat(roomId, hello);
  await expect.element(line("Hello, how are you?")).toHaveAttribute("lang", "en");
  expect(line(hello).elements()).toEqual([]);
  await expect.element(log().getByText(t("translate.by", { language: "Turkish" }))).toBeInTheDocument();
  await press(t("translate.original")).click();
  await expect.element(line(hello)).toHaveAttribute("lang", "tr");
  await expect.element(press(t("translate.again"))).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(line("Hello, how are you?")).toBeVisible();
  expect(browser.translated).toEqual([hello]);
  // No text leaves the device.
  expect(server.received(hello)).toBe(false);
  expect(server.socket.heard("chat")).toEqual([]);
});

test("writes a translation in the direction of the reader's language", async () => {
  fakeTranslation({ texts });
  const { server, roomId } = await openCall({ language: "ar" });
  server.socket.chat(roomId, hello);
  // It begins with Latin letters.
  await expect.element(line("OK، كيف حالك؟")).toHaveAttribute("dir", "rtl");
  await press(t("translate.original")).click();
  await expect.element(line(hello)).toHaveAttribute("dir", "auto");
});

test("downloads a language pack after a press, and then translates all lines of that language", async () => {
  const browser = fakeTranslation({ texts, packs: { tr: "downloadable" } });
  const { server, roomId } = await openCall();
  server.socket.chat(roomId, hello);
  server.socket.chat(roomId, rain);
  await expect.poll(() => fromTurkish().elements().length).toBe(2);
  expect(browser.downloads).toEqual([]);
  await fromTurkish().last().click();
  await expect.element(log().getByText(t("translate.loading", { share: formatPercent(40) }))).toBeVisible();
  await expect.element(press(t("common.cancel"))).toHaveFocus();
  browser.finishDownload();
  await expect.element(line("It is raining here")).toBeVisible();
  await expect.element(line("Hello, how are you?")).toBeVisible();
  expect(browser.downloads).toHaveLength(1);
});

test("stops a download on a press", async () => {
  const browser = fakeTranslation({ texts, packs: { tr: "downloading" } });
  const { server, roomId } = await openCall();
  server.socket.chat(roomId, hello);
  await fromTurkish().click();
  await press(t("common.cancel")).click();
  await expect.element(fromTurkish()).toHaveFocus();
  expect(browser.downloads.map(({ aborted }) => aborted)).toEqual([true]);
});

test("downloads the language detector after a press", async () => {
  const browser = fakeTranslation({ texts, detector: "downloadable", packs: { tr: "downloadable" } });
  const { server, roomId } = await openCall();
  server.socket.chat(roomId, hello);
  server.socket.chat(roomId, "how are you");
  await expect.poll(() => press(t("translate.offer")).elements().length).toBe(2);
  await press(t("translate.offer")).last().click();
  browser.finishDownload();
  // The pack needs a press of its own. The line in English needs nothing.
  await expect.element(fromTurkish()).toBeVisible();
  await expect.element(press(t("translate.offer"))).not.toBeInTheDocument();
  await expect.element(log()).toHaveFocus();
});

test("says that the browser could not translate, and tries again on a press", async () => {
  const browser = fakeTranslation({ texts, packs: { tr: "downloadable" } });
  browser.isBroken = true;
  const { server, roomId } = await openCall();
  server.socket.chat(roomId, hello);
  await fromTurkish().click();
  browser.finishDownload();
  await expect.element(log().getByText(t("translate.failed"))).toBeVisible();
  await expect.element(line(hello)).toBeVisible();
  browser.isBroken = false;
  await press(t("common.retry")).click();
  await expect.element(line("Hello, how are you?")).toBeVisible();
});

test("keeps lines in languages of the reader, and of the user's profile", async () => {
  const browser = fakeTranslation({ texts });
  const languages = [spokenLanguages.indexOf("tr")];
  const talkInfo = { languages, interests: [], prefer: 1, leaves_out: [], leaves_out_max: 5 } as const;
  const { server, roomId } = await openCall({ answers: { talkInfo: { ...talkInfo, interests: [], leaves_out: [] } } });
  server.socket.chat(roomId, hello);
  server.socket.chat(roomId, "how are you");
  server.socket.chat(roomId, "Je suis là");
  await expect.element(line("I am here")).toBeVisible();
  expect(browser.translated).toEqual(["Je suis là"]);
  expect(press(t("translate.original")).elements()).toHaveLength(1);
});

test.each(["without the interfaces", "without the languages", "with the setting off"])(
  "offers nothing in a browser %s",
  async (which) => {
    const packs = which === "without the languages" ? ({ tr: "unavailable" } as const) : {};
    const browser = fakeTranslation({ texts, packs });
    if (which === "without the interfaces") vi.stubGlobal("Translator", undefined);
    const { server, roomId } = await openCall();
    if (which === "with the setting off") setTranslating(false);
    server.socket.chat(roomId, hello);
    await expect.element(line(hello)).toBeVisible();
    server.socket.chat(roomId, "how are you");
    await expect.element(line("how are you")).toBeVisible();
    expect(browser.translated).toEqual([]);
    expect(fromTurkish().elements()).toEqual([]);
  },
);

test("translates around removed letters, and hides contact details that only the translation has", async () => {
  const browser = fakeTranslation({ texts });
  const { server, roomId } = await openCall();
  server.socket.chat(roomId, `beni ${coverMask} hemen ara`, { hidden: [{ start: 5, end: 8, finding: "phone" }] });
  await expect.element(log().getByText(/^me .+ call now$/)).toBeVisible();
  server.socket.chat(roomId, number);
  await expect.poll(() => log().getByTitle(t("covered.hiddenBy")).elements().length).toBe(2);
  expect(log().element().textContent).not.toContain("zero five");
  expect(log().element().textContent).not.toContain(coverMask);
  expect(browser.translated).toEqual(["beni", "hemen ara", number]);
});

test("never gives a covered line to the translator, also after Show", async () => {
  const browser = fakeTranslation({ texts });
  const { server, roomId } = await openCall();
  server.socket.coveredChat(roomId, hello);
  await press(t("covered.show")).click();
  await expect.element(line(hello)).toBeVisible();
  server.socket.chat(roomId, rain);
  await expect.element(line("It is raining here")).toBeVisible();
  expect(browser.translated).toEqual([rain]);
  await expect.element(line(hello)).toBeVisible();
});

test("asks the operator's translator after a press, where the browser has none", async () => {
  serverTranslation("Our translator");
  const refusal = new Refusal(codes.refused, { reason: "not_translated" });
  const { server, roomId } = await openCall({ answers: { textTranslate: refusal } });
  server.socket.chat(roomId, hello);
  await expect.element(press(t("translate.offer"))).toBeVisible();
  expect(server.received(hello)).toBe(false);
  await press(t("translate.offer")).click();
  await expect.element(log().getByText(t("translate.failedServer"))).toBeVisible();
  server.answer({ textTranslate: { text: "Hello, how are you?", from: "tr" } });
  await press(t("common.retry")).click();
  await expect.element(line("Hello, how are you?")).toHaveAttribute("lang", "en");
  const by = t("translate.byServer", { language: "Turkish", name: isolate("Our translator") });
  await expect.element(log().getByText(by)).toBeInTheDocument();
  expect(server.asked("textTranslate")).toMatchObject([
    { text: hello, target: "en" },
    { text: hello, target: "en" },
  ]);
  await press(t("translate.original")).click();
  await expect.element(line(hello)).toHaveAttribute("lang", "tr");
});

test("asks the operator's translator where the browser lacks the pair of languages", async () => {
  serverTranslation("Our translator");
  fakeTranslation({ texts, packs: { tr: "unavailable" } });
  const { server, roomId } = await openCall({ answers: { textTranslate: { text: "Hello!", from: "tr" } } });
  server.socket.chat(roomId, "how are you");
  server.socket.chat(roomId, hello);
  await fromTurkish().click();
  await expect.element(line("Hello!")).toBeVisible();
  expect(press(t("translate.offer")).elements()).toEqual([]);
});

test("offers no further translation once a line turns out to be in the reader's language", async () => {
  serverTranslation("Our translator");
  const { server, roomId } = await openCall({ answers: { textTranslate: { text: "how are you", from: "en" } } });
  server.socket.chat(roomId, "how are you");
  server.socket.chat(roomId, "and your cat?");
  await expect.poll(() => press(t("translate.offer")).elements().length).toBe(2);
  await press(t("translate.offer")).first().click();
  await expect.element(press(t("translate.offer"))).not.toBeInTheDocument();
  expect(press(t("translate.original")).elements()).toEqual([]);
});

test("offers the operator's translator to nobody who shares a language with the writer", async () => {
  serverTranslation("Our translator");
  const shared = { languages: [spokenLanguages.indexOf("en")], interests: [] };
  const { server, roomId } = await openCall({}, { remote: { shared } });
  server.socket.chat(roomId, hello);
  await expect.element(line(hello)).toBeVisible();
  server.socket.chat(roomId, rain);
  await expect.element(line(rain)).toBeVisible();
  expect(press(t("translate.offer")).elements()).toEqual([]);
});

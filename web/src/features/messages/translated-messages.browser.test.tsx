import { expect, test } from "vitest";
import { t } from "#lib/i18n.ts";
import { conversationOf, Inbox, type Line, stranger } from "#testing/message-fixtures.ts";
import { log, openThread, openWith, panel, row } from "#testing/messages-steps.ts";
import { fakeTranslation, serverTranslation } from "#testing/translating-browser.ts";

const hello = "Merhaba, nasılsın?";
const number = "numaram sıfır beş üç iki bir iki üç dört beş altı yedi";
const spoken = "my number is zero five three two one two three four five six seven";
const long = "Uzun bir mesaj";
const texts = {
  [hello]: ["tr", { en: "Hello, how are you?" }],
  [number]: ["tr", { en: spoken }],
  [long]: ["tr", { en: "a long message ".repeat(60).trim() }],
} as const;
const bo = conversationOf("Bo");

test("translates a friend's messages, not the user's own, and returns to the original on a press", async () => {
  const browser = fakeTranslation({ texts });
  const inbox = new Inbox();
  inbox.add(bo, [["me", hello], hello]);
  const server = await openWith(inbox);
  await openThread("Bo");
  await expect.element(log().getByText("Hello, how are you?", { exact: true })).toHaveAttribute("lang", "en");
  await log()
    .getByRole("button", { name: t("translate.original") })
    .click();
  await expect.poll(() => log().getByText(hello, { exact: true }).elements().length).toBe(2);
  expect(browser.translated).toEqual([hello]);
  expect(server.asked("messageSend")).toEqual([]);
});

test("shows contact details of a friend, and hides those that only the translation of a request has", async () => {
  fakeTranslation({ texts });
  const inbox = new Inbox();
  inbox.add(bo, [number]);
  inbox.add(conversationOf("Cleo", { ...stranger, state: "request_in" }), [number]);
  await openWith(inbox);
  await openThread("Bo");
  await expect.element(log().getByText(spoken)).toBeVisible();
  await panel()
    .getByRole("button", { name: new RegExp(`^${t("msg.requests")}`) })
    .click();
  await row("Cleo").click();
  await expect.element(log().getByTitle(t("covered.hiddenBy"))).toBeVisible();
  expect(log().element().textContent).not.toContain("zero five");
});

test("stays at the newest message, and at the one being read, when translations are longer", async () => {
  const browser = fakeTranslation({ texts, packs: { tr: "downloadable" } });
  const inbox = new Inbox();
  inbox.add(bo, [...Array.from({ length: 20 }, (_, index): Line => ["me", `line ${index + 1}`]), long]);
  await openWith(inbox);
  await openThread("Bo");
  const offer = log().getByRole("button", { name: t("translate.from", { language: "Turkish" }) });
  await offer.click();
  browser.finishDownload();
  await expect.element(log().getByText(/^a long message/)).toBeVisible();
  const { scrollTop, scrollHeight, clientHeight } = log().element();
  expect(scrollHeight - scrollTop - clientHeight).toBeLessThanOrEqual(1);
});

test("names a message to the operator's translator by its id", async () => {
  serverTranslation("Our translator");
  const inbox = new Inbox();
  inbox.add(bo, [hello]);
  const server = await openWith(inbox, { answers: { textTranslate: { text: "Hello!", from: "tr" } } });
  await openThread("Bo");
  await log()
    .getByRole("button", { name: t("translate.offer") })
    .click();
  await expect.element(log().getByText("Hello!", { exact: true })).toBeVisible();
  const id = inbox.messagesOf(bo.externalId).at(-1)?.id;
  expect(server.asked("textTranslate")).toMatchObject([{ message_id: id, target: "en" }]);
  expect(server.received(hello)).toBe(false);
});

import { expect, test } from "vitest";
import { type Locator, page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { coverMask } from "@fava/wire/messages.ts";
import { t } from "#lib/i18n.ts";
import { Refusal, type FixtureWorld } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { conversationOf, Inbox, type Line, stranger } from "#testing/message-fixtures.ts";
import { field, log, openMessages, openThread, openWith, panel, row, write } from "#testing/messages-steps.ts";

const bo = conversationOf("Bo");
const insult = "you are a waste of air";
const press = (key: Parameters<typeof t>[0]): Locator => log().getByRole("button", { name: t(key), exact: true });

/** Ana's conversation with Bo, whose last message may be hurtful. */
async function openCovered(
  last: Line,
  kind: "insult" | "threat" = "insult",
): Promise<{ server: FixtureWorld; inbox: Inbox }> {
  const inbox = new Inbox();
  inbox.add(bo, ["hello", last]);
  inbox.coverLast(bo.externalId, kind);
  const server = await openWith(inbox, { answers: { chatReport: {}, textDispute: {}, block: {} } });
  await openMessages();
  return { server, inbox };
}

test("keeps a hurtful message covered, also in the list, until Show is pressed", async () => {
  await openCovered(insult);
  await expect.element(row("Bo")).toHaveTextContent(t("covered.hurts"));
  await openThread("Bo");
  await expect.element(log().getByText(t("covered.spoken"))).toBeInTheDocument();
  for (const words of [insult, coverMask]) expect(document.body.textContent).not.toContain(words);
  await press("covered.show").click();
  await expect.element(log().getByText(insult)).toBeVisible();
  await press("covered.hide").click();
  await expect.element(log().getByText(insult)).not.toBeInTheDocument();
});

test("reports a covered message by one press", async () => {
  const { server, inbox } = await openCovered(insult);
  await openThread("Bo");
  await press("covered.reportLine").click();
  await expect.element(press("covered.reported")).toHaveFocus();
  const messageId = inbox.messagesOf(bo.externalId).at(-1)?.id;
  expect(server.asked("chatReport")).toMatchObject([
    { id: 5, user_id: ana.user_id, other_id: bo.userId, message_id: messageId },
  ]);
});

test("offers no Show for a threat, but help, and to block and report its writer", async () => {
  const { server } = await openCovered("pay or I post your video", "threat");
  await openThread("Bo");
  await expect.element(log().getByText(t("covered.threatHelp"))).toBeVisible();
  await expect.element(log().getByRole("link", { name: t("panic.help") })).toHaveAttribute("href", "/safety");
  await expect.element(press("covered.show")).not.toBeInTheDocument();
  await press("covered.block").click();
  await expect.poll(() => server.asked("block")).toMatchObject([{ other_id: bo.userId }]);
  expect(server.asked("chatReport")).toHaveLength(1);
  await expect.element(row("Bo")).not.toBeInTheDocument();
});

test("blocks the writer of a threat on the next press when only the report was stored", async () => {
  const { server } = await openCovered("pay or I post your video", "threat");
  await openThread("Bo");
  server.answer({ block: new Refusal(codes.serverError) });
  await press("covered.block").click();
  await expect.poll(() => server.asked("block")).toHaveLength(1);
  await expect.element(row("Bo")).toBeVisible();
  server.answer({ block: {} });
  await openThread("Bo");
  await press("covered.block").click();
  await expect.poll(() => server.asked("block")).toHaveLength(2);
  expect(server.asked("chatReport")).toHaveLength(1);
  await expect.element(row("Bo")).not.toBeInTheDocument();
});

test("lets the writer of a covered message see it and object", async () => {
  const { server, inbox } = await openCovered(["me", "a rude word"]);
  await expect.element(row("Bo")).toHaveTextContent(t("msg.you", { text: `\u2068${t("covered.hurts")}\u2069` }));
  await openThread("Bo");
  await expect.element(log().getByText("a rude word")).toBeVisible();
  await expect.element(log().getByText(t("covered.own"))).toBeVisible();
  await press("covered.notMeant").click();
  await expect.element(press("covered.noted")).toHaveFocus();
  const clientId = inbox.messagesOf(bo.externalId).at(-1)?.clientId;
  expect(server.asked("textDispute")).toMatchObject([{ place: "message", text: "a rude word", client_id: clientId }]);
});

test("marks what was found in a rejected request, and lets its writer object", async () => {
  const inbox = new Inbox();
  inbox.add(conversationOf("Cleo", { ...stranger, state: "request_out" }), [["met", 240]]);
  inbox.change(conversationOf("Cleo").externalId, { conversationID: "" });
  const spans = [{ start: 8, end: 16, finding: "phone" }];
  const server = await openWith(inbox, {
    answers: {
      messageSend: new Refusal(codes.refused, { reason: "personal_data", field: "text", findings: ["phone"], spans }),
      textDispute: {},
    },
  });
  await openThread("Cleo");
  await write("call me 555 0100 please");
  await expect.element(log().getByText(t("refused.personal_data"))).toBeVisible();
  await expect.element(log().getByRole("mark")).toHaveTextContent(/^555 0100$/);
  await press("covered.notMeant").click();
  await expect.element(press("covered.noted")).toBeVisible();
  const [told] = server.asked("textDispute");
  expect(told).toMatchObject({ place: "message", text: "call me 555 0100 please" });
  expect(told).not.toHaveProperty("client_id");
});

test("warns of contact details in a request, but not among friends", async () => {
  const inbox = new Inbox();
  const cleo = conversationOf("Cleo", { ...stranger, state: "request_out" });
  inbox.add(bo, ["hello"]);
  inbox.add(cleo, [["met", 240]]);
  inbox.change(cleo.externalId, { conversationID: "" });
  await openWith(inbox);
  await openThread("Cleo");
  await field().fill("write me at ana@example.com");
  await expect.element(panel().getByText(t("msg.personalData"))).toBeVisible();
  await openThread("Bo");
  await field().fill("write me at ana@example.com");
  await expect.element(panel().getByText(t("msg.personalData"))).not.toBeInTheDocument();
  await expect.element(page.getByRole("textbox")).toHaveValue("write me at ana@example.com");
});

import { codes } from "@fava/wire/codes.ts";
import { coverMask } from "@fava/wire/messages.ts";
import { type Answers, Refusal } from "@fava/web/testing/fixture-world.ts";
import { ana, galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { conversationOf, Inbox, stranger } from "@fava/web/testing/message-fixtures.ts";
import { relationAnswers } from "@fava/web/testing/people-fixtures.ts";
import { caller, meetIn, startSearch } from "../../support/fixture-call.ts";
import { holdTimers } from "../held-timers.ts";
import { openMessages, openThread, rowOf } from "../messages-steps.ts";
import { scene } from "../scene.ts";

const apart = { controlsApart: true } as const;
const insult = "You are a waste of air, and everybody laughs at you.";
const answers: Answers = { feedback: {}, chatReport: {}, textDispute: {}, ...relationAnswers() };
const reader = { ...caller, answers: { ...caller.answers, ...answers } };

const bo = conversationOf("Bo");
const noor = conversationOf("Noor");
const grace = conversationOf("Grace");
const kenji = conversationOf("Kenji", { ...stranger, state: "request_out" });

/** The last messages of Bo, Noor and Ana are hurtful; Kenji's conversation is empty. */
function coveredInbox(): Inbox {
  const inbox = new Inbox(() => galleryNowMs);
  inbox.add(bo, ["shall we talk tonight?", ["me", "not today, I am tired"], insult]);
  inbox.coverLast(bo.externalId);
  inbox.add(noor, ["pay 500 or your friends get the video"], 60);
  inbox.coverLast(noor.externalId, "threat");
  inbox.add(grace, ["that was my last word", ["me", "you are a waste of air"]], 90);
  inbox.coverLast(grace.externalId);
  inbox.add(kenji, [["met", 300]], 120);
  inbox.change(kenji.externalId, { conversationID: "" });
  return inbox;
}

export const coveredScenes = [
  scene("hidden and covered lines of a call", reader, async ({ page, said, show, world }) => {
    await holdTimers(page);
    await startSearch(page, said);
    const roomId = await meetIn(page, world);
    const { socket } = world.server;
    const field = page.getByRole("textbox", { name: said("call.placeholder") });
    const log = page.getByRole("log");
    socket.chat(roomId, `my number is ${coverMask}, call me tonight`, {
      hidden: [{ start: 13, end: 16, finding: "phone" }],
    });
    await log.getByTitle(said("covered.hiddenBy")).waitFor();
    socket.answerLine = ({ clientId }) => ({
      type: "chat-stored",
      roomId,
      clientId,
      findings: ["phone"],
      spans: [{ start: 9, end: 22, finding: "phone" }],
    });
    await field.fill("write me 0171 555 0100 instead");
    await field.press("Enter");
    await log.getByText(said("covered.onlyDetails")).waitFor();
    await show("covered-hidden", apart);
    socket.coveredChat(roomId, insult);
    await log.getByRole("button", { name: said("covered.show") }).waitFor();
    await show("covered-line", apart);
    await log.getByRole("button", { name: said("covered.show") }).click();
    await log.getByText(insult).waitFor();
    await show("covered-line-shown", apart);
    await log.getByRole("button", { name: said("covered.reportLine") }).click();
    await log.getByRole("button", { name: said("covered.reported") }).waitFor();
    await show("covered-line-reported", apart);
    socket.coveredChat(roomId, "pay 500 or your friends get the video", "threat");
    await log.getByRole("button", { name: said("covered.leave") }).waitFor();
    await show("covered-threat", apart);
  }),

  scene("covered lines that are collapsed into one", reader, async ({ page, said, show, world }) => {
    await holdTimers(page);
    await startSearch(page, said);
    const roomId = await meetIn(page, world);
    const { socket } = world.server;
    const log = page.getByRole("log");
    socket.chat(roomId, "why do you not answer?");
    for (const words of ["one", "two", "three"]) socket.coveredChat(roomId, words);
    await log.getByRole("button", { name: said("call.end") }).waitFor();
    await show("covered-folded", apart);
    await log.getByRole("button", { name: said("covered.menu") }).click();
    await page.getByRole("menuitem", { name: said("covered.reportLine") }).waitFor();
    await show("covered-line-menu");
  }),

  scene(
    "covered messages, and a request that was refused",
    () => ({ as: ana, answers: { ...answers, ...coveredInbox().answers } }),
    async ({ page, said, show, world }) => {
      await openMessages(page, said);
      await rowOf(page, "Bo").waitFor();
      await show("covered-messages-list");
      await openThread(page, "Bo");
      const log = page.getByRole("log");
      await log.getByRole("button", { name: said("covered.show") }).click();
      await log.getByText(insult).waitFor();
      await show("covered-message");
      await openThread(page, "Noor");
      await log.getByRole("button", { name: said("covered.block") }).waitFor();
      await show("covered-message-threat");
      await openThread(page, "Grace");
      await log.getByText(said("covered.own")).waitFor();
      await show("covered-message-own");
      const spans = [{ start: 11, end: 19, finding: "phone" }];
      world.server.answer({ messageSend: new Refusal(codes.refused, { reason: "personal_data", spans }) });
      const field = await openThread(page, "Kenji");
      await field.fill("call me at 555 0100 tonight");
      await field.press("Enter");
      await log.getByText(said("refused.personal_data")).waitFor();
      await show("covered-request-refused");
    },
  ),
];

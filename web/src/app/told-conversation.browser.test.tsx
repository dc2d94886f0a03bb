import { expect, test } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { conversationPath } from "@fava/wire/notifications.ts";
import { isOverlayOpen } from "#lib/overlays.ts";
import { currentUser } from "#lib/session.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { conversationOf, Inbox } from "#testing/message-fixtures.ts";
import { bubbles, expectBubbles, openWith, panel, row } from "#testing/messages-steps.ts";
import { takeShortcut } from "./at-home.ts";

const bo = conversationOf("Bo");

function inboxWithBo(): Inbox {
  const inbox = new Inbox();
  inbox.add(bo, ["are you there?"]);
  return inbox;
}

/** As the page does that a press on a notification has opened. */
function arriveBy(path: string): void {
  history.replaceState(null, "", path);
  takeShortcut();
}

test("[NOTIFY-24] the conversation that somebody was told of opens, and its address is gone from the page's", async () => {
  await openWith(inboxWithBo());
  arriveBy(conversationPath({ with: bo.externalId, to: ana.externalId }));
  await expectBubbles("are you there?");
  expect(location.href).not.toContain(bo.externalId);
});

test("[NOTIFY-24] nothing opens for somebody else than the person who was told", async () => {
  const server = await openWith(inboxWithBo());
  await expect.poll(currentUser).not.toBeNull();
  arriveBy(conversationPath({ with: bo.externalId, to: "x-somebody-else" }));
  expect(isOverlayOpen("messages")).toBe(false);
  expect(server.asked("messageList")).toEqual([]);
});

test("[NOTIFY-24] what is no conversation of the person leaves them with their list", async () => {
  await openWith(inboxWithBo(), {
    answers: { messageList: new Refusal(codes.forbidden, { reason: "not_met" }) },
  });
  arriveBy(conversationPath({ with: "x-nobody", to: ana.externalId }));
  await expect.element(row("Bo")).toBeVisible();
  await expect.element(panel().getByRole("textbox")).not.toBeInTheDocument();
  expect(bubbles()).toEqual([]);
  expect(isOverlayOpen("messages")).toBe(true);
});

test("[NOTIFY-24] an address that names no conversation opens the list", async () => {
  await openWith(inboxWithBo());
  arriveBy("/?open=messages#with=x-bo");
  await expect.element(row("Bo")).toBeVisible();
  expect(bubbles()).toEqual([]);
});

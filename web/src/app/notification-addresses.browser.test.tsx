import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { conversationPath, searchPath } from "@fava/wire/notifications.ts";
import { t } from "#lib/i18n.ts";
import { setCallShown } from "#lib/call-shown.ts";
import { isOverlayOpen } from "#lib/overlays.ts";
import { currentUser } from "#lib/session.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { ana, memberAnswers } from "#testing/fixtures.ts";
import { conversationOf, Inbox } from "#testing/message-fixtures.ts";
import { bubbles, expectBubbles, openWith, panel, row } from "#testing/messages-steps.ts";
import { currentMatchFilters } from "#features/match/match-filters.ts";
import { callState } from "#testing/call-page.ts";
import { openPage, signInElsewhere } from "#testing/open-page.tsx";
import { takeShortcut } from "./idle-tasks.ts";

const bo = conversationOf("Bo");

function inboxWithBo(): Inbox {
  const inbox = new Inbox();
  inbox.add(bo, ["are you there?"]);
  return inbox;
}

/** Opens the page as a press on a notification does. */
function arriveBy(path: string): void {
  history.replaceState(null, "", path);
  takeShortcut();
}

test("opens the conversation of a notification, and removes it from the address", async () => {
  await openWith(inboxWithBo());
  arriveBy(conversationPath({ with: bo.externalId, to: ana.externalId }));
  await expectBubbles("are you there?");
  expect(location.href).not.toContain(bo.externalId);
});

test("leads a user there as well who signs in for it in another tab", async () => {
  await openPage({ answers: { ...memberAnswers(ana), ...inboxWithBo().answers } });
  arriveBy(conversationPath({ with: bo.externalId, to: ana.externalId }));
  await expect.poll(() => isOverlayOpen("login")).toBe(true);
  await signInElsewhere(ana);
  await expectBubbles("are you there?");
  expect(isOverlayOpen("login")).toBe(false);
});

test("opens nothing for a user other than the recipient", async () => {
  const server = await openWith(inboxWithBo());
  await expect.poll(currentUser).not.toBeNull();
  arriveBy(conversationPath({ with: bo.externalId, to: "x-another-user" }));
  expect(isOverlayOpen("messages")).toBe(false);
  expect(server.asked("messageList")).toEqual([]);
});

test("opens the list when the user has no such conversation", async () => {
  await openWith(inboxWithBo(), {
    answers: { messageList: new Refusal(codes.forbidden, { reason: "not_met" }) },
  });
  arriveBy(conversationPath({ with: "x-nobody", to: ana.externalId }));
  await expect.element(row("Bo")).toBeVisible();
  await expect.element(panel().getByRole("textbox")).not.toBeInTheDocument();
  expect(bubbles()).toEqual([]);
  expect(isOverlayOpen("messages")).toBe(true);
});

test("opens the list for an address without a conversation", async () => {
  await openWith(inboxWithBo());
  arriveBy("/?open=messages#with=x-bo");
  await expect.element(row("Bo")).toBeVisible();
  expect(bubbles()).toEqual([]);
});

test("sets the filters of a notification, and starts nothing", async () => {
  const server = await openPage({ as: ana });
  await expect.element(page.getByRole("button", { name: t("home.start") })).toBeVisible();
  const before = currentMatchFilters();
  arriveBy(searchPath({ sex: 2, country: 0, to: "x-another-user" }));
  expect(currentMatchFilters()).toEqual(before);
  setCallShown(true);
  arriveBy(searchPath({ sex: 2, country: 0, to: ana.externalId }));
  expect(currentMatchFilters()).toEqual(before);
  setCallShown(false);
  arriveBy(searchPath({ sex: 2, country: 0, to: ana.externalId }));
  await expect.poll(currentMatchFilters).toEqual({ sex: 2, country: 0 });
  await expect.element(page.getByRole("radio", { name: new RegExp(t("pref.women"), "u") })).toBeChecked();
  expect(location.href).not.toContain(ana.externalId);
  expect([server.asked("matchStart"), callState()]).toEqual([[], null]);
});

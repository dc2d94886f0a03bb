import { expect, type Page } from "@playwright/test";
import { befriend, callAs, selfOf } from "./support/friends.ts";
import { bubbles, log, messagesButton, openFromList, signOut, startThread, write } from "./support/messages-panel.ts";
import { framesOf } from "./support/frames.ts";
import { openPeoplePanel } from "./support/people-panel.ts";
import { test } from "./support/people.ts";

// Two browsers sign in first.
test.setTimeout(180_000);

test("[MSG-82] when the tab with the chat socket is closed, the next one has it at once", async ({ person }) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Closes" }), person({ name: "Bo Writes" })]);
  await befriend(ana, bo);
  const second = await ana.context().newPage();
  await second.goto("/");
  await expect(messagesButton(second)).toBeVisible();
  expect(framesOf(second).received).toEqual([]);
  await ana.close();
  await expect.poll(() => framesOf(second).received.some((frame) => frame.includes("welcome"))).toBe(true);
  await startThread(bo, "Ana Closes");
  await write(bo, "still there?");
  await expect(messagesButton(second)).toHaveAccessibleName(/1 unread/);
  await openFromList(second, "Bo Writes");
  await expect(bubbles(second)).toHaveText(["still there?"]);
});

test("[SIGNIN-7] a tab that follows a sign-out closes whatever was open in it", async ({ person }) => {
  const ana = await person({ name: "Ana Leaves" });
  const second = await ana.context().newPage();
  await second.goto("/");
  const sheet = await openPeoplePanel(second);
  await signOut(ana);
  await expect(sheet).toBeHidden();
  await expect(messagesButton(second)).toBeHidden();
});

test("[CALL-13] [MSG-82] a phone drops the chat login with the page, and nothing is lost meanwhile", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Pocket" }), person({ name: "Bo Sends" })]);
  await befriend(ana, bo);
  await ana.setViewportSize({ width: 390, height: 844 });
  await startThread(bo, "Ana Pocket");
  await write(bo, "one");
  await openFromList(ana, "Bo Sends");
  await expect(bubbles(ana)).toHaveText(["one"]);

  await show(ana, false);
  await expect.poll(() => presenceSeenBy(bo)).toBe("offline");
  await write(bo, "two");
  await expect(log(bo).getByText(/^Sent/)).toBeVisible();
  await write(bo, "three");
  const sockets = framesOf(ana).received.filter((frame) => frame.includes("welcome")).length;
  await expect(bubbles(ana)).toHaveText(["one"]);

  await show(ana, true);
  await expect(bubbles(ana)).toHaveText(["one", "two", "three"]);
  expect(framesOf(ana).received.filter((frame) => frame.includes("welcome"))).toHaveLength(sockets + 1);
  await expect.poll(() => presenceSeenBy(bo)).toBe("online");
});

/** What the browser says when another app comes to the front, and when this one is back; an automated page stays shown. */
async function show(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate((shown) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: !shown });
    Object.defineProperty(document, "visibilityState", { configurable: true, value: shown ? "visible" : "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isShown);
}

async function presenceSeenBy(page: Page): Promise<unknown> {
  const self = await selfOf(page);
  const { rows } = (await callAs(page, "/api/user/friend/list", { user_id: self.user_id })) as {
    rows: { presence: unknown }[];
  };
  return rows[0]?.presence;
}
